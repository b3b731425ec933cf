import numpy as np, pandas as pd, os

r = np.random.default_rng(3801)
lines = [("L1", 1001, 84), ("L2", 2001, 84), ("L3", 3001, 76)]
pot = []
line = []
for l, s, n in lines:
    pot += list(range(s, s + n))
    line += [l] * n
N = len(pot)
line = np.array(line)
li = np.array([int(x[1]) for x in line])
c = {}
c["Pot"] = pot
c["Line"] = line
c["Room"] = ["A" if p % 2 else "B" for p in pot]
c["Section"] = [(p % 1000 - 1) // 14 + 1 for p in pot]
c["Crew"] = r.choice(["Red", "Blue", "Green", "Yellow"], N)
start = pd.Timestamp("2018-06-01") + pd.to_timedelta(r.choice(2400, N, replace=False), unit="D")
c["Start_date"] = start.strftime("%Y-%m-%d")
con = r.choice(
    ["Norline Refractories", "PotServ", "Kestrel Industrial", "In-house"],
    N,
    p=[0.35, 0.3, 0.2, 0.15],
)
c["Relining_contractor"] = con
c["Reline_days"] = r.integers(16, 41, N)
cat = r.choice(["Graphitized", "100% graphitic", "30% graphitic"], N, p=[0.4, 0.35, 0.25])
c["Cathode_block"] = cat
c["Lining_design"] = r.choice(["LD-3", "LD-4", "LD-4b"], N)
c["Shell_no"] = [f"SH-{x}" for x in r.permutation(np.arange(400, 400 + N))]
pl = r.normal(2150, 380, N).round()
pl[r.random(N) < 0.05] = np.nan
c["Prev_life_d"] = pl
pr = r.choice(
    ["Planned", "Tap-out", "High Fe", "Cathode heave", "Power outage"],
    N,
    p=[0.4, 0.2, 0.2, 0.12, 0.08],
).astype(object)
pr[np.isnan(pl)] = None
c["Prev_stop_reason"] = pr
tv = 4.18 + 0.03 * (li == 1) - 0.02 * (cat == "Graphitized") + r.choice([-0.02, 0, 0.02], N)
c["Tgt_volt_V"] = tv.round(2)
c["Line_kA"] = np.select([li == 1, li == 2], [322, 326], 352)
c["Slotted_anodes"] = r.choice(["yes", "no"], N)
age = (pd.Timestamp("2025-03-01") - start).days.values / 365.25


def miss(x, p=0.012):
    x = np.array(x, float)
    x[r.random(N) < p] = np.nan
    return x


days = [f"{d:02d}Mar25" for d in range(1, 32)]
D = 31
tb = r.normal(0, 4, N)
xs = 10.8 - 0.12 * tb + r.normal(0, 0.5, N)
fe0 = 900 + 120 * np.clip(age - 2, 0, None) + r.gamma(2, 90, N)
si0 = r.normal(330, 60, N)
ev = np.zeros(D)
ev[9:14] = [1, 3, 4.5, 3.6, 1.5]
ev[23:27] = [1, 2.2, 2, 1]
fam = {}
U = {}
NZ = {}
AF = {}
AL = {}
T = {}
X = {}
HM = {}
HB = {}
TP = {}
AEn = {}
AEs = {}
FE = {}
SI = {}
KW = {}
for i, d in enumerate(days):
    t = 962 + 1.5 * (li == 2) + tb + ev[i] + r.normal(0, 3.2, N)
    us = []
    for s in (1, 2, 3):
        nz = r.gamma(6, 2.2, N) + 4 * (age > 5) + 2 * (cat == "30% graphitic")
        u = tv + r.normal(0, 0.035, N) + 0.003 * (nz - 14) + 0.01 * (s == 3)
        us.append(u)
        U[d, s] = miss(u.round(3))
        NZ[d, s] = miss(nz.round(1))
        AF[d, s] = miss(np.clip(r.normal(11 + 0.35 * (t - 962), 3.5, N), 0, None).round(1), 0.008)
        AL[d, s] = miss(r.normal(1560 + (li == 3) * 130, 60, N).round(0))
    T[d] = miss(t.round(1), 0.015)
    X[d] = miss((xs - 0.05 * (t - 962 - tb) + r.normal(0, 0.35, N)).round(2), 0.03)
    HM[d] = miss(r.normal(21.5, 1.6, N).round(1))
    HB[d] = miss(r.normal(18.4, 1.7, N).round(1))
    tap = r.normal(2450 + (li == 3) * 220 + (age > 5) * -40, 140, N).round(0)
    mask = (np.array(pot) + i) % 4 == 0
    tap[mask] = np.nan
    TP[d] = miss(tap, 0.004)
    n = r.poisson(0.12 + 0.05 * (li == 2) + 0.10 * ev[i] * (li == 3) / 3)
    AEn[d] = miss(n, 0.006)
    AEs[d] = np.where(np.isnan(AEn[d]), np.nan, (n * r.gamma(5, 18, N)).round(0))
    FE[d] = miss((fe0 * (1 + 0.002 * i) + r.normal(0, 35, N)).round(0), 0.02)
    SI[d] = miss((si0 + r.normal(0, 18, N)).round(0), 0.02)
    KW[d] = miss((np.mean(us, axis=0) * c["Line_kA"] * 24).round(0), 0.005)
for d in days:
    for nm, F in (("Ucell_V", U), ("Noise_mV", NZ), ("AlF3_kg", AF), ("Al2O3_kg", AL)):
        for s in (1, 2, 3):
            c[f"{nm}_{d}_S{s}"] = F[d, s]
for nm, F in (
    ("Tbath_degC", T),
    ("XsAlF3_pct", X),
    ("Hmetal_cm", HM),
    ("Hbath_cm", HB),
    ("Tap_kg", TP),
    ("AE_n", AEn),
    ("AE_dur_s", AEs),
    ("Fe_ppm", FE),
    ("Si_ppm", SI),
    ("Energy_kWh", KW),
):
    for d in days:
        c[f"{nm}_{d}"] = F[d]
W = ["W10", "W11", "W12", "W13"]
ka = c["Line_kA"]
for w in W:
    for a in range(1, 21):
        c[f"AnodeI_kA_A{a:02d}_{w}"] = miss((ka / 20 * r.normal(1, 0.07, N)).round(2))
for w in W:
    for sd in "UD":
        for b in range(1, 19):
            c[f"CollBarI_kA_{sd}{b:02d}_{w}"] = miss((ka / 36 * r.normal(1, 0.09, N)).round(3))
for w in W:
    for st in (
        ["TapEnd", "DuctEnd"] + [f"US{k}" for k in range(1, 6)] + [f"DS{k}" for k in range(1, 6)]
    ):
        c[f"Tshell_degC_{st}_{w}"] = miss((r.normal(268, 28, N) + 6 * age).round(0), 0.03)
for w in W:
    c[f"Superheat_K_{w}"] = miss(r.normal(9, 2.4, N).round(1))
    c[f"Tliq_degC_{w}"] = miss(r.normal(953, 4, N).round(1))
df = pd.DataFrame(c)
for k in df.columns:
    if k.startswith(("AE_", "Tap_", "Fe_", "Si_", "Energy", "Al2O3", "Tshell", "Prev_life")):
        df[k] = df[k].astype("Int64")
df.to_csv(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pots.csv"), index=False)
print(df.shape)
