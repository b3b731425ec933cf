"""Synthetic stations of a city bike-share: 800 rows and 986 columns, one row a station."""

from pathlib import Path

import numpy as np
import pandas as pd

N = 800
DIST = [
    "Harbourside",
    "Old Town",
    "Northgate",
    "Mill Park",
    "Riverside West",
    "Castle Hill",
    "University Quarter",
    "Eastfield",
    "Southbank",
    "Brookvale",
    "Airport & Docks",
]
MON = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
TYPES = {
    "F1": "fixed dock station, grid power",
    "F2": "fixed dock station, portable base",
    "H2": "mobility hub with multiple modes",
    "V1": "virtual station (painted bay, no docks)",
    "S9": "seasonal station",
}
AMEN = {
    "shelter": "a roofed shelter over the docks",
    "lighting": "its own street lighting",
    "repair_stand": "a public repair stand with tools",
    "air_pump": "a public air pump",
    "kiosk": "a payment kiosk (terminal)",
    "cctv": "CCTV coverage",
    "map_panel": "a city map panel",
    "ebike_chg": "charging docks for e-bikes",
    "step_free": "step-free access",
    "locker": "luggage lockers",
    "bench": "a bench",
    "drink_ftn": "a drinking fountain",
    "wifi": "public wi-fi",
    "cargo_bay": "a bay for cargo bikes",
    "child_seat": "bikes with child seats",
    "helmet_vend": "a helmet vending machine",
    "toilet": "a public toilet within the site",
    "planter": "green planters",
    "wayfind": "a wayfinding totem",
    "rt_display": "a real-time availability display",
    "audio": "audio announcements",
    "ev_car": "an electric car charger alongside",
    "scooter": "parking for shared scooters",
    "ad_panel": "an advertising panel",
    "litter": "a litter bin",
}
NEAR = {
    "metro": "metro or railway station",
    "bus": "bus stop",
    "tram": "tram stop",
    "school": "school",
    "park": "park entrance",
    "hosp": "hospital",
    "univ": "university building",
    "mall": "shopping centre",
    "lib": "library",
    "cyclane": "segregated cycle lane",
    "stadium": "stadium",
    "pool": "swimming pool",
}
WD = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WDN = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"]


