"""Synthetic European airports: 600 rows and 905 columns, one row an airport."""

from pathlib import Path

import numpy as np
import pandas as pd

MON = [(y, m) for y in range(2017, 2023) for m in range(1, 13)]
QTR = [(y, q) for y in range(2017, 2023) for q in range(1, 5)]
YR = list(range(2017, 2023))
MN = [
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
CTRY = {
    "DE": ("Germany", "ED"),
    "FR": ("France", "LF"),
    "ES": ("Spain", "LE"),
    "IT": ("Italy", "LI"),
    "GB": ("United Kingdom", "EG"),
    "NL": ("Netherlands", "EH"),
    "PL": ("Poland", "EP"),
    "SE": ("Sweden", "ES"),
    "NO": ("Norway", "EN"),
    "FI": ("Finland", "EF"),
    "GR": ("Greece", "LG"),
    "PT": ("Portugal", "LP"),
    "AT": ("Austria", "LO"),
    "CH": ("Switzerland", "LS"),
    "TR": ("Türkiye", "LT"),
    "RO": ("Romania", "LR"),
    "IE": ("Ireland", "EI"),
    "DK": ("Denmark", "EK"),
    "BE": ("Belgium", "EB"),
    "CZ": ("Czechia", "LK"),
    "HR": ("Croatia", "LD"),
    "IS": ("Iceland", "BI"),
}
W = [
    0.1,
    0.12,
    0.1,
    0.09,
    0.1,
    0.03,
    0.05,
    0.05,
    0.07,
    0.03,
    0.05,
    0.03,
    0.02,
    0.02,
    0.05,
    0.02,
    0.02,
    0.02,
    0.01,
    0.01,
    0.01,
    0.0,
]
SURF = "ASP = asphalt, CON = concrete, GRS = grass, GVL = gravel"


def build():
    """Build the table and the description of each column."""
    r = np.random.default_rng(90210)
    n = 600
    C = {}
    D = {}

    def put(c, v, d):
        C[c] = v
        D[c] = d

    def miss(x, p):
        x = np.asarray(x, float).copy()
        x[r.random(n) < p] = np.nan
        return x

    codes = list(CTRY)
    w = np.array(W)
    w[-1] = 0.02
    w = w / w.sum()
    ct = r.choice(codes, n, p=w)
    L = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def uniq(k, pre=None):
        out, seen = [], set()
        for i in range(n):
            while True:
                s = (pre[i] if pre else "") + "".join(r.choice(list(L), k))
                if s not in seen:
                    seen.add(s)
                    out.append(s)
                    break
        return out

    iata = uniq(3)
    icao = uniq(2, [CTRY[c][1] for c in ct])
    x1 = [
        "Bran",
        "Kel",
        "Mor",
        "Sten",
        "Val",
        "Hal",
        "Tor",
        "Lin",
        "Mar",
        "Cas",
        "Fer",
        "Gol",
        "Ost",
        "Ner",
        "Pel",
        "Rud",
        "Sal",
        "Tre",
        "Ulv",
        "Ver",
        "Wes",
        "Zan",
        "Aren",
        "Bel",
        "Dor",
    ]
    x2 = [
        "dorf",
        "ville",
        "mont",
        "berg",
        "haven",
        "minster",
        "stad",
        "ona",
        "eda",
        "ford",
        "burg",
        "porto",
        "vik",
        "lund",
        "ach",
        "ora",
        "field",
        "nes",
    ]
    allc = [a + b for a in x1 for b in x2] + [
        p + " " + a + b for p in ("Sankt", "Nova") for a in x1 for b in x2
    ]
    city = [allc[i] for i in r.permutation(len(allc))[:n]]
    size = r.normal(11.0, 1.9, n)  # log monthly passengers
    size = np.where(size > 14.6, 14.6 + (size - 14.6) * 0.35, size)
    rank = size.argsort()[::-1].argsort()
    hub = np.where(rank < 32, "L", np.where(rank < 90, "M", np.where(rank < 210, "S", "N")))
    put("iata_cd", iata, "Three-letter IATA location code")
    put("icao_cd", icao, "Four-letter ICAO location indicator")
    put(
        "apt_name",
        [
            f"{c} {'International Airport' if h in 'LM' else 'Regional Airport' if h == 'S' else 'Airport' if r.random() < 0.6 else 'Airfield'}"
            for c, h in zip(city, hub)
        ],
        "Official name of the airport",
    )
    put("city_served", city, "Main city served")
    put("iso_ctry", ct, "Country, ISO 3166-1 alpha-2 code, e.g. DE = Germany, FR = France")
    put("ctry_name", [CTRY[c][0] for c in ct], "Country name in English")
    put("lat_dd", r.uniform(36, 68, n).round(4), "Latitude, decimal degrees")
    put("lon_dd", r.uniform(-20, 35, n).round(4), "Longitude, decimal degrees")
    put(
        "elev_ft",
        np.clip(r.gamma(1.2, 480, n), 3, 6500).round(0),
        "Elevation above mean sea level, feet",
    )
    put("hub_cat", hub, "Hub category: L = large hub, M = medium hub, S = small hub, N = non-hub")
    put(
        "own_cd",
        r.choice(["P", "R", "J", "M"], n, p=[0.6, 0.2, 0.15, 0.05]),
        "Ownership: P = public authority, R = private, J = joint public-private, M = military, shared use",
    )
    put(
        "stat_cd",
        r.choice(["O", "S", "T"], n, p=[0.9, 0.07, 0.03]),
        "Operating status: O = open all year, S = seasonal, T = temporarily closed",
    )
    put(
        "slot_lvl",
        np.where(
            hub == "L",
            r.choice([2, 3], n, p=[0.2, 0.8]),
            np.where(
                hub == "M",
                r.choice([1, 2, 3], n, p=[0.3, 0.4, 0.3]),
                r.choice([1, 2], n, p=[0.95, 0.05]),
            ),
        ),
        "Slot coordination level: 1 = non-coordinated, 2 = schedules facilitated, 3 = fully coordinated",
    )
    put(
        "arff_cat",
        np.clip(np.round(size - 4 + r.normal(0, 0.8, n)), 1, 10),
        "Rescue and fire-fighting category, 1 (lowest) to 10",
    )
    od = pd.to_datetime("1925-01-01") + pd.to_timedelta(r.integers(0, 32000, n), unit="D")
    od = pd.Series(od.strftime("%Y-%m-%d"))
    od[r.random(n) < 0.06] = None
    put("open_dt", od.values, "Date opened to civil traffic (YYYY-MM-DD)")
    put(
        "dist_city_km",
        miss(np.clip(r.gamma(2.5, 5, n), 1, 90).round(1), 0.02),
        "Distance to centre of main city, km",
    )
    put(
        "n_term",
        np.clip(np.round((size - 9) / 1.6), 1, 6).astype(int),
        "Number of passenger terminals",
    )
    put(
        "n_gates",
        miss(np.clip(np.round(np.exp(size - 10.2) * 1.6 + r.normal(2, 1, n)), 1, 190), 0.03),
        "Number of boarding gates",
    )
    put(
        "n_stands",
        miss(np.clip(np.round(np.exp((size - 9) * 0.8) * 1.6 + 4), 2, 300), 0.03),
        "Number of aircraft parking stands",
    )
    put(
        "n_park_sp",
        miss(np.clip(np.round(np.exp(size * 0.62) * r.uniform(1, 3, n)), 20, 60000), 0.04),
        "Car parking spaces, public",
    )
    nr = np.where(
        hub == "L",
        r.choice([2, 3, 4], n, p=[0.5, 0.3, 0.2]),
        np.where(
            hub == "M",
            r.choice([1, 2, 3], n, p=[0.45, 0.45, 0.1]),
            r.choice([1, 2], n, p=[0.85, 0.15]),
        ),
    )
    put("n_rwy", nr, "Number of runways in use")
    for k in range(1, 5):
        ok = nr >= k
        nm = "main runway" if k == 1 else f"runway {k}"
        put(
            f"rwy{k}_len_m",
            np.where(
                ok,
                np.clip(
                    800 + (size - 6) * 300 - (k - 1) * 250 + r.normal(0, 220, n), 600, 4200
                ).round(0),
                np.nan,
            ),
            f"Length of {nm}, metres",
        )
        put(
            f"rwy{k}_wid_m",
            np.where(ok, r.choice([30, 45, 60], n, p=[0.35, 0.55, 0.1]), np.nan),
            f"Width of {nm}, metres",
        )
        sf = np.where(
            np.isin(hub, ["L", "M"]),
            r.choice(["ASP", "CON"], n),
            r.choice(["ASP", "CON", "GRS", "GVL"], n, p=[0.62, 0.18, 0.13, 0.07]),
        )
        put(f"rwy{k}_surf", np.where(ok, sf, None), f"Surface of {nm}: {SURF}")
        put(
            f"rwy{k}_ils",
            np.where(
                ok,
                np.where(
                    r.random(n) < np.clip((size - 8) / 4, 0.1, 0.97), r.choice([1, 2, 3], n), 0
                ),
                np.nan,
            ),
            f"Instrument landing system on {nm}: 0 = none, 1 = category I, 2 = category II, 3 = category III",
        )
        put(
            f"rwy{k}_lit",
            np.where(ok, (r.random(n) < 0.85) * 1.0, np.nan),
            f"{nm.capitalize()} lit at night: 1 = yes, 0 = no",
        )
        put(
            f"rwy{k}_resurf_yr",
            miss(np.where(ok, r.integers(1990, 2023, n), np.nan), 0.08),
            f"Year {nm} was last resurfaced",
        )
    s = 1 / (1 + np.exp(-(size - 11.3) * 1.2))
    F = {}
    for nm, p, d in [
        ("customs", 0.15 + 0.8 * s, "Customs post"),
        ("immig", 0.15 + 0.75 * s, "Passport control"),
        ("deice", 0.55, "Aircraft de-icing pads"),
        ("raillnk", 0.03 + 0.6 * s, "Rail link to the city"),
        ("metro", 0.02 + 0.25 * s, "Metro or tram stop"),
        ("hotel", 0.05 + 0.75 * s, "Hotel on site"),
        ("lounge", 0.1 + 0.8 * s, "Business lounge"),
        ("cargoterm", 0.1 + 0.7 * s, "Separate cargo terminal"),
        ("coldstore", 0.05 + 0.4 * s, "Cold store for perishable freight"),
        ("animal", 0.05 + 0.3 * s, "Animal inspection post"),
        ("hangar", 0.7, "Maintenance hangar"),
        ("fuelja1", 0.85, "Jet A-1 fuel sold"),
        ("fuelavgas", 0.6, "Avgas sold"),
        ("saf", 0.02 + 0.3 * s, "Sustainable aviation fuel offered"),
        ("twr", 0.4 + 0.55 * s, "Air traffic control tower"),
        ("rtwr", 0.06, "Remotely operated tower"),
        ("radar", 0.2 + 0.6 * s, "Approach radar"),
        ("metoff", 0.4, "Weather office on site"),
        ("wifi", 0.6 + 0.35 * s, "Free wireless internet"),
        ("evchg", 0.3 + 0.5 * s, "Electric car charging"),
        ("solar", 0.22, "Solar power plant on site"),
        ("chapel", 0.02 + 0.6 * s, "Chapel or prayer room"),
        ("playarea", 0.1 + 0.6 * s, "Children's play area"),
        ("pharm", 0.02 + 0.6 * s, "Pharmacy"),
        ("medctr", 0.1 + 0.5 * s, "Medical centre"),
        ("dutyfree", 0.1 + 0.8 * s, "Duty-free shop"),
        ("carhire", 0.4 + 0.55 * s, "Car hire desks"),
        ("flysch", 0.35, "Flying school"),
        ("heli", 0.3, "Helicopter base"),
        ("milbase", 0.1, "Military base on the same field"),
        ("jetbrdg", 0.1 + 0.85 * s, "Passenger boarding bridges"),
        ("sauna", 0.01, "Public sauna"),
        ("smokrm", 0.25, "Smoking room"),
        ("biomgate", 0.05 + 0.6 * s, "Biometric gates"),
        ("bagauto", 0.05 + 0.7 * s, "Automated baggage system"),
        ("viewdeck", 0.3, "Public viewing deck"),
    ]:
        F[nm] = (r.random(n) < p).astype(float)
        put("fac_" + nm, miss(F[nm], 0.02), f"{d}: 1 = yes, 0 = no")
    for nm, p, d in [
        ("nightcurf", 0.1 + 0.3 * s, "Night curfew in force"),
        ("noisefee", 0.1 + 0.4 * s, "Noise-related landing charge"),
        ("schengen", 0.6, "Schengen flights handled"),
        ("lowcost", 0.3 + 0.3 * s, "Base of a low-cost carrier"),
        ("pso", 0.25 * (1 - s) + 0.02, "Public service obligation route"),
        ("chtr", 0.45, "Regular charter flights"),
        ("h24", 0.1 + 0.4 * s, "Open round the clock"),
        ("prm", 0.7, "Assistance for passengers with reduced mobility"),
        ("unaccmin", 0.4, "Service for unaccompanied minors"),
        ("bagdrop", 0.1 + 0.6 * s, "Self-service bag drop"),
        ("fasttrk", 0.05 + 0.7 * s, "Fast-track security lane"),
        ("coviDtest", 0.3, "Covid-19 test centre, 2020 to 2022"),
    ]:
        put(
            "svc_" + nm.lower(),
            np.where(r.random(n) < 0.03, None, np.where(r.random(n) < p, "Y", "N")),
            f"{d}: Y = yes, N = no",
        )
    # monthly
    seas = np.array([0.78, 0.78, 0.9, 1, 1.06, 1.15, 1.28, 1.3, 1.1, 1.02, 0.82, 0.81])
    cov = {}
    for y, m in MON:
        cov[y, m] = 1 + 0.035 * (y - 2017) if y < 2020 else 1.1
        if y == 2020:
            cov[y, m] = [1.05, 1.02, 0.45, 0.03, 0.04, 0.12, 0.32, 0.36, 0.28, 0.22, 0.15, 0.17][
                m - 1
            ]
        if y == 2021:
            cov[y, m] = 0.15 + 0.055 * m
        if y == 2022:
            cov[y, m] = 0.62 + 0.03 * m
    g = r.normal(0, 0.04, n)
    south = np.isin(ct, ["ES", "GR", "PT", "IT", "HR", "TR"])
    intl_sh = np.clip(0.35 + 0.3 * s + r.normal(0, 0.1, n), 0.02, 0.97)
    noday = r.random(n) < 0.05
    P = {}
    for y, m in MON:
        se = 1 + (seas[m - 1] - 1) * np.where(south, 1.7, 0.8)
        P[y, m] = np.round(
            np.exp(size) * se * cov[y, m] * (1 + g) ** (y - 2017) * r.normal(1, 0.05, n).clip(0.7)
        )
    mask = {t: (r.random(n) < 0.015) | (noday & (t[0] < 2019)) for t in MON}
    intl = {t: np.round(P[t] * np.clip(intl_sh + r.normal(0, 0.02, n), 0.01, 0.99)) for t in MON}

    def lab(t):
        return f"{MN[t[1] - 1]} {t[0]}"

    def cc(p, t):
        return f"{p}_{t[0]}m{t[1]:02d}"

    for t in MON:
        put(
            cc("pax", t),
            np.where(mask[t], np.nan, P[t]),
            f"Passengers handled (arriving and departing), {lab(t)}",
        )
    for t in MON:
        put(
            cc("pax_intl", t),
            np.where(mask[t], np.nan, intl[t]),
            f"of which international passengers, {lab(t)}",
        )
    for t in MON:
        put(
            cc("pax_dom", t),
            np.where(mask[t], np.nan, P[t] - intl[t]),
            f"of which domestic passengers, {lab(t)}",
        )
    nofr = r.random(n) < 0.2 * (1 - s)
    fr0 = np.exp(size - 5.2 + r.normal(0, 1.0, n)) * (1 + 2 * F["cargoterm"])
    for t in MON:
        k = 1.08 if t[0] == 2021 else 0.8 if t[0] == 2020 and 3 <= t[1] <= 6 else 1
        put(
            cc("frt_t", t),
            miss(np.where(nofr, np.nan, (fr0 * k * r.normal(1, 0.08, n).clip(0.6)).round(1)), 0.03),
            f"Freight loaded and unloaded, tonnes, {lab(t)}",
        )
    for t in MON:
        put(
            cc("mov", t),
            miss(
                np.round(
                    P[t]
                    / np.clip(40 + (size - 8) * 14, 30, 160)
                    / np.clip(cov[t], 0.35, 1) ** 0.4
                    * 0.8
                    + 20
                ),
                0.015,
            ),
            f"Aircraft movements (landings and take-offs), {lab(t)}",
        )
    for t in MON:
        put(
            cc("cxl", t),
            miss(
                r.poisson(
                    (P[t] / 90 * 0.012 + 0.2)
                    * (3.2 if t[1] in (1, 2, 12) else 1)
                    * (4 if t == (2020, 3) else 1)
                ),
                0.03,
            ),
            f"Flights cancelled, {lab(t)}",
        )
    for t in MON:
        put(
            cc("otp_pct", t),
            miss(
                np.clip(
                    84
                    - s * 8
                    - (7 if t[1] in (7, 8) else 0)
                    - (6 if t[0] == 2022 else 0)
                    + (6 if t[0] == 2020 else 0)
                    + r.normal(0, 4, n),
                    30,
                    100,
                ).round(1),
                0.04,
            ),
            f"Flights departing within 15 minutes of schedule, percent, {lab(t)}",
        )
    for y, q in QTR:
        pq = sum(P[y, m] for m in range(3 * q - 2, 3 * q + 1)) / 90
        for c, d, wt in [
            ("carr", "the airline", 0.055),
            ("wx", "weather", 0.02 * (2.4 if q in (1, 4) else 1)),
            ("atc", "air traffic control", 0.03 * (1.8 if q == 3 else 1)),
            ("sec", "security", 0.004),
            ("late", "late arrival of the aircraft", 0.06),
        ]:
            k = r.poisson(pq * wt + 0.3)
            mk = r.random(n) < 0.03
            put(
                f"dly_{c}_n_{y}q{q}",
                np.where(mk, np.nan, k),
                f"Flights delayed 15 minutes or more by {d}, {y} quarter {q}",
            )
            put(
                f"dly_{c}_min_{y}q{q}",
                np.where(mk, np.nan, np.round(k * r.gamma(6, 6.5, n))),
                f"Minutes of delay caused by {d}, {y} quarter {q}",
            )
    for y in YR:
        pa = sum(P[y, m] for m in range(1, 13))
        put(
            f"rev_aero_keur_{y}",
            miss((pa * 9.2 / 1000 * r.normal(1, 0.1, n)).round(1), 0.05),
            f"Aeronautical revenue, thousand euro, {y}",
        )
        put(
            f"rev_comm_keur_{y}",
            miss((pa * 5.1 / 1000 * r.normal(1, 0.15, n)).round(1), 0.05),
            f"Commercial (shops, parking, property) revenue, thousand euro, {y}",
        )
        put(
            f"opex_keur_{y}",
            miss((np.exp(size) * 12 * 7.4 / 1000 * r.normal(1, 0.1, n) + 900).round(1), 0.05),
            f"Operating cost, thousand euro, {y}",
        )
        put(
            f"staff_fte_{y}",
            miss(np.round(np.exp(size) * 12 / 11000 + 14), 0.04),
            f"Staff of the airport operator, full-time equivalents, {y}",
        )
        put(
            f"bird_strk_{y}",
            miss(r.poisson(np.exp(size) * 12 / 160000 + 1.1), 0.05),
            f"Bird strikes reported, {y}",
        )
        put(
            f"noise_cmpl_{y}",
            miss(r.poisson(np.exp((size - 8) * 0.9) * 2 + 1), 0.08),
            f"Noise complaints received, {y}",
        )
        put(
            f"co2_kt_{y}",
            miss(
                (np.exp(size) * 12 / 1e6 * 1.9 + 0.1).round(2) * r.normal(1, 0.05, n).round(2), 0.07
            ),
            f"Carbon dioxide from airport operations, thousand tonnes, {y}",
        )
        put(
            f"mail_t_{y}",
            miss((fr0 * 0.6 * r.normal(1, 0.2, n).clip(0.2)).round(1), 0.15),
            f"Mail, tonnes, {y}",
        )
        put(
            f"elec_gwh_{y}",
            miss((np.exp(size) * 12 / 1e6 * 5.5 + 0.4).round(2), 0.06),
            f"Electricity used by the airport, gigawatt-hours, {y}",
        )
        put(
            f"water_m3_{y}",
            miss((np.exp(size) * 12 * 0.013 + 900).round(0), 0.07),
            f"Drinking water used, cubic metres, {y}",
        )
        put(
            f"dest_n_{y}",
            miss(
                np.clip(
                    np.round(np.exp((size - 7.5) * 0.75) * (0.6 if y in (2020, 2021) else 1)),
                    1,
                    330,
                ),
                0.04,
            ),
            f"Destinations with scheduled direct flights, {y}",
        )
    put(
        "ldg_fee_eur_t",
        miss(np.clip(r.normal(9, 2.5, n) + s * 4, 1, 30).round(2), 0.06),
        "Landing charge, euro per tonne of maximum take-off weight",
    )
    put(
        "pax_fee_eur",
        miss(np.clip(r.normal(10, 3, n) + s * 6, 1, 40).round(2), 0.06),
        "Passenger service charge, euro per departing passenger",
    )
    return pd.DataFrame(C), D


def make():
    """Build the table, the same at every call."""
    return build()[0]


def dictionary():
    """Describe the columns, one row a column."""
    return pd.DataFrame(build()[1].items(), columns=["column", "description"])


if __name__ == "__main__":
    dictionary().to_csv(Path(__file__).parent / "dictionary.csv", index=False)
