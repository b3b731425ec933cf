"""Household energy meter table: 900 rows, one per household, and 2,029 columns.

Naming habits come from the Low Carbon London trial (stdorToU, Acorn groups), the Irish CER customer
behaviour trial (pre and post survey), Pecan Street Dataport (dataid, air1, car1, kitchenapp1), the
US RECS files (TYPEHUQ, NHSLDMEM, KWHSPH, HDD65), Ausgrid's solar home data (GC, CL, GG) and
Ecdat's Heating and HC (ic, oc with two-letter systems). All values are simulated.
"""

import numpy as np
import pandas as pd

N = 900
WEEKS = 104
SEASONS = {"win": (1.28, 0.15), "spr": (0.98, 0.7), "sum": (0.8, 1.0), "aut": (1.02, 0.45)}
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CIRCUITS = {
    "air1": 0.04,
    "air2": 0.01,
    "bathroom1": 0.02,
    "bedroom1": 0.03,
    "car1": 0.0,
    "clotheswasher1": 0.04,
    "drye1": 0.07,
    "dishwasher1": 0.05,
    "furnace1": 0.06,
    "kitchenapp1": 0.06,
    "kitchenapp2": 0.03,
    "lights_plugs1": 0.11,
    "oven1": 0.05,
    "range1": 0.04,
    "refrigerator1": 0.09,
    "freezer1": 0.04,
    "waterheater1": 0.08,
    "pump1": 0.01,
}
OWN = {
    "tumbledry": 0.55,
    "dishw": 0.51,
    "washm": 0.96,
    "frzr_sep": 0.42,
    "fridge2": 0.18,
    "elecshower": 0.47,
    "immersion": 0.38,
    "elechob": 0.58,
    "microw": 0.93,
    "kettle": 0.98,
    "tv_gt40in": 0.61,
    "desktop": 0.35,
    "laptop": 0.83,
    "gamecons": 0.37,
    "aircon": 0.05,
    "dehumid": 0.14,
    "hottub": 0.03,
    "aquarium": 0.06,
    "pondpump": 0.05,
    "smartplug": 0.22,
    "lgt_led": 0.71,
    "lgt_hal": 0.33,
}
ATTITUDES = ("bills", "enviro", "effort", "kidswont", "toobusy", "notmyjob", "curious", "trust_sup")
HABITS = ("ckw_app", "readmeter", "compare_sup", "switch_off", "wash_30c", "fullload", "thermo_dn")


def _pick(rng: np.random.Generator, probs: dict[str, float]) -> np.ndarray:
    """Draw one category for every household."""
    p = np.array(list(probs.values()))
    return rng.choice(np.array(list(probs), dtype=object), size=N, p=p / p.sum())


def _bump(x: np.ndarray, at: float, width: float) -> np.ndarray:
    """A smooth peak at an hour of the day."""
    return np.exp(-0.5 * ((x - at) / width) ** 2)


def _gaps(values: np.ndarray, rng: np.random.Generator, share: float) -> np.ndarray:
    """Blank a share of the cells, of numbers or of text."""
    text = values.dtype.kind in "OU"
    out = values.astype(object if text else float)
    out[rng.random(out.shape) < share] = None if text else np.nan
    return out