def build():
    """Build the table and the description of each column."""
    r = np.random.default_rng(71031)
    c = {}
    d = {}

    def add(k, v, t):
        c[k] = v
        d[k] = t

    di = r.choice(len(DIST), N, p=[0.13, 0.1, 0.11, 0.09, 0.08, 0.07, 0.12, 0.1, 0.09, 0.07, 0.04])
    dist = np.array(DIST)[di]
    add(
        "stn_id",
        [f"BK{n:04d}" for n in r.permutation(np.arange(1001, 1001 + N))],
        "Unique station identifier",
    )
    A = [
        "Abbey",
        "Baker",
        "Canal",
        "Dean",
        "Elm",
        "Foundry",
        "Grange",
        "Hope",
        "Ivy",
        "Jubilee",
        "Kiln",
        "Lark",
        "Market",
        "Nelson",
        "Orchard",
        "Priory",
        "Quarry",
        "Rope",
        "Station",
        "Tanner",
        "Union",
        "Victoria",
        "Weaver",
        "Yew",
        "Chapel",
        "Linden",
        "Gasworks",
        "Minster",
        "Poplar",
        "Saddler",
    ]
    B = ["St", "Rd", "Sq", "Ln", "Bridge", "Quay", "Gate", "Terrace", "Green", "Cross"]
    C = ["Hope St", "Ring Rd", "Canal Path", "King's Way", "Queen's Way"]
    nm = [f"{a} {b}" for a in A for b in B] + [f"{a} {b} / {k}" for a in A for b in B for k in C]
    add("stn_name", r.permutation(nm)[:N], "Public name of the station")
    ty = r.choice(list(TYPES), N, p=[0.5, 0.2, 0.12, 0.1, 0.08])
    add(
        "stn_type_cd", ty, "Station type code: " + "; ".join(f"{k} = {v}" for k, v in TYPES.items())
    )
    add(
        "stat_cd",
        r.choice(["A", "T", "R", "P"], N, p=[0.82, 0.08, 0.06, 0.04]),
        "Operational status code on extract date: A = active; T = temporarily closed; R = removed; P = planned relocation",
    )
    add("district", dist, "City district in which the station lies")
    add("ward_no", di * 3 + r.integers(1, 4, N), "Electoral ward number")
    add("lat", np.round(51.4 + 0.01 * di + r.normal(0, 0.004, N), 5), "Latitude, WGS84")
    add("lon", np.round(-2.6 + 0.012 * di + r.normal(0, 0.004, N), 5), "Longitude, WGS84")
    elev = np.round(np.clip(r.gamma(3, 9, N) + np.where(dist == "Castle Hill", 60, 0), 1, None), 1)
    add("elev_m", elev, "Elevation above sea level, metres")
    t0 = pd.Timestamp("2015-04-01")
    span = (pd.Timestamp("2023-06-30") - t0).days
    op = t0 + pd.to_timedelta(
        (r.beta(0.9, 2.2, N) * span).astype(int) + r.integers(0, 9, N), unit="D"
    )
    op = pd.Series(op)
    op.iloc[37] = pd.Timestamp("2015-03-17")
    add("open_dt", op.dt.strftime("%Y-%m-%d").values, "Date the station opened to the public")
    pw = np.where(ty == "F1", "G", r.choice(["S", "B", "G"], N, p=[0.55, 0.25, 0.2]))
    add("pwr_src_cd", pw, "Power source code: G = grid; S = solar; B = replaceable battery")
    add(
        "surf_cd",
        r.choice([1, 2, 3], N, p=[0.6, 0.3, 0.1]),
        "Installation surface code: 1 = carriageway; 2 = footway; 3 = private land",
    )
    oper = r.choice(
        ["CityCycle Ltd", "Pedalo Mobility", "Municipal Works"], N, p=[0.55, 0.3, 0.15]
    ).astype(object)
    oper[r.random(N) < 0.02] = None
    add("operator", oper, "Company that maintains the station")
    spon = r.choice(["Northern Bank", "Brightwater", "Halden Insurance"], N).astype(object)
    spon[r.random(N) < 0.7] = None
    add("sponsor", spon, "Sponsor whose name appears on the station, blank if none")
    dock = np.where(
        ty == "V1", 0, np.clip(r.poisson(np.where(ty == "H2", 34, 19), N), 6, 60)
    ).astype(float)
    add("dock_cnt", dock, "Number of docks installed at extract date")
    for y in range(2018, 2024):
        v = np.where(
            op.dt.year.values <= y,
            np.maximum(dock - r.choice([0, 0, 0, 2, 4], N) * (dock > 12) * (y < 2023), 0),
            np.nan,
        )
        add(f"dock_cnt_{y}", v, f"Number of docks installed on 31 December {y}")
    for y in range(2018, 2024):
        add(
            f"dock_oos_{y}",
            np.where(op.dt.year.values <= y, r.poisson(1.2, N), np.nan),
            f"Number of docks out of service on 31 December {y}",
        )
    for k, t in AMEN.items():
        p = {
            "shelter": 0.35,
            "lighting": 0.5,
            "kiosk": 0.55,
            "ebike_chg": 0.25,
            "step_free": 0.7,
            "litter": 0.6,
        }.get(k, r.uniform(0.04, 0.35))
        p = np.full(N, p)
        if k in ("repair_stand", "air_pump", "rt_display", "locker", "toilet"):
            p = np.where(ty == "H2", 0.75, p * 0.7)
        v = (r.random(N) < p).astype(float)
        if k in ("audio", "wifi", "toilet"):
            v[r.random(N) < 0.05] = np.nan
        add("amen_" + k, v, f"Amenity flag: 1 if the station has {t}, 0 if not")
    for k, t in NEAR.items():
        v = np.round(
            r.gamma(2, {"metro": 330, "bus": 70, "hosp": 900, "stadium": 1400}.get(k, 280), N)
            * np.where((ty == "H2") & (k == "metro"), 0.3, 1)
        )
        v[r.random(N) < 0.015] = np.nan
        add(f"dist_{k}_m", v, f"Walking distance in metres to the nearest {t}")
    # trips
    base = (
        r.gamma(2.2, 170, N)
        * np.array([1.5, 1.7, 1, 0.8, 0.9, 0.7, 1.6, 0.7, 1.2, 0.6, 0.5])[di]
        * np.where(ty == "H2", 1.7, 1)
        * np.where(ty == "V1", 0.5, 1)
    )
    sea = np.array([0.6, 0.63, 0.8, 0.95, 1.15, 1.3, 1.38, 1.33, 1.2, 1, 0.78, 0.6])
    mem = np.clip(
        np.array([0.6, 0.55, 0.72, 0.7, 0.66, 0.62, 0.82, 0.74, 0.64, 0.7, 0.5])[di]
        + r.normal(0, 0.05, N),
        0.2,
        0.95,
    )
    P = [(y, m) for y in range(2018, 2024) for m in range(1, 13)]
    ST = {}
    S = {k: {} for k in ["end", "mbr", "cas", "eb"]}
    live = {}
    for y, m in P:
        a = (op < pd.Timestamp(y, m, 1)).values
        live[y, m] = a
        cov = {(2020, 3): 0.6, (2020, 4): 0.28, (2020, 5): 0.45, (2020, 6): 0.65}.get((y, m), 1)
        s = (
            sea[m - 1]
            * (1.09 ** (y - 2018))
            * cov
            * np.where(ty == "S9", 1 if 4 <= m <= 10 else 0.02, 1)
        )
        n = r.poisson(base * s * r.lognormal(0, 0.12, N)).astype(float)
        mb = r.binomial(
            n.astype(int), np.clip(mem - 0.12 * (sea[m - 1] - 1) - 0.015 * (y - 2018), 0.05, 0.98)
        ).astype(float)
        e = r.poisson(n * np.clip(1.12 - 0.0045 * elev, 0.4, 1.3) * r.lognormal(0, 0.05, N)).astype(
            float
        )
        eb = r.binomial(n.astype(int), 0.05 + 0.06 * (y - 2018) + 0.1 * c["amen_ebike_chg"]).astype(
            float
        )
        x = ~a | (r.random(N) < 0.008)
        xe = ~a | (r.random(N) < 0.012)
        ST[y, m] = np.where(x, np.nan, n)
        S["mbr"][y, m] = np.where(x, np.nan, mb)
        S["cas"][y, m] = np.where(x, np.nan, n - mb)
        S["eb"][y, m] = np.where(x, np.nan, eb)
        S["end"][y, m] = np.where(xe, np.nan, e)

    def nmm(y, m):
        return f"{MON[m - 1]} {y}"

    for y, m in P:
        add(
            f"trips_start_{y}_{m:02d}",
            ST[y, m],
            f"Trips started at the station in {nmm(y, m)}, all riders",
        )
    for y, m in P:
        add(
            f"trips_end_{y}_{m:02d}",
            S["end"][y, m],
            f"Trips ended at the station in {nmm(y, m)}, all riders",
        )
    for y, m in P:
        add(
            f"trips_start_mbr_{y}_{m:02d}",
            S["mbr"][y, m],
            f"Trips started in {nmm(y, m)} by members (annual or monthly pass)",
        )
    for y, m in P:
        add(
            f"trips_start_cas_{y}_{m:02d}",
            S["cas"][y, m],
            f"Trips started in {nmm(y, m)} by casual riders (no pass)",
        )
    for y, m in P:
        add(
            f"trips_start_ebk_{y}_{m:02d}",
            S["eb"][y, m],
            f"Trips started in {nmm(y, m)} on an e-bike",
        )
    for y in range(2018, 2024):
        add(
            f"trips_start_tot_{y}",
            pd.DataFrame({m: ST[y, m] for m in range(1, 13)}).sum(axis=1, min_count=1).values,
            f"Trips started at the station in calendar year {y}",
        )
    tot = np.nan_to_num(c["trips_start_tot_2023"])
    h = np.arange(24)

    def pk(m, s):
        return np.exp(-((h - m) ** 2) / 2 / s**2)

    ws = pk(8, 1.3) * 1 + pk(17.3, 1.6) * 1.2 + 0.25 * pk(13, 3) + 0.01
    es = pk(14, 3.6) + 0.02
    cbd = np.isin(dist, ["Old Town", "Harbourside", "University Quarter"])
    for se, t in (("start", "started"), ("end", "ended")):
        for w, wt, sh, f in (
            ("wkdy", "weekdays (Mon-Fri)", ws, 0.76),
            ("wknd", "weekends (Sat-Sun)", es, 0.24),
        ):
            sh = sh / sh.sum()
            for k in h:
                ad = (
                    np.where(
                        cbd,
                        1.6 if (se == "end") == (k < 12) else 0.7,
                        0.8 if (se == "end") == (k < 12) else 1.15,
                    )
                    if w == "wkdy"
                    else 1
                )
                add(
                    f"trips_{se}_{w}_h{k:02d}",
                    r.poisson(tot * f * sh[k] * ad * r.lognormal(0, 0.1, N)).astype(float),
                    f"Trips {t} on {wt} in the hour from {k:02d}:00 to {k:02d}:59, calendar year 2023",
                )
    for g, t, sh, q in (
        ("mbr", "members", ws * 0.8 + es * 0.3, mem),
        ("cas", "casual riders", es, 1 - mem),
    ):
        sh = sh / sh.sum()
        for k in h:
            add(
                f"trips_start_{g}_h{k:02d}",
                r.poisson(tot * q * sh[k]).astype(float),
                f"Trips started by {t} in the hour from {k:02d}:00 to {k:02d}:59, all days, calendar year 2023",
            )
    for pre, t, q, wv in (
        ("trips_start", "Trips started", 1, [1, 1.06, 1.08, 1.07, 1.1, 0.9, 0.75]),
        ("trips_end", "Trips ended", 1, [1, 1.05, 1.07, 1.07, 1.12, 0.9, 0.76]),
        ("trips_start_mbr", "Trips started by members", mem, [1.1, 1.2, 1.2, 1.18, 1.1, 0.65, 0.5]),
        (
            "trips_start_cas",
            "Trips started by casual riders",
            1 - mem,
            [0.7, 0.7, 0.75, 0.8, 1, 1.55, 1.48],
        ),
    ):
        wv = np.array(wv) / sum(wv)
        for i, w in enumerate(WD):
            add(
                f"{pre}_{w}",
                r.poisson(tot * q * wv[i] * r.lognormal(0, 0.06, N)).astype(float),
                f"{t} on {WDN[i]}, calendar year 2023",
            )
    fac = np.where(pw == "S", 2.1, np.where(pw == "B", 1.4, 1))
    for y, m in P:
        v = np.round(r.normal(13 + 3 * sea[m - 1] + 4 * (ty == "V1") + 0.05 * elev * 0, 2.2, N), 1)
        v[np.isnan(ST[y, m])] = np.nan
        add(
            f"dur_avg_min_{y}_{m:02d}",
            v,
            f"Average duration in minutes of trips started in {nmm(y, m)}",
        )
    OC = {}
    for y, m in P:
        n = r.poisson(1.1 * fac * (1.5 if m in (12, 1, 2) else 1), N)
        OC[y, m] = n
        add(
            f"outage_cnt_{y}_{m:02d}",
            np.where(live[y, m], n, np.nan),
            f"Number of station outages (whole station offline) in {nmm(y, m)}",
        )
    for y, m in P:
        add(
            f"outage_hrs_{y}_{m:02d}",
            np.where(live[y, m], np.round(OC[y, m] * r.gamma(2, 2.5, N), 1), np.nan),
            f"Hours the whole station was offline (outage) in {nmm(y, m)}",
        )
    for y, m in P:
        add(
            f"empty_hrs_{y}_{m:02d}",
            np.where(live[y, m], np.round(r.gamma(2, 9, N) * (1 + 0.008 * elev), 1), np.nan),
            f"Hours in {nmm(y, m)} with no bike available (station empty)",
        )
    for y, m in P:
        add(
            f"full_hrs_{y}_{m:02d}",
            np.where(live[y, m], np.round(r.gamma(2, 7, N) * np.where(cbd, 1.5, 1), 1), np.nan),
            f"Hours in {nmm(y, m)} with no free dock (station full)",
        )
    for y in range(2018, 2024):
        for q in range(1, 5):
            add(
                f"maint_visits_{y}_q{q}",
                np.where(live[y, 3 * q - 2], r.poisson(3 + 0.5 * fac, N), np.nan),
                f"Maintenance visits in quarter {q} of {y}",
            )
    return pd.DataFrame(c), d


def make():
    """Build the table, the same at every call."""
    return build()[0]


def dictionary():
    """Describe the columns, one row a column."""
    return pd.DataFrame(build()[1].items(), columns=["column", "description"])


if __name__ == "__main__":
    dictionary().to_csv(Path(__file__).parent / "dictionary.csv", index=False)
