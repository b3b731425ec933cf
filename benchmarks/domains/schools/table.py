"""Synthetic school districts of one state: 1,000 rows and 1,134 columns, one row a district."""

import numpy as np
import pandas as pd

YRS = ["1415", "1516", "1617", "1718", "1819", "1920", "2021", "2122", "2223"]
TEST = [2015, 2016, 2017, 2018, 2019, 2021, 2022, 2023]  # no spring tests in 2020
CAL = list(range(2015, 2024))


def make():
    """Build the table, the same at every call."""
    r = np.random.default_rng(4107)
    n = 1000
    C = {}
    a = [
        "Maple",
        "Cedar",
        "Stone",
        "River",
        "Lake",
        "Iron",
        "Fox",
        "Eagle",
        "Clear",
        "Spring",
        "Oak",
        "Pine",
        "Silver",
        "Blue",
        "North",
        "South",
        "West",
        "East",
        "Grand",
        "Pleasant",
        "Elk",
        "Bear",
        "Willow",
        "Prairie",
        "Sand",
    ]
    b = [
        "Grove",
        "Creek",
        "Ridge",
        "Falls",
        "Hollow",
        "Valley",
        "Point",
        "Bluff",
        "Prairie City",
        "Springs",
        "Junction",
        "Harbor",
        "Mills",
        "Ford",
        "Heights",
        "Plains",
        "Forest",
        "Landing",
        "Bend",
        "Crossing",
    ]
    combos = [f"{x} {y}" for x in a for y in b]
    combos = combos + [c.replace(" ", "field ", 1) for c in combos] + [f"New {c}" for c in combos]
    pick = r.permutation(len(combos))[:n]
    dt = r.choice(["UNIF", "ELEM", "HIGH", "CHTR", "COOP"], n, p=[0.62, 0.17, 0.08, 0.10, 0.03])
    suf = {
        "UNIF": "Unified School District",
        "ELEM": "Elementary School District",
        "HIGH": "High School District",
        "CHTR": "Charter Schools",
        "COOP": "Cooperative District",
    }
    counties = [
        "Adair",
        "Barlow",
        "Calder",
        "Denning",
        "Eastman",
        "Fulham",
        "Garrick",
        "Holt",
        "Irwin",
        "Jessup",
        "Kellogg",
        "Lanier",
        "Marsh",
        "Norwood",
        "Orchard",
        "Pickett",
        "Quill",
        "Rowan",
        "Sutter",
        "Tamarack",
        "Underhill",
        "Vance",
        "Wexler",
        "Yarrow",
        "Zeller",
        "Ashby",
        "Brandt",
        "Colfax",
        "Dover",
        "Emmett",
        "Fairbank",
        "Gilmore",
        "Hadley",
        "Ingham",
        "Joslin",
        "Kirby",
    ]
    pc = r.dirichlet(np.ones(len(counties)) * 4)
    ci = r.choice(len(counties), n, p=pc)
    loc = r.choice(["CITY", "SUBURB", "TOWN", "RURAL"], n, p=[0.14, 0.24, 0.22, 0.40])
    C["leaid"] = [f"27{100 + i * 9:05d}" for i in range(n)]
    C["dist_name"] = [f"{combos[p]} {suf[d]}" for p, d in zip(pick, dt)]
    C["county_name"] = [counties[i] for i in ci]
    C["county_fips"] = [f"27{2 * i + 1:03d}" for i in ci]
    C["dist_type_cd"] = dt
    C["locale"] = loc
    C["region_no"] = (ci % 7) + 1
    C["accred_status"] = r.choice(["FULL", "PROV", "WARN", None], n, p=[0.82, 0.10, 0.04, 0.04])
    C["cong_dist"] = r.integers(1, 9, n)
    C["supt_start_yr"] = np.where(r.random(n) < 0.05, np.nan, r.integers(2001, 2024, n))
    C["n_sch_elem"] = 0
    C["n_sch_mid"] = 0
    C["n_sch_high"] = 0
    base = {"CITY": 9.0, "SUBURB": 8.3, "TOWN": 7.2, "RURAL": 6.1}
    size = np.exp(np.array([base[k] for k in loc]) + r.normal(0, 0.65, n))
    size[dt == "CHTR"] *= 0.25
    size = np.clip(size, 60, 60000)
    pov = np.clip(
        np.array([{"CITY": 62, "SUBURB": 30, "TOWN": 47, "RURAL": 50}[k] for k in loc])
        + r.normal(0, 14, n),
        3,
        98,
    )
    growth = (
        r.normal(0.004, 0.018, n)
        + np.where(loc == "SUBURB", 0.016, 0)
        - np.where(loc == "RURAL", 0.009, 0)
    )
    cq = r.normal(0, 6, len(counties))[ci]
    gr_all = ["pk", "kg"] + [f"{g:02d}" for g in range(1, 13)]

    def offered(g):
        if g in ("pk", "kg") or int(g) <= 8:
            return dt != "HIGH"
        return dt != "ELEM"

    def miss(x, p):
        x = np.asarray(x, float).copy()
        x[r.random(n) < p] = np.nan
        return x

    en = {}
    for k, y in enumerate(YRS):
        tot = np.zeros(n)
        covid = 0.965 if y in ("2021", "2122") else 1
        for g in gr_all:
            f = 0.45 if g == "pk" else 1
            v = np.round(size / 13 * f * (1 + growth) ** k * covid * r.normal(1, 0.06, n)).clip(1)
            v = np.where(offered(g), v, np.nan)
            en[g, y] = v
            tot += np.nan_to_num(v)
        en["tot", y] = tot
    for y in YRS:
        m = r.random(n) < 0.012
        for g in gr_all:
            C[f"enr_g{g}_{y}" if g.isdigit() else f"enr_{g}_{y}"] = np.where(m, np.nan, en[g, y])
        C[f"enr_total_{y}"] = np.where(m, np.nan, en["tot", y])
        C[f"enr_male_{y}"] = np.where(m, np.nan, np.round(en["tot", y] * r.normal(0.512, 0.012, n)))
        C[f"enr_female_{y}"] = C[f"enr_total_{y}"] - C[f"enr_male_{y}"]
    C["n_sch_elem"] = np.where(dt == "HIGH", 0, np.ceil(size / 13 * 6 / 420)).astype(int)
    C["n_sch_mid"] = np.where(dt == "HIGH", 0, np.ceil(size / 13 * 3 / 600)).astype(int)
    C["n_sch_high"] = np.where(dt == "ELEM", 0, np.ceil(size / 13 * 4 / 1100)).astype(int)
    # flags
    fl = {}

    def flag(nm, p, pm=0.02):
        v = (r.random(n) < p).astype(float)
        v[r.random(n) < pm] = np.nan
        fl["prog_" + nm] = v
        return np.nan_to_num(v)

    four = flag("4day_week", np.where(loc == "RURAL", 0.27, np.where(loc == "TOWN", 0.08, 0.005)))
    flag("title1", np.where(pov > 40, 0.95, 0.15), 0)
    ell = np.clip(r.gamma(1.4, 4, n) + np.where(loc == "CITY", 9, 0), 0, 70)
    flag("dual_lang", np.clip(0.04 + ell / 40, 0, 0.8))
    flag("ib", np.where(np.isin(loc, ["CITY", "SUBURB"]), 0.22, 0.03) * (dt != "ELEM"))
    flag("gifted", 0.68)
    flag("full_day_kg", 0.85 * (dt != "HIGH"))
    flag("public_prek", 0.55 * (dt != "HIGH"))
    flag("free_meals_all", np.where(pov > 60, 0.8, 0.05))
    flag("after_school", 0.6)
    flag("summer_school", 0.52)
    flag("virtual_school", 0.21)
    flag("alt_school", 0.4)
    flag("night_school", 0.08)
    flag("cte_center", 0.35 * (dt != "ELEM"))
    flag("jrotc", 0.14 * (dt != "ELEM"))
    flag("dual_enroll_college", 0.63 * (dt != "ELEM"))
    flag("sro_police", np.where(loc == "CITY", 0.8, 0.45))
    flag("school_nurse_fulltime", 0.58)
    flag("mental_health_team", 0.44)
    flag("music", 0.9)
    flag("visual_arts", 0.84)
    flag("theater", 0.38)
    flag("orchestra", np.where(loc == "SUBURB", 0.6, 0.2))
    flag("one_to_one_laptops", 0.73)
    flag("breakfast_in_class", 0.33)
    flag("own_buses", 0.57)
    flag("uniforms", np.where(dt == "CHTR", 0.7, 0.06))
    flag("open_enrollment", 0.66)
    flag("ell_newcomer_ctr", 0.12)
    flag("sped_coop_member", 0.37)
    flag("teacher_residency", 0.1)
    flag("year_round_calendar", 0.04)
    C.update(fl)
    # attendance
    ab = 95.2 - pov * 0.045 - four * 0.9
    for k, y in enumerate(YRS):
        dip = {"2021": -1.6, "2122": -2.8, "2223": -2.0}.get(y, 0)
        C[f"att_rate_all_{y}"] = miss(
            np.clip(ab + dip + r.normal(0, 0.9, n), 70, 99.6).round(1), 0.02
        )
        C[f"chron_absent_pct_{y}"] = miss(
            np.clip((100 - ab - dip) * 2.3 + r.normal(0, 2.2, n), 0, 80).round(1), 0.03
        )
    for y in YRS[3:]:
        dip = {"2021": -1.6, "2122": -2.8, "2223": -2.0}.get(y, 0)
        for g in ["kg"] + [f"{g:02d}" for g in range(1, 13)]:
            v = np.clip(
                ab + dip + r.normal(0, 1.3, n) - (1.1 if g in ("09", "10", "11", "12") else 0),
                65,
                100,
            ).round(1)
            C[f"att_rate_{'g' if g.isdigit() else ''}{g}_{y}"] = miss(
                np.where(offered(g), v, np.nan), 0.02
            )
    # tests
    for sub, grs, mu in [
        ("MATH", range(3, 9), 505),
        ("ELA", range(3, 9), 509),
        ("SCI", (5, 8), 502),
    ]:
        for g in grs:
            for y in TEST:
                dip = (-7 if sub == "MATH" else -3) * (1 if y == 2021 else 0.6 if y > 2021 else 0)
                z = mu + (g - 5) * 1.5 - (pov - 45) * 0.42 + cq * 0.5 + dip + r.normal(0, 6, n)
                off = (dt != "HIGH") & (r.random(n) > 0.03)
                nt = np.round(en[f"{g:02d}", YRS[y - 2015]] * r.uniform(0.9, 0.995, n))
                off &= ~(nt < 10)
                C[f"{sub}_G{g}_{y}"] = np.where(off, z.round(1), np.nan)
                C[f"{sub}_G{g}_PPROF_{y}"] = np.where(
                    off, np.clip(50 + (z - mu) * 1.25 + r.normal(0, 3, n), 1, 99).round(1), np.nan
                )
                C[f"{sub}_G{g}_NTEST_{y}"] = np.where(off, nt, np.nan)
    # shares
    whites = np.clip(
        np.array([{"CITY": 38, "SUBURB": 58, "TOWN": 68, "RURAL": 78}[k] for k in loc])
        + r.normal(0, 12, n),
        4,
        96,
    )
    w = r.dirichlet([3, 4, 1.5, 0.6, 1.4], n)
    for k, y in enumerate(YRS):
        wh = np.clip(whites - k * 0.4, 2, 97)
        rs = 100 - wh
        for j, g in enumerate(["black", "hisp", "asian", "amind", "multi"]):
            C[f"pct_{g}_{y}"] = miss((rs * w[:, j]).round(1), 0.015)
        C[f"pct_white_{y}"] = miss(wh.round(1), 0.015)
        C[f"pct_frl_{y}"] = miss(
            np.clip(pov + k * 0.3 + r.normal(0, 1.5, n), 0, 100).round(1), 0.02
        )
        C[f"pct_ell_{y}"] = miss(
            np.clip(ell + k * 0.25 + r.normal(0, 0.5, n), 0, 90).round(1), 0.02
        )
        C[f"pct_swd_{y}"] = miss(
            np.clip(13.5 + k * 0.2 + r.normal(0, 2.6, n), 2, 40).round(1), 0.02
        )
        C[f"pct_homeless_{y}"] = miss(
            np.clip(pov * 0.04 + r.normal(0, 0.8, n), 0, 20).round(1), 0.05
        )
        C[f"pct_migrant_{y}"] = miss(np.clip(r.gamma(0.6, 0.8, n), 0, 20).round(1), 0.05)
        C[f"pct_foster_{y}"] = miss(np.clip(r.gamma(1, 0.5, n), 0, 10).round(1), 0.05)
        C[f"pct_gifted_{y}"] = miss(
            np.clip(9 - pov * 0.05 + r.normal(0, 2, n), 0, 40).round(1), 0.04
        )
    # staff
    sal0 = np.array(
        [{"CITY": 58, "SUBURB": 62, "TOWN": 52, "RURAL": 47}[k] for k in loc]
    ) * 1000 + r.normal(0, 3500, n)
    ratio0 = np.array(
        [{"CITY": 17.2, "SUBURB": 17.8, "TOWN": 15.6, "RURAL": 13.1}[k] for k in loc]
    ) + r.normal(0, 1.5, n)
    for k, y in enumerate(YRS):
        e = en["tot", y]
        ra = np.clip(ratio0 + r.normal(0, 0.4, n) - k * 0.05, 6, 30)
        C[f"tch_fte_{y}"] = miss((e / ra).round(1), 0.02)
        C[f"stu_tch_ratio_{y}"] = miss(ra.round(1), 0.02)
        for nm, d in [
            ("para", 60),
            ("couns", 380),
            ("admin", 210),
            ("libr", 900),
            ("nurse", 800),
            ("psych", 1100),
            ("socwk", 1000),
        ]:
            C[f"{nm}_fte_{y}"] = miss((e / d * r.uniform(0.6, 1.4, n)).round(1), 0.03)
        s = sal0 * (1.022**k) + r.normal(0, 600, n)
        C[f"avg_tch_salary_{y}"] = miss(s.round(0), 0.02)
        C[f"tch_turnover_pct_{y}"] = miss(
            np.clip(
                34 - s / 1.022**k / 2600 + r.normal(0, 2.5, n) + (3 if y == "2122" else 0), 1, 60
            ).round(1),
            0.03,
        )
        C[f"tch_exp_yrs_avg_{y}"] = miss(np.clip(r.normal(13, 2.4, n), 2, 25).round(1), 0.03)
    # money
    pp0 = 11500 + np.where(loc == "RURAL", 1900, 0) + pov * 22 + r.normal(0, 1100, n)
    for k, y in enumerate(YRS):
        fy = f"fy{15 + k}"
        e = en["tot", y]
        pp = pp0 * 1.027**k + r.normal(0, 300, n) + (900 if k in (6, 7) else 0)
        t = pp * e
        C[f"exp_total_{fy}"] = miss(t.round(0), 0.015)
        C[f"exp_pp_{fy}"] = miss(pp.round(0), 0.015)
        for nm, sh in [
            ("instr", 0.58),
            ("supp_svc", 0.2),
            ("transp", 0.05),
            ("food", 0.045),
            ("capital", 0.08),
            ("athletics", 0.012),
        ]:
            C[f"exp_{nm}_{fy}"] = miss((t * sh * r.normal(1, 0.08, n)).round(0), 0.02)
        f = np.clip(0.04 + pov / 900 + (0.05 if k in (6, 7, 8) else 0), 0, 0.5)
        local = np.clip(0.55 - pov / 250 + r.normal(0, 0.04, n), 0.05, 0.8)
        C[f"rev_total_{fy}"] = miss((t * 1.02).round(0), 0.015)
        C[f"rev_local_{fy}"] = miss((t * 1.02 * local).round(0), 0.02)
        C[f"rev_fed_{fy}"] = miss((t * 1.02 * f).round(0), 0.02)
        C[f"rev_state_{fy}"] = miss((t * 1.02 * (1 - local - f)).round(0), 0.02)
        C[f"debt_outst_{fy}"] = miss((e * r.gamma(1.5, 6000, n)).round(0), 0.06)
    # outcomes
    hs = dt != "ELEM"
    for k, y in enumerate(CAL):
        gq = 93 - (pov - 40) * 0.17 + cq * 0.25 + k * 0.2 + r.normal(0, 2, n)
        C[f"GRAD4_ALL_{y}"] = miss(np.where(hs, np.clip(gq, 40, 100).round(1), np.nan), 0.03)
        C[f"GRAD5_ALL_{y}"] = miss(np.where(hs, np.clip(gq + 1.8, 40, 100).round(1), np.nan), 0.03)
        for g, d, pm in [
            ("BLACK", -6, 0.25),
            ("HISP", -4.5, 0.18),
            ("WHITE", 1.5, 0.04),
            ("ASIAN", 3, 0.35),
            ("FRL", -5, 0.08),
            ("ELL", -11, 0.3),
            ("SWD", -14, 0.15),
        ]:
            C[f"GRAD4_{g}_{y}"] = miss(
                np.where(hs, np.clip(gq + d + r.normal(0, 2.5, n), 20, 100).round(1), np.nan), pm
            )
        C[f"DROPOUT_{y}"] = miss(
            np.where(hs, np.clip((100 - gq) * 0.22 + r.normal(0, 0.5, n), 0, 30).round(1), np.nan),
            0.04,
        )
        C[f"SAT_AVG_{y}"] = miss(
            np.where(
                hs,
                np.clip(1060 - (pov - 45) * 3.1 + r.normal(0, 35, n), 720, 1450).round(0),
                np.nan,
            ),
            0.17 if y == 2021 else 0.09,
        )
        C[f"ACT_AVG_{y}"] = miss(
            np.where(
                hs, np.clip(20.8 - (pov - 45) * 0.07 + r.normal(0, 1, n), 12, 34).round(1), np.nan
            ),
            0.12,
        )
        C[f"AP_TAKERS_{y}"] = miss(
            np.where(hs, np.round(size / 13 * 0.6 * np.clip(0.9 - pov / 110, 0.05, 1)), np.nan),
            0.06,
        )
        C[f"COLLEGE_GOING_PCT_{y}"] = miss(
            np.where(hs, np.clip(78 - pov * 0.4 + r.normal(0, 5, n), 10, 99).round(1), np.nan), 0.08
        )
    for k, y in enumerate(YRS):
        c = 0.15 if y == "2021" else 1
        for nm, d in [("oss", 0.03), ("iss", 0.045), ("expul", 0.0009)]:
            C[f"disc_{nm}_n_{y}"] = miss(r.poisson(en["tot", y] * d * c * (0.4 + pov / 80)), 0.03)
        C[f"bus_riders_{y}"] = miss(
            np.round(en["tot", y] * np.where(loc == "RURAL", 0.66, 0.42) * r.uniform(0.8, 1.2, n)),
            0.05,
        )
    return pd.DataFrame(C)