def make(seed: int = 0) -> pd.DataFrame:
    """Build the table (900 x 2,029)."""
    rng = np.random.default_rng(seed)
    c: dict[str, np.ndarray | pd.DatetimeIndex] = {}
    tariff = _pick(rng, {"Std": 0.42, "ToU": 0.30, "E7": 0.16, "dToU": 0.12})
    typehuq = _pick(rng, {"DET": 0.22, "SEMI": 0.30, "TERR": 0.27, "FLAT": 0.19, "BUNG": 0.02})
    heat = _pick(rng, {"gc": 0.70, "er": 0.11, "hp": 0.06, "oil": 0.09, "ec": 0.04})
    acorn = _pick(rng, {"Affluent": 0.36, "Comfortable": 0.28, "Adversity": 0.32, "ACORN-U": 0.04})
    alloc = _pick(rng, {"C": 0.4, "IHD": 0.2, "BI": 0.2, "BIM": 0.2})
    people = np.clip(rng.poisson(1.5, N) + 1, 1, 8)
    size = {"DET": 134.0, "SEMI": 96.0, "TERR": 84.0, "FLAT": 58.0, "BUNG": 78.0}
    m2 = np.round(np.array([size[t] for t in typehuq]) * rng.lognormal(0, 0.2, N))
    solar = rng.random(N) < np.where(typehuq == "FLAT", 0.02, 0.19)
    car = rng.random(N) < np.where(acorn == "Affluent", 0.2, 0.06)
    kwp = np.where(solar, np.round(rng.choice([1.5, 2.0, 2.5, 3.0, 3.68, 4.0], N), 2), np.nan)
    elec_heat = np.isin(heat, ["er", "hp", "ec"])
    has_gas = heat == "gc"
    sub = rng.random(N) < 0.35

    # single columns
    c["dataid"] = rng.permutation(np.arange(1000, 1000 + 7 * N, 7))
    c["LCLid"] = np.array([f"MAC{i:06d}" for i in rng.permutation(N) + 12], dtype=object)
    c["mpan_top"] = np.array([f"{p:02d}" for p in rng.choice([1, 2, 3, 4], N)], dtype=object)
    c["stdorToU"], c["alloc_grp"], c["Acorn_grouped"] = tariff, alloc, acorn
    c["gsp_grp"] = _pick(rng, {"_A": 0.2, "_B": 0.15, "_C": 0.3, "_G": 0.2, "_P": 0.15})
    start = pd.Timestamp("2020-09-01") + pd.to_timedelta(rng.integers(0, 170, N), unit="D")
    c["install_dt"] = start
    left = rng.random(N) < 0.07
    end_week = np.where(left, rng.integers(30, 100, N), WEEKS)
    end = pd.Timestamp("2021-01-04") + pd.to_timedelta(end_week * 7, unit="D")
    c["exit_dt"] = pd.DatetimeIndex(np.where(left, end, np.datetime64("NaT")))
    c["exit_rsn"] = np.where(left, _pick(rng, {"MOVE": 6, "CHSUP": 3, "OPT": 2}), None)
    c["mtr_type"] = _pick(rng, {"SMETS1": 0.3, "SMETS2": 0.65, "AMR": 0.05})
    c["fuse_amp"] = rng.choice([60, 80, 100], N, p=[0.3, 0.3, 0.4])
    c["TYPEHUQ"] = typehuq
    c["KOWNRENT"] = _pick(rng, {"OO": 0.62, "PR": 0.2, "SR": 0.17, "RF": 0.01})
    eras = ("<1919", "1919-44", "1945-64", "1965-80", "1981-02", "2003+")
    c["yr_built_band"] = _gaps(_pick(rng, dict.fromkeys(eras, 1.0)), rng, 0.06)
    c["tot_flr_m2"], c["tot_sqft"] = m2, np.round(m2 * 10.764)
    c["bedrms"] = np.clip(np.round(m2 / 32 + rng.normal(0, 0.5, N)), 1, 7).astype(int)
    c["NHSLDMEM"] = people
    c["n_u16"] = np.minimum(rng.poisson(0.6, N), people - 1)
    c["n_65plus"] = np.minimum(rng.binomial(2, 0.18, N), people)
    c["hrp_age"] = _gaps(np.clip(rng.normal(52, 15, N), 19, 94).round(), rng, 0.03)
    c["hrp_sex"] = _gaps(_pick(rng, {"M": 0.54, "F": 0.46}), rng, 0.02)
    c["hrp_empl"] = _gaps(_pick(rng, {"FT": 5, "PT": 2, "SE": 1, "RET": 3, "UN": 1}), rng, 0.04)
    c["wfh_days"] = rng.choice([0, 1, 2, 3, 5], N, p=[0.5, 0.12, 0.14, 0.1, 0.14])
    rich = {"Affluent": 58000, "Comfortable": 39000, "Adversity": 23000, "ACORN-U": 30000}
    income = np.array([rich[a] for a in acorn]) * rng.lognormal(0, 0.3, N)
    c["hhinc_gbp"] = _gaps(np.round(income, -2), rng, 0.12)
    epc = _pick(rng, {"A": 0.02, "B": 0.12, "C": 0.33, "D": 0.36, "E": 0.13, "F": 0.03, "G": 0.01})
    c["epc_band"] = _gaps(epc, rng, 0.15)
    c["epc_sap"] = np.round(
        95 - 12.5 * np.array(["ABCDEFG".index(e) for e in epc]) + rng.normal(0, 3, N)
    ).clip(5, 100)
    c["loft_mm"] = _gaps(rng.choice([0, 50, 100, 150, 200, 270, 300], N), rng, 0.21)
    c["wall_ins"] = _pick(rng, {"Y": 0.5, "N": 0.38, "DK": 0.12})
    c["glaz"] = _pick(rng, {"SG": 0.07, "DG": 0.86, "TG": 0.04, "MIX": 0.03})
    c["heat_sys"] = heat
    c["dhw_sys"] = np.where(rng.random(N) < 0.85, heat, "imm")
    c["boiler_age"] = np.where(has_gas, rng.gamma(2.2, 3.6, N).round(), np.nan)
    c["thermo_set_c"] = _gaps(np.round(rng.normal(19.8, 1.5, N) * 2) / 2, rng, 0.08)
    c["thermo_set_f"] = np.round(c["thermo_set_c"] * 1.8 + 32, 1)
    c["pv_kwp"] = kwp
    c["pv_orient"] = np.where(solar, _pick(rng, {"S": 5, "SE": 2, "SW": 2, "E": 1, "W": 1}), None)
    c["batt_kwh"] = np.where(solar & (rng.random(N) < 0.3), rng.choice([5.2, 8.2, 13.5], N), np.nan)
    c["ev_n"] = np.where(car, rng.choice([1, 1, 1, 2], N), 0)
    c["ev_chg_kw"] = np.where(car, rng.choice([2.3, 3.6, 7.4], N, p=[0.2, 0.2, 0.6]), np.nan)
    c["tar_day_p"] = np.round(np.where(tariff == "Std", 20.6, 23.9) + rng.normal(0, 0.6, N), 2)
    c["tar_nt_p"] = np.where(tariff == "Std", np.nan, np.round(11.4 + rng.normal(0, 0.5, N), 2))
    tou = np.isin(tariff, ["ToU", "dToU"])
    c["tar_pk_p"] = np.where(tou, np.round(38 + rng.normal(0, 1.2, N), 2), np.nan)
    c["sc_p_day"] = np.round(rng.normal(26, 4, N), 2)
    c["pay_meth"] = _pick(rng, {"DD": 0.68, "PPM": 0.16, "CQ": 0.1, "SO": 0.06})
    c["HDD65"] = rng.normal(4450, 260, N).round()
    c["HDD155_c"] = np.round(c["HDD65"] / 1.8 * 0.82)
    c["CDD65"] = rng.gamma(9, 14, N).round()
    for sy, cost in {"gc": 2700, "er": 1500, "hp": 9200, "oil": 3600, "ec": 2100}.items():
        c[f"ic.{sy}"] = (cost * rng.lognormal(0, 0.15, N)).round(2)
    for sy, cost in {"gc": 780, "er": 1560, "hp": 720, "oil": 990, "ec": 1480}.items():
        c[f"oc.{sy}"] = (cost * (m2 / 90) ** 0.5 * rng.lognormal(0, 0.1, N)).round(2)

    # indicator columns and survey answers
    for name, p in OWN.items():
        c[f"own_{name}"] = (rng.random(N) < p).astype(int)
    c["own_pv"], c["own_ev"] = solar.astype(int), car.astype(int)
    for grp in ("C", "IHD", "BI", "BIM"):
        c[f"d_{grp}"] = (alloc == grp).astype(int)
    informed = alloc != "C"
    for item in ATTITUDES:
        pre = rng.integers(1, 6, N)
        shift = (rng.random(N) < (0.55 if item == "curious" else 0.12)) & informed
        c[f"att_{item}_pre"] = _gaps(pre, rng, 0.05)
        c[f"att_{item}_post"] = _gaps(np.clip(pre + shift, 1, 5), rng, 0.17)
    for item in HABITS:
        pre = rng.random(N) < 0.4
        post = pre | (informed & (rng.random(N) < 0.3))
        c[f"act_{item}_pre"] = _gaps(np.where(pre, "Y", "N"), rng, 0.05)
        c[f"act_{item}_post"] = _gaps(np.where(post, "Y", "N"), rng, 0.17)

    # two years of daily use, the base of every other reading
    day = np.arange(WEEKS * 7)
    dates = pd.date_range("2021-01-04", periods=len(day))
    cold = 0.5 + 0.5 * np.cos(2 * np.pi * (dates.dayofyear.to_numpy() - 20) / 365.25)
    base = 3.1 * people**0.55 * (m2 / 90) ** 0.4 * rng.lognormal(0, 0.28, N) + 2.0
    base[np.argmax(c["own_hottub"] * m2)] *= 6.5
    kind = np.select([heat == "er", heat == "hp", heat == "ec"], [19.0, 11.0, 17.0], 1.6)
    effect = np.where(alloc == "IHD", 0.09, np.where(informed, 0.03, 0))
    saving = 1 - np.outer(effect, day / day[-1])
    use = base[:, None] * (1 + 0.08 * (dates.dayofweek.to_numpy() >= 5))
    use = use + np.outer(kind * m2 / 90, cold**1.4) + np.where(car, 6.4, 0)[:, None]
    use = use * saving * rng.lognormal(0, 0.16, use.shape)
    pv = np.nan_to_num(kwp)[:, None] * (4.6 - 3.9 * cold) * rng.gamma(4, 0.25, use.shape)
    export = np.where(solar[:, None], pv * 0.55, np.nan)
    use = np.maximum(use - pv * 0.45, 0.4)
    gas_m3 = np.outer(m2 / 90, 0.7 + 7.4 * cold**1.5) * rng.lognormal(0, 0.2, use.shape)
    gas_m3 = np.where(has_gas[:, None], gas_m3, np.nan)
    late = np.maximum((start - dates[0]).days.to_numpy(), 0)
    lost = (day[None, :] < late[:, None]) | (day[None, :] >= 7 * end_week[:, None])
    use[lost] = export[lost] = gas_m3[lost] = np.nan
    weekly = {
        "elec_kwh": use.reshape(N, WEEKS, 7).sum(2),
        "exp_kwh": export.reshape(N, WEEKS, 7).sum(2),
        "gas_m3": gas_m3.reshape(N, WEEKS, 7).sum(2),
    }
    weekly["gas_kwh"] = weekly["gas_m3"] * 11.19
    for name, table in weekly.items():
        for w in range(WEEKS):
            c[f"{name}_wk{w + 1:03d}"] = table[:, w].round(2)
    flag = rng.choice(np.array(["A", "E", "F"], dtype=object), (N, WEEKS), p=[0.94, 0.05, 0.01])
    flag[np.isnan(weekly["elec_kwh"])] = None
    for w in range(WEEKS):
        c[f"rdgtype_wk{w + 1:03d}"] = flag[:, w]
    for d in np.flatnonzero(dates.year == 2022):
        c[f"D{dates[d]:%Y%m%d}"] = _gaps(use[:, d].round(3), rng, 0.004)

    # months: bills, registers, peak demand
    mean = np.nanmean(use, axis=1)
    night = np.select([tariff == "E7", tariff == "ToU"], [0.43, 0.27], 0.19) + 0.15 * car
    for i, month in enumerate(pd.period_range("2021-01", "2022-12", freq="M")):
        mask = (dates.year == month.year) & (dates.month == month.month)
        kwh, gas = use[:, mask].sum(1), gas_m3[:, mask].sum(1) * 11.19
        price, tag = 1 + 0.022 * i, f"{month.year}m{month.month:02d}"
        c[f"r1_day_{tag}"] = (kwh * (1 - night)).round(1)
        c[f"r2_nt_{tag}"] = (kwh * night).round(1)
        c[f"md_kw_{tag}"] = (2.1 + 0.16 * kwh / 30 + 3 * car + rng.gamma(2, 0.5, N)).round(2)
        bill = kwh * c["tar_day_p"] * price / 100 + 0.3 * c["sc_p_day"]
        c[f"bill_el_gbp_{tag}"] = bill.round(2)
        c[f"bill_gas_gbp_{tag}"] = (gas * 0.041 * price + 8.1).round(2)

    # mean half-hourly profiles by day type and season, and the hour by weekday grid
    hh = np.arange(48) / 2 + 0.25
    home = (c["wfh_days"] >= 3) | (c["hrp_empl"] == "RET")
    shape = 0.35 + 0.6 * _bump(hh, 7.7, 1.1) + 1.5 * _bump(hh, 18.6, 2.1)
    shape = shape + np.where(home, 0.55, 0.12)[:, None] * _bump(hh, 13, 2.4)
    shape = shape + ((tariff == "E7") * 2.0 + car * 1.7)[:, None] * _bump(hh, 2.5, 1.5)
    shape = shape * (1 - 0.22 * tou[:, None] * _bump(hh, 18.2, 1.3))
    for season, (level, sun) in SEASONS.items():
        for dt in ("wd", "we"):
            s = shape + (0.3 * _bump(hh, 11.5, 2.2) if dt == "we" else 0)
            load = mean[:, None] * level * s / s.sum(1, keepdims=True)
            load = load * (1 - solar[:, None] * 0.75 * sun * _bump(hh, 12.8, 2.5))
            load = load * rng.lognormal(0, 0.1, load.shape)
            for k in range(48):
                c[f"GC_{dt}_{season}_{k // 2:02d}{30 * (k % 2):02d}"] = load[:, k].round(3)
    hourly = shape.reshape(N, 24, 2).sum(2)
    for j, name in enumerate(DAYS):
        load = mean[:, None] * hourly / hourly.sum(1, keepdims=True) * (1.08 if j > 4 else 1)
        load = load * rng.lognormal(0, 0.12, load.shape)
        for h in range(24):
            c[f"avg_{name}_h{h:02d}"] = load[:, h].round(3)
    volt = 241.5 - 1.9 * hourly / 2 + rng.normal(0, 1.6, (N, 1)) + rng.normal(0, 0.3, (N, 24))
    for h in range(24):
        c[f"v_mean_h{h:02d}"] = _gaps(volt[:, h].round(1), rng, 0.02)
    for lag in range(1, 49):
        acf = 0.72 * np.exp(-lag / 9) + 0.4 * _bump(np.array(float(lag)), 48, 4)
        c[f"acf_{lag}"] = np.clip(acf + rng.normal(0, 0.05, N), -1, 1).round(3)
    for q in (1, 5, 10, 25, 50, 75, 90, 95, 99):
        c[f"kw_p{q:02d}"] = (mean / 24 * np.exp(0.0224 * (q - 50))).round(3)

    # sub-metered circuits by month, and demand response events
    for name, part in CIRCUITS.items():
        for m in range(1, 13):
            mild = 1 + (1.5 if name.startswith("air") else -0.1) * np.cos(2 * np.pi * (m - 7) / 12)
            kwh = 30 * mean * part * max(mild, 0.05) * rng.lognormal(0, 0.3, N)
            if name == "car1":
                kwh = np.where(car, 190 * rng.lognormal(0, 0.25, N), np.nan)
            kwh = kwh * (np.where(elec_heat, 2, 0.2) if name == "waterheater1" else 1)
            c[f"{name}_m{m:02d}"] = np.where(sub, kwh, np.nan).round(1)
    on = tariff == "dToU"
    for e in range(1, 19):
        ref = mean / 24 * 2.4 * rng.lognormal(0, 0.15, N)
        drop = np.clip(0.08 + 0.009 * e + rng.normal(0, 0.06, N), -0.2, 0.7)
        c[f"dr{e:02d}_bl_kw"] = np.where(on, ref, np.nan).round(3)
        c[f"dr{e:02d}_act_kw"] = np.where(on, ref * (1 - drop), np.nan).round(3)
        c[f"dr{e:02d}_ovr"] = np.where(on, np.where(rng.random(N) < 0.11, "Y", "N"), None)
    c["KWH"] = use[:, dates.year == 2022].sum(1).round(1)
    c["KWHSPH"] = np.where(elec_heat, c["KWH"] * rng.uniform(0.35, 0.6, N), 0).round(1)
    c["BTUEL"] = (c["KWH"] * 3.412).round()
    c["n_dropout_hh"] = rng.poisson(35, N)
    return pd.DataFrame(c)
