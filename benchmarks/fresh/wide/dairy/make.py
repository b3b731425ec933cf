import numpy as np, pandas as pd, os

r = np.random.default_rng(3803)
N = 318
cow = np.sort(r.choice(np.arange(2011, 3400), N, replace=False))
breed = r.choice(
    ["Holstein", "Brown Swiss", "Jersey", "Montbeliarde"], N, p=[0.58, 0.16, 0.12, 0.14]
)
par = r.choice([1, 2, 3, 4, 5, 6], N, p=[0.32, 0.26, 0.19, 0.12, 0.07, 0.04])
barn = r.choice(["North", "South", "Old barn"], N, p=[0.42, 0.38, 0.20])
calv = pd.Timestamp("2024-05-20") + pd.to_timedelta(r.integers(0, 200, N), unit="D")
birth = calv - pd.to_timedelta((730 + par * 395 - 380 + r.normal(0, 25, N)).astype(int), unit="D")
tags = r.choice(np.arange(10000, 99999), N, replace=False)
c = {
    "Cow": cow,
    "Ear_tag": [
        f"AT 4{t // 1000:02d} {t % 1000:03d} {x}" for t, x in zip(tags, r.integers(100, 999, N))
    ],
    "Breed": breed,
    "Parity": par,
    "Barn": barn,
    "Pen": [f"{b[0]}{k}" for b, k in zip(barn, r.integers(1, 5, N))],
    "Birth_date": birth.strftime("%d.%m.%Y"),
    "Calving_date": calv.strftime("%d.%m.%Y"),
    "Calving_ease": r.choice([1, 2, 3, 4], N, p=[0.7, 0.2, 0.08, 0.02]),
    "Sire": r.choice(
        ["Rubicon", "Altaspring", "Vinzenz", "Mahomet", "Jiggy", "Picolo", "Hokus"], N
    ),
}
li = pd.Series((calv + pd.to_timedelta(r.integers(50, 130, N), unit="D")).strftime("%d.%m.%Y"))
nn = r.random(N) < 0.12
li[nn] = None
c["Last_AI_date"] = li
ai = r.integers(1, 5, N).astype(float)
ai[nn] = 0
c["AI_count"] = ai.astype(int)
c["Preg_check"] = np.where(
    nn, "not bred", r.choice(["pregnant", "open", "pending"], N, p=[0.6, 0.25, 0.15])
)
c["Hoof_trim_date"] = pd.Series(
    np.where(
        r.random(N) < 0.85,
        (pd.Timestamp("2024-10-01") + pd.to_timedelta(r.integers(0, 120, N), unit="D")).strftime(
            "%d.%m.%Y"
        ),
        None,
    )
)
c["Locomotion_score"] = r.choice([1, 2, 3, 4, 5], N, p=[0.5, 0.27, 0.15, 0.06, 0.02])
c["Teat_end_score"] = r.choice([1, 2, 3, 4], N, p=[0.4, 0.35, 0.2, 0.05])
c["Transponder"] = r.choice(np.arange(700000, 799999), N, replace=False)
bf = {"Holstein": 1.0, "Brown Swiss": 0.85, "Jersey": 0.68, "Montbeliarde": 0.83}
pot = (
    np.array([bf[b] for b in breed])
    * np.where(par == 1, 0.82, np.where(par == 2, 0.96, 1.03))
    * r.normal(1, 0.09, N)
    * 33
)
dim0 = (pd.Timestamp("2025-01-01") - calv).days.values
days = pd.date_range("2025-01-01", "2025-03-31")
D = [d.strftime("%Y%m%d") for d in days]


def miss(x, p=0.01):
    x = np.array(x, float)
    x[r.random(N) < p] = np.nan
    return x


F = {}
dry = r.random(N) < 0.04
for i, d in enumerate(D):
    lac = 1.15 - 0.0011 * (dim0 + i) - 0.05 * (i in range(37, 43))
    y = pot * lac * r.normal(1, 0.05, N)
    am = y * r.normal(0.545, 0.02, N)
    pm = y - am
    dm = dry & (i >= 60)
    for k, v in (("AM", am), ("PM", pm)):
        v = np.clip(v, 1, None)
        v = np.where(dm, np.nan, v)
        F["Milk" + k + "_kg", d] = miss(v.round(1))
        F["MilkDur" + k + "_min", d] = miss((2.6 + 0.24 * v + r.normal(0, 0.7, N)).clip(2).round(1))
        F["PeakFlow" + k + "_kgmin", d] = miss(
            (2.2 + 0.11 * v + r.normal(0, 0.45, N)).clip(0.8).round(2)
        )
    for q in ("LF", "RF", "LR", "RR"):
        F["Cond_" + q + "_mScm", d] = miss(
            np.where(
                dm,
                np.nan,
                (r.normal(4.9, 0.35, N) + (r.random(N) < 0.02) * r.uniform(1, 3, N)).round(2),
            )
        )
    F["Rum_min", d] = miss(
        (
            505
            + 1.1 * (y - 25)
            - 48 * (i in (40, 41))
            - 25 * (i in (39, 42))
            - 18 * (barn == "Old barn")
            + r.normal(0, 45, N)
        ).round(0),
        0.015,
    )
    F["Conc_kg", d] = miss(np.clip(1.5 + 0.22 * (y - 12), 0.5, 11).round(1))
    F["Lying_min", d] = miss((690 - 20 * (barn == "Old barn") + r.normal(0, 62, N)).round(0), 0.02)
