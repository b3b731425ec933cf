"""Wide release of a (fictitious) longitudinal health and life survey.

900 participants x 1,787 columns. Habits come from UK Biobank's showcase (``p4080_i0_a1``: field,
instance, array), the RAND HRS longitudinal file (``r3shlt``, ``h3itot``, ``s3shlt``, ``ragender``,
``r3cesd``, ``r3hibpe``), Understanding Society (``scghqa``..``scghql``, ``sf2a``), ELSA, and the
coded answers of AER ``NMES1988`` (adl, region, health).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

N, NI, NW = 900, 4, 8
TOWNS = np.array(["Leeds", "Bristol", "Glasgow", "Cardiff", "Reading"], dtype=object)
DAY = np.timedelta64(86_400_000_000_000, "ns")
# clinic (4 times) and assays (2): mean, sd, slope per year, male shift, decimals, arrays
CLINIC = """
50 163 6.3 -.05 13 1 1; 51 133 4 -.05 6 1 1; 21002 71 12.5 -.02 14 1 1; 48 85 11 .15 12 0 1;
49 103 9 0 -1 0 1; 4080 135 15 .55 5 0 2; 4079 81 9.5 .05 3 0 2; 102 69 11 -.02 -1 0 2;
46 22 5 -.25 15 0 1; 47 24 5 -.25 16 0 1; 3062 3 .5 -.03 1.3 2 3; 3063 2.4 .4 -.03 .9 2 3;
3064 340 70 -2.6 140 0 3; 3148 .52 .1 -.003 .06 3 1; 23099 36 6 .08 -11 1 1; 23100 27 8 .05 -4 1 1;
23101 44 5 -.04 18 1 1; 23105 5600 600 -8 1800 0 1; 404 560 130 5 -15 0 8;
4282 6.7 1.2 -.03 .1 0 1; 20016 6.1 2 -.03 .2 0 1; 399 4 2.4 .06 0 0 3; 5084 -.2 2.3 .03 0 2 3;
5085 -.2 2.3 .03 0 2 3; 5254 16 3.5 .05 .2 1 1; 5262 16 3.5 .05 .2 1 1; 4241 -7 1.5 .06 0 1 1;
4230 -7 1.5 .06 0 1 1; 1160 7.1 1 .005 -.05 0 1; 1070 2.7 1.4 .04 .1 0 1; 1080 1.3 1.2 -.04 .3 0 1;
874 52 30 .2 5 0 1; 864 5.3 1.7 .01 -.1 0 1; 884 3.6 2.1 .01 0 0 1; 904 1.8 1.7 -.03 .3 0 1;
1289 2.8 1.5 .01 -.2 0 1; 1299 2.2 1.6 0 -.4 0 1; 1309 2.3 1.3 .02 -.3 0 1; 1488 3.4 2.3 .03 0 0 1;
1498 2.1 1.7 -.01 .2 0 1; 1528 2.8 1.8 -.02 -.3 0 1; 1568 3.6 3 0 .6 0 1; 1588 1.4 1.2 -.02 4 0 1;
709 2.5 1 -.03 0 0 1; 699 17 9 .6 0 0 1; 137 2.4 1.8 .12 -.1 0 1; 20127 4.4 3 -.04 -1 0 1;
20023 560 100 5 -15 0 1
"""
BLOOD = """
30000 6.8 1.6 0 .1 2 1; 30010 4.3 .3 0 .45 3 1; 30020 13.5 .9 0 1.5 2 1; 30040 91 4.3 .02 0 2 1;
30080 262 57 -.5 -26 1 1; 30120 2 .55 0 -.1 2 1; 30140 4.2 1.3 0 .1 2 1; 30500 18 9 .3 3 1 1;
30510 7400 3500 -60 3600 0 1; 30600 45 2.6 -.03 .5 2 1; 30610 84 24 .4 -1 1 1;
30620 20 8 -.05 7 2 1; 30630 1.62 .24 .002 -.2 3 1; 30640 1.04 .23 .001 -.02 3 1;
30650 24.6 7 .06 3.6 1 1; 30660 1.7 .5 0 .4 2 1; 30670 5.2 1.2 .05 .4 2 1;
30680 2.38 .09 0 -.02 3 1; 30690 5.8 1.05 .005 -.4 3 1; 30700 64 10 .2 17 1 1;
30710 2.6 1.5 .03 -.2 2 1; 30720 .89 .13 .007 .05 3 1; 30730 30 14 .1 15 1 1;
30740 5.05 .8 .01 .1 3 1; 30750 35.6 4.5 .12 .4 1 1; 30760 1.6 .35 .002 -.3 3 1;
30770 21 5.4 -.18 .9 2 1; 30780 3.6 .85 .002 -.1 3 1; 30790 44 30 0 -2 1 1;
30810 1.19 .15 0 -.09 3 1; 30830 62 25 .2 -22 2 1; 30850 1.1 .4 -.01 11 2 1;
30860 72.5 4 -.02 -.2 2 1; 30870 1.5 .6 .006 .45 3 1; 30880 270 58 .6 84 1 1;
30890 48.6 20 .1 .2 1 1
"""
CODED = dict(
    x.strip().split("=")
    for x in [
        "\n2178=Excellent .17~Good .58~Fair .2~Poor .05",
        " 1200=Never .24~Sometimes .48~Usually .28",
        "\n1558=Daily .2~3-4 wk .23~1-2 wk .26~1-3 mth .11~Occasional .12~Never .08",
        " 2188=Y .33~N .67",
        "\n924=Slow .08~Steady .52~Brisk .4",
        " 1180=DM .27~MM .36~ME .28~DE .09",
        " 1707=R .89~L .09~B .02",
        "\n2296=None .79~One .15~Multiple .06",
        " 670=House .88~Flat .1~Mobile .01~Sheltered .01",
        "\n680=OO .52~OM .36~RS .06~RP .04~OT .02",
        " 1031=1 .12~2 .3~3 .36~4 .14~5 .06~6 .02\n",
    ]
)
ILL = [1065, 1111, 1220, 1226, 1286, 1465, 1473, 1138, 1265, 1387, 1309, 1075]
DRUG = [1140861958, 1140883066, 1140884600, 1140868226, 1141194794, 1140909674]
FIRST = {
    "131286": "I10",
    "130708": "E11",
    "131298": "I21",
    "131350": "I48",
    "131366": "I63",
    "130894": "F32",
    "131492": "J44",
    "131494": "J45",
}
# wave measures: c = number of codes, b = chance, m = mean,sd,trend,decimals
WAVE = """
shlt c 5; shltc m .1,.7,.01,0; hosp b .2; hspnit m 1.8,2,.15,0; doctim m 8,4.5,.4,0; nrshom b .02;
oopmd m 640,380,35,0; hibpe b .36; diabe b .11; cancre b .1; lunge b .08; hearte b .15;
stroke b .05; psyche b .14; arthre b .38; walkra b .05; dressa b .09; batha b .07; eata b .02;
beda b .05; toilta b .04; phonea b .03; moneya b .05; medsa b .03; shopa b .08; smokev b .52;
smoken b .13; drink b .72; drinkd m 2.3,1.7,-.05,0; vgactx c 5; imrc m 5.8,1.4,-.09,0;
dlrc m 4.9,1.6,-.11,0; ser7 m 3.8,1.1,-.03,0; bmi m 27.2,4.4,.05,1; height m 1.69,.09,-.001,2;
weight m 77.5,14,.05,1; lblb m 171,31,.1,0; mstat c 6; lbrf c 7; work b .5; jhours m 33,9,-.6,0;
iearn m 21000,8500,-400,0; isret m 5200,2400,420,0; covr b .24; lone m 4.3,1.4,.03,0;
satlife m 7.3,1.6,-.02,0
"""
CLIP = {
    "satlife": (0, 10),
    "lone": (3, 9),
    "ser7": (0, 5),
    "imrc": (0, 10),
    "dlrc": (0, 10),
    "drinkd": (0, 7),
    "shltc": (-2, 2),
}
# scales: items, waves, top answer, how the item number is written
ITEMS = [
    ("cesd", 20, range(1, 9), 4, "{:02d}"),
    ("scghq", 12, range(1, 9), 4, "abc"),
    ("bfi", 15, (1, 4, 8), 7, "{:02d}"),
    ("swls", 5, range(2, 9), 7, "{:d}"),
    ("casp", 19, range(1, 9), 4, "{:d}"),
    ("lbevt", 16, range(2, 9), 2, "{:02d}"),
    ("act", 14, (2, 4, 6, 8), 5, "{:02d}"),
]


def _rows(text: str) -> list[list[str]]:
    """Split a spec block into its entries."""
    return [x.split() for x in text.replace("\n", " ").split(";") if x.strip()]


def _gap(v: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """Leave cells empty where keep is false."""
    if v.dtype.kind == "M":
        return np.where(keep, v, np.datetime64("NaT", "ns"))
    return np.where(keep, v, None) if v.dtype.kind == "O" else np.where(keep, v * 1.0, np.nan)


def _singles(rng: np.random.Generator, c: dict[str, np.ndarray]) -> None:
    """Columns recorded once: recruitment, background, genetics, linked records."""
    age0, male, poor = c["_age"], c["p31"], c["_poor"]

    def text(opts: str, p: list[float]) -> np.ndarray:
        return rng.choice(np.array(opts.split("~"), dtype=object), N, p=p)

    c["ragender"] = np.where(male == 1, "M", "F").astype(object)
    c["p34"], c["p52"] = 2008 - age0.astype(int), rng.integers(1, 13, N)
    c["p189"] = np.round(poor * 2.9 - 1.3, 3)
    c["region"] = rng.choice(
        np.array(["NE", "NW", "YH", "EM", "WM", "SE", "SW", "WA", "SC"], dtype=object), N
    )
    c["p20116"] = text("Never~Previous~Current", [0.54, 0.34, 0.12])
    c["p21000"] = text("White~Asian~Black~Mixed~Other~Chinese", [0.9, 0.03, 0.03, 0.02, 0.01, 0.01])
    c["raedyrs"] = edu = np.clip(np.round(rng.normal(13.5 - 1.1 * poor, 2)), 7, 21)
    c["raeduc"] = np.digitize(edu, [11, 12, 14, 16]) + 1
    for w in "mf":
        c[f"ra{w}educ"] = _gap(np.round(edu * 0.5 + rng.normal(4, 2, N)), rng.random(N) < 0.88)
        c[f"ra{w}age"] = _gap(np.round(rng.normal(76, 10, N)), rng.random(N) < 0.8)
    for nm, mu, sd, dec in [
        ("p20022", 3.33, 0.55, 2),
        ("raevbrn", 2, 1.2, 0),
        ("rachshlt", 2, 0.9, 0),
        ("p2139", 19, 3, 0),
        ("p845", 16.6, 1.8, 0),
        ("p129", 330000, 150000, 0),
        ("p130", 430000, 90000, 0),
        ("p24003", 26, 7, 2),
        ("p24006", 10, 1, 2),
        ("p24008", 6.4, 0.9, 2),
        ("p24500", 45, 20, 1),
        ("p24014", 0.004, 0.002, 5),
        ("p22003", 0.19, 0.004, 4),
        ("p22005", 0.005, 0.002, 5),
        ("prs_cad", 0, 1, 3),
        ("prs_t2d", 0, 1, 3),
        ("raestrat", 20, 8, 0),
    ]:
        v = rng.normal(mu, sd, N) if mu == 0 else np.abs(rng.normal(mu, sd, N))
        v = np.clip(np.round(v), 1, 5) if nm == "rachshlt" else np.round(v, dec)
        c[nm] = _gap(v, rng.random(N) < 0.93)
    c["apoe"] = text("e3e3~e3e4~e2e3~e2e4~e4e4~e2e2", [0.58, 0.24, 0.12, 0.025, 0.025, 0.01])
    c["abo"] = text("O~A~B~AB", [0.44, 0.43, 0.1, 0.03])
    c["rabplace"] = text("ENG~SCT~WLS~NIR~IRL~OTH", [0.78, 0.09, 0.05, 0.01, 0.01, 0.06])
    c["p22001"], c["p2724"] = male, _gap(text("Y~N~U", [0.6, 0.3, 0.1]), male == 0)
    c["p1687"] = text("Thinner~Plumper~Average", [0.33, 0.16, 0.51])
    smk = c["p20116"] == "Current"
    dead = rng.random(N) < 0.03 + 0.004 * (age0 - 40) + 0.28 * smk
    gone = c["_day"] + rng.integers(900, 5200, N) * DAY
    c["p40000"] = _gap(gone, dead)
    c["p40007"] = _gap(np.round(age0 + (gone - c["_day"]) / DAY / 365.25, 1), dead)
    c["is_dead"] = dead.astype(int)
    for f, icd in FIRST.items():
        on = rng.random(N) < {"I10": 0.3, "E11": 0.1}.get(icd, 0.06) + 0.15 * smk * (icd == "J44")
        c[f"p{f}"] = _gap(c["_day"] + rng.integers(-3000, 4500, N) * DAY, on)
        c[f"hes_{icd}"] = (on & (rng.random(N) < 0.7)).astype(int)
    for k in range(1, 8):
        c[f"p6138_{k}"] = ((edu > 15) if k == 1 else rng.random(N) < 0.2).astype(int)
    c.update({f"p22009_a{k}": rng.normal(0, 30 / k, N).round(3) for k in range(1, 21)})
    for h in range(24):
        wake = 6 + 30 * np.exp(-(((h - 13) / 5.5) ** 2)) - 0.12 * (age0 - 55) + rng.normal(0, 3, N)
        c[f"p90027_h{h:02d}"] = _gap(np.round(np.abs(wake), 2), poor < 1.1)


def _clinic(rng: np.random.Generator, c: dict[str, np.ndarray]) -> None:
    """Assessment-centre fields by instance and array."""
    age0, male, smk = c["_age"], c["p31"], c["p20116"] == "Current"
    there, since = [np.ones(N, bool)], [0, 4.3, 7.5, 10.2]
    for share, yr in zip((0.62, 0.7, 0.6), since[1:]):
        gone = c["p40000"] < c["_day"] + int(yr * 365 + 400) * DAY
        there.append(there[-1] & (rng.random(N) < share) & ~gone)
    for i in range(NI):
        late = np.round(since[i] * 365.25 + rng.normal(0, 90, N) * (i > 0)).astype(int)
        c[f"p53_i{i}"] = _gap(c["_day"] + late * DAY, there[i])
        c[f"p21003_i{i}"] = _gap(age0 + np.round(since[i]), there[i])
        c[f"p54_i{i}"] = _gap(rng.choice(TOWNS, N), there[i])
    lift = {
        "3063": -0.35 * smk,
        "30870": 0.2 * c["_poor"],
        "30000": 1.4 * smk,
        "4080": 5 * (c["region"] == "SC"),
    }
    for block, ni in ((CLINIC, NI), (BLOOD, 2)):
        for f, *nums in _rows(block):
            mu, sd, slope, shift, dec, arr = (float(x) for x in nums)
            me = rng.normal(0, 0.85, N)
            for i, j in [(i, j) for i in range(ni) for j in range(int(arr))]:
                v = mu + slope * (age0 + since[i] - 55) + shift * male + lift.get(f, 0)
                v = v + sd * (me + rng.normal(0, 0.12 if f == "50" else 0.5, N))
                v = np.round(v if mu < 0 else np.maximum(v, mu * 0.08), int(dec)) + 0.0
                nm = f"p{f}_i{i}" + (f"_a{j}" if arr > 1 else "")
                c[nm] = _gap(v, there[i] & (rng.random(N) < 0.95))
    c["p30870_i0"][417] = 38.614  # the one extreme row
    for i in range(NI):
        kg = np.maximum(c[f"p21002_i{i}"] + 0.5 * (c[f"p48_i{i}"] - 91), 41).round(1)
        c[f"p21002_i{i}"] = kg
        c[f"p21001_i{i}"] = np.round(kg / (c[f"p50_i{i}"] / 100) ** 2, 3)
        if i < 2:
            c[f"hba1c_pct_i{i}"] = np.round(c[f"p30750_i{i}"] * 0.0915 + 2.15, 1)
        for f, opts in CODED.items():
            word, p = zip(*(x.rsplit(" ", 1) for x in opts.split("~")))
            v = rng.choice(np.array(word, dtype=object), N, p=np.array(p, float))
            c[f"p{f}_i{i}"] = _gap(v, there[i] & (rng.random(N) < 0.97))
        k = rng.poisson(2.4 + 0.05 * (age0 - 50).clip(0) + 0.2 * i)
        for j in range(8):
            on = there[i] & (k > j)
            c[f"p20002_i{i}_a{j}"] = _gap(rng.choice(ILL, N), on)
            c[f"p20009_i{i}_a{j}"] = _gap(np.round(np.maximum(age0 - rng.gamma(2, 5, N), 1)), on)
            c[f"p20003_i{i}_a{j}"] = _gap(rng.choice(DRUG, N), there[i] & (k + male > j))


def _waves(rng: np.random.Generator, c: dict[str, np.ndarray]) -> None:
    """Postal and web waves 1 to 8."""
    age0, poor, smk = c["_age"], c["_poor"], c["p20116"] == "Current"
    low = 0.45 * poor + rng.normal(0, 0.9, N) - 0.25 * c["p31"]
    stay, luck = np.ones(N, bool), {r[0]: rng.random(N) for r in _rows(WAVE)}
    for w in range(1, NW + 1):
        iw = np.datetime64("2008-04-01", "ns") + (731 * (w - 1) + rng.integers(0, 300, N)) * DAY
        keep = rng.random(N) < (1 if w == 1 else 0.945 - 0.03 * smk)
        stay = stay & keep & ~(c["p40000"] < iw)
        c[f"inw{w}"], c[f"r{w}iwdate"] = stay.astype(int), _gap(iw, stay)
        mode = rng.choice(np.array([*"PTW"], object), N, p=[0.8 - 0.08 * w, 0.1, 0.1 + 0.08 * w])
        c[f"r{w}mode"] = _gap(mode, stay)
        c[f"r{w}proxy"] = _gap(np.where(rng.random(N) < 0.97, "N", "Y").astype(object), stay)
        c[f"r{w}wtresp"] = _gap(np.round(rng.lognormal(7, 0.4, N)), stay)
        own = 175000 + 9000 * w - 42000 * poor + 60000 * (c["region"] == "SE")
        for st, mu in [
            ("itot", 31000 - 5200 * poor + 500 * w),
            ("atoth", own),
            ("adebt", 2500),
            ("atotb", own * 1.4),
            ("hhres", 2.4),
            ("child", 2.1),
            ("amort", 30000),
        ]:
            x = mu * rng.lognormal(0, 0.35, N) if st[0] in "ia" else rng.normal(mu, 1, N)
            x = np.round(np.abs(x), -2 if st[0] in "ia" else 0)
            c[f"h{w}{st}"] = _gap(np.maximum(x, st == "hhres"), stay & (rng.random(N) < 0.93))
        for st, x in [
            ("shlt", rng.integers(1, 6, N)),
            ("agey_m", age0 + 2 * w),
            ("lbrf", rng.integers(1, 6, N)),
            ("iearn", rng.gamma(2, 9000, N).round(-2)),
        ]:
            c[f"s{w}{st}"] = _gap(x, stay & (poor < 0.6))
        for st, kind, nums in _rows(WAVE):
            z, u = [float(x) for x in nums.split(",")], rng.normal(0, 1, N)
            if kind == "m":
                bad = low if st in ("lone", "doctim", "hspnit") else -low
                jump = {"satlife": -0.6, "lone": 0.9}.get(st, 0) * (w == 7)
                v = z[0] + z[2] * (w - 1) + jump + z[1] * (0.7 * u + 0.45 * bad)
                lo, hi = CLIP.get(st, (0, np.inf))
                v = np.clip(np.round(v, int(z[3])) + 0.0, lo, hi)
            elif kind == "c":
                tilt = low if st == "shlt" else 0.05 * (age0 - 60 + 2 * w)
                v = np.digitize(u + tilt, np.linspace(-1.6, 1.6, int(z[0]) - 1)) + 1
                v = np.array([0, 1, 2, 4, 5, 7, 8])[v] if st == "mstat" else v
            else:
                hit = z[0] * (1 + 0.05 * (w - 1)) * (1 + 0.02 * (age0 - 55)) * (1 + 0.2 * low)
                ever = st[-1] == "e" or st in ("smokev", "cancre", "arthre")
                v = ((luck[st] if ever else rng.random(N)) < np.clip(hit, 0.003, 0.97)).astype(int)
            c[f"r{w}{st}"] = _gap(v, stay & (rng.random(N) < 0.97))
        c[f"r{w}lblb"] = np.round(c[f"r{w}weight"] * 2.2046)
        for st, k, waves, top, fmt in [x for x in ITEMS if w in x[2]]:
            tot = np.zeros(N)
            for j in range(1, k + 1):
                x = low * 0.6 + rng.normal(0, 0.8, N) + 0.5 * (w == 7) * (st in ("cesd", "scghq"))
                x = -x if st in ("swls", "casp", "act") else x
                v = np.clip(np.round((top + 1) / 2 - 0.4 + x * top / 5), 1, top)
                v = (rng.random(N) < 0.03 + 0.01 * j) * 1 if top == 2 else v
                num = "abcdefghijkl"[j - 1] if fmt == "abc" else fmt.format(j)
                c[f"r{w}{st}{num}"] = _gap(v, stay & (rng.random(N) < 0.96))
                tot = tot + v
            if st in ("cesd", "casp"):
                c[f"r{w}{st}"] = _gap(tot - k, stay)


def make(seed: int = 0) -> pd.DataFrame:
    """Build the table: 900 participants x 1,787 columns."""
    rng = np.random.default_rng(seed)
    c: dict[str, np.ndarray] = {"eid": 1000000 + rng.permutation(N) * 7 + 13}
    c["hhidpn"], c["p31"] = 300000 + np.arange(N) * 10 + 1, rng.binomial(1, 0.46, N)
    c["_age"], c["_poor"] = np.round(rng.uniform(40, 70, N)), rng.normal(0, 1, N)
    c["_day"] = np.datetime64("2007-02-01", "ns") + rng.integers(0, 1100, N) * DAY
    for part in (_singles, _clinic, _waves):
        part(rng, c)
    return pd.DataFrame(
        {
            k: pd.Series(v, dtype=object if v.dtype.kind == "O" else None)
            for k, v in c.items()
            if k[0] != "_"
        }
    )
