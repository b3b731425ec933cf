import numpy as np, pandas as pd, os

r = np.random.default_rng(3802)
piers = {
    "A": ("T1", 30),
    "B": ("T1", 32),
    "C": ("T2", 34),
    "D": ("T2", 28),
    "E": ("T3", 30),
    "F": ("T3", 22),
}
g = []
pier = []
term = []
for p, (t, n) in piers.items():
    for k in range(1, n + 1):
        g.append(f"{p}{k:02d}")
        pier.append(p)
        term.append(t)
N = len(g)
pier = np.array(pier)
term = np.array(term)
st = r.choice(["contact", "remote"], N, p=[0.68, 0.32])
contact = st == "contact"
code = np.where(
    pier == "E",
    r.choice(["C", "E", "F"], N, p=[0.3, 0.5, 0.2]),
    r.choice(["C", "D", "E"], N, p=[0.7, 0.1, 0.2]),
)
zone = np.where(
    np.isin(pier, ["A", "C"]),
    "Schengen",
    np.where(np.isin(pier, ["E", "F"]), "Non-Schengen", r.choice(["Schengen", "Swing"], N)),
)
c = {
    "gate": g,
    "terminal": term,
    "pier": pier,
    "stand_no": [f"{x}" for x in r.permutation(np.arange(201, 201 + N))],
    "stand_type": st,
    "icao_code_max": code,
    "border_zone": zone,
}
c["jetbridges"] = np.where(contact, np.where(np.isin(code, ["E", "F"]), 2, 1), 0)
c["handler_main"] = r.choice(
    ["SkyRamp", "Aerohand", "GroundStar", "BlueApron"], N, p=[0.35, 0.3, 0.2, 0.15]
)
c["vdgs_make"] = pd.Series(np.where(contact, r.choice(["Safedock", "Honeywell", "FMT"], N), None))
c["fixed_gpu"] = np.where(contact, r.choice(["yes", "no"], N, p=[0.85, 0.15]), "no")
c["pca"] = np.where(contact, r.choice(["yes", "no"], N, p=[0.6, 0.4]), "no")
c["in_service_since"] = (
    pd.Timestamp("1994-01-01") + pd.to_timedelta(r.choice(10500, N, replace=False), unit="D")
).strftime("%Y-%m-%d")
rs = pd.Series(
    (pd.Timestamp("2012-01-01") + pd.to_timedelta(r.integers(0, 4200, N), unit="D")).strftime(
        "%Y-%m-%d"
    )
)
rs[r.random(N) < 0.08] = None
c["apron_resurfaced"] = rs
c["walk_from_security_min"] = r.integers(3, 22, N)
c["pushback_req"] = np.where(contact, "yes", r.choice(["yes", "no"], N, p=[0.3, 0.7]))


def miss(x, p=0.01):
    x = np.array(x, float)
    x[r.random(N) < p] = np.nan
    return x


W = [f"2024W{w:02d}" for w in range(1, 53)]
season = 1 + 0.28 * np.sin((np.arange(52) - 14) / 52 * 2 * np.pi)
wx = np.ones(52)
wx[[0, 1, 2, 47, 49, 50]] = [2.2, 3.4, 2.0, 1.8, 2.5, 2.0]
atfm = np.clip(season**3, 0.4, None)
pb = np.ones(52)
pb[25:33] = [1.3, 1.5, 1.9, 1.8, 2.1, 1.7, 1.6, 1.4]
base = (
    np.where(np.isin(code, ["E", "F"]), 19, 37) * np.where(contact, 1, 0.6) * r.normal(1, 0.12, N)
)
causes = {
    "PaxBag": 7,
    "Cargo": 3,
    "Ramp": 8,
    "Tech": 7,
    "FltOps": 5,
    "Wx": 4,
    "ATFM": 9,
    "React": 14,
}
M = {}
n = {}
o = {}
for i, w in enumerate(W):
    t = np.maximum(r.poisson(base * season[i] * (0.93 if i == 51 else 1)), 1)
    tot = 0
    for k, b in causes.items():
        f = {
            "Wx": wx[i],
            "ATFM": atfm[i],
            "PaxBag": pb[i],
            "React": 0.5 + 0.5 * season[i] * (1.25 if i in (29, 30) else 1),
        }.get(k, 1)
        q = r.poisson(t * b / 180 * f)
        m = np.where(q > 0, np.round(q * r.gamma(4, 6.5, N) + q), 0)
        M[k, w] = miss(m)
        n[k, w] = np.where(np.isnan(M[k, w]), np.nan, q)
        tot = tot + q
    o["turns", w] = miss(t, 0.004)
    seats = np.where(np.isin(code, ["E", "F"]), 265, 152)
    px = np.round(t * seats * r.normal(0.8, 0.05, N) * np.where(season[i] > 1, 1.04, 0.97))
    o["pax_dep", w] = miss(px)
    o["bags", w] = miss(np.round(px * r.normal(0.72, 0.08, N)), 0.02)
    ta = np.where(np.isin(code, ["E", "F"]), 98, 48) + r.normal(0, 5.5, N) + 3 * (pb[i] - 1)
    o["tat_avg_min", w] = miss(ta.round(1))
    o["occ_h", w] = miss((t * (ta + r.normal(9, 2, N)) / 60).round(1))
    o["otp15_pct", w] = miss(np.clip(100 - tot / t * 62 + r.normal(0, 3, N), 30, 100).round(1))
    pd_ = np.where(contact, np.where(r.random(N) < 0.35, np.round(r.gamma(2, 45, N)), 0), np.nan)
    o["pbb_down_min", w] = pd_
    o["gpu_kwh", w] = np.where(
        np.array(c["fixed_gpu"]) == "yes", miss(np.round(t * r.normal(62, 6, N)), 0.02), np.nan
    )
    o["tow_n", w] = miss(r.poisson(1.7, N))
    o["gatechg_n", w] = miss(r.poisson(2.6 * season[i], N))
    o["fod_n", w] = miss(r.poisson(0.5, N), 0.03)
for k in causes:
    for w in W:
        c[f"dly_min_{k}_{w}"] = M[k, w]
for k in causes:
    for w in W:
        c[f"dly_n_{k}_{w}"] = n[k, w]
for k in [
    "turns",
    "pax_dep",
    "bags",
    "tat_avg_min",
    "occ_h",
    "otp15_pct",
    "pbb_down_min",
    "gpu_kwh",
    "tow_n",
    "gatechg_n",
    "fod_n",
]:
    for w in W:
        c[f"{k}_{w}"] = o[k, w]
for q in (1, 2, 3, 4):
    c[f"safety_insp_score_2024Q{q}"] = miss(r.normal(86, 6, N).clip(50, 100).round(0), 0.04)
df = pd.DataFrame(c)
for k in df.columns[16:]:
    if not k.startswith(("tat", "occ", "otp")):
        df[k] = df[k].astype("Int64")
df.to_csv(os.path.join(os.path.dirname(os.path.abspath(__file__)), "gates_2024.csv"), index=False)
print(df.shape)