for k in [
    "MilkAM_kg",
    "MilkPM_kg",
    "MilkDurAM_min",
    "MilkDurPM_min",
    "PeakFlowAM_kgmin",
    "PeakFlowPM_kgmin",
    "Cond_LF_mScm",
    "Cond_RF_mScm",
    "Cond_LR_mScm",
    "Cond_RR_mScm",
    "Rum_min",
    "Conc_kg",
    "Lying_min",
]:
    for d in D:
        c[f"{k}_{d}"] = F[k, d]
prof = np.array(
    [
        35,
        25,
        22,
        25,
        90,
        190,
        170,
        110,
        95,
        120,
        110,
        90,
        85,
        95,
        100,
        120,
        210,
        200,
        130,
        95,
        80,
        60,
        50,
        40,
    ]
)
heat = r.integers(0, 90, N)
for k in range(14):
    d = D[59 + k]
    for h in range(24):
        c[f"Steps_{d}_h{h:02d}"] = miss(
            np.round(r.gamma(9, prof[h] / 9, N) * np.where(heat == k, 2.3, 1)), 0.012
        )
f0 = {"Holstein": 4.05, "Brown Swiss": 4.2, "Jersey": 5.3, "Montbeliarde": 4.0}
p0 = {"Holstein": 3.32, "Brown Swiss": 3.55, "Jersey": 3.95, "Montbeliarde": 3.45}
bd = r.normal(0, 0.18, N)
s0 = r.normal(4.4, 0.75, N) + 0.15 * (par - 1)
T = [f"T{k}" for k in range(1, 7)]
cols = {}
for k, t in enumerate(T):
    e = r.normal(0, 0.15, N)
    cols["Fat_pct", t] = miss(
        (np.array([f0[b] for b in breed]) + 1.3 * bd + e + r.normal(0, 0.22, N)).round(2), 0.04
    )
    cols["Prot_pct", t] = miss(
        (
            np.array([p0[b] for b in breed]) + 0.8 * bd + 0.3 * e + 0.01 * k + r.normal(0, 0.09, N)
        ).round(2),
        0.04,
    )
    cols["Lact_pct", t] = miss(r.normal(4.76, 0.12, N).round(2), 0.04)
    cols["Urea_mgdl", t] = miss(r.normal(23, 5, N).round(0), 0.04)
    cols["SCC_k", t] = miss(np.exp(s0 + r.normal(0, 0.55, N)).round(0), 0.04)
    cols["BHB_mmol", t] = miss(r.gamma(4, 0.018, N).round(2), 0.06)
for k in ["Fat_pct", "Prot_pct", "Lact_pct", "Urea_mgdl", "SCC_k", "BHB_mmol"]:
    for t in T:
        c[f"{k}_{t}"] = cols[k, t]
bw = (
    np.array(
        [
            {"Holstein": 665, "Brown Swiss": 650, "Jersey": 455, "Montbeliarde": 690}[b]
            for b in breed
        ]
    )
    + 18 * np.minimum(par, 4)
    + r.normal(0, 35, N)
)
bc = r.normal(3.05, 0.28, N)
for w in range(1, 14):
    c[f"BW_kg_W{w:02d}"] = miss((bw + 1.6 * w + r.normal(0, 6, N)).round(1), 0.02)
for w in range(1, 14):
    c[f"BCS_W{w:02d}"] = miss(
        (np.clip(bc + 0.008 * w + r.normal(0, 0.08, N), 2, 4.5) * 4).round() / 4, 0.02
    )
df = pd.DataFrame(c)
for k in df.columns[17:]:
    if k.startswith(("Rum", "Lying", "Steps", "Urea", "SCC")):
        df[k] = df[k].astype("Int64")
df.to_csv(os.path.join(os.path.dirname(os.path.abspath(__file__)), "herd.csv"), index=False)
print(df.shape)
