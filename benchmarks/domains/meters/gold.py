"""Gold answers to the questions about the household meter table, by plain pandas."""

import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "meters-13": "there are 18 demand response events, no 22nd",
    "meters-19": "water is not metered",
    "meters-24": "there are no phone numbers",
    "meters-26": "no heating system is district heating, so a count of 0 is right, too",
    "meters-28": "readings begin in January 2021",
}
TARIFFS = {
    "Std": "standard flat rate",
    "ToU": "static time of use",
    "E7": "Economy 7",
    "dToU": "dynamic time of use",
}
HOMES = {"DET": "detached", "SEMI": "semi", "TERR": "terraced", "FLAT": "flat", "BUNG": "bungalow"}
GROUPS = {"C": "control", "IHD": "in-home display"}
CIRCUITS = (
    "air1",
    "air2",
    "bathroom1",
    "bedroom1",
    "car1",
    "clotheswasher1",
    "drye1",
    "dishwasher1",
    "furnace1",
    "kitchenapp1",
    "kitchenapp2",
    "lights_plugs1",
    "oven1",
    "range1",
    "refrigerator1",
    "freezer1",
    "waterheater1",
    "pump1",
)


def _rows(values: pd.Series, names: dict[str, str] | None = None) -> list[object]:
    """Group and value as rows, with codes and, where given, with their meanings."""
    pairs = [[str(k), float(v)] for k, v in values.items()]
    if names is None:
        return [pairs]
    return [pairs, [[names[k], v] for k, v in pairs]]


def _biggest_import(f: pd.DataFrame) -> list[object]:
    """The largest import of week 1 with its household, by either identifier."""
    top = f.loc[f["elec_kwh_wk001"].idxmax()]
    kwh, name, number = float(top["elec_kwh_wk001"]), str(top["LCLid"]), int(top["dataid"])
    out: list[object] = [[kwh, name], [kwh, number], [name, kwh], [number, kwh]]
    return [*out, [[name, kwh]], [[number, kwh]]]


def _gas_users(f: pd.DataFrame) -> list[object]:
    """The ten largest gas users of week 5, with dwelling type and kWh."""
    top = f.sort_values("gas_kwh_wk005", ascending=False).head(10)
    kwh = [float(v) for v in top["gas_kwh_wk005"]]
    kinds = list(top["TYPEHUQ"])
    out: list[object] = []
    for kind in (kinds, [HOMES[k] for k in kinds]):
        for ids in (list(top["LCLid"]), [int(i) for i in top["dataid"]]):
            out.append([list(row) for row in zip(ids, kind, kwh, strict=True)])
        out.append([list(row) for row in zip(kind, kwh, strict=True)])
    return out


def _evening(f: pd.DataFrame) -> list[object]:
    """Control against in-home display, winter weekday half hour from 18:00."""
    mean = f.groupby("alloc_grp")["GC_wd_win_1800"].mean()[["C", "IHD"]]
    best = str(mean.idxmax())
    out: list[object] = [*_rows(mean, GROUPS), best, GROUPS[best]]
    out.append([best, float(mean["C"]), float(mean["IHD"])])
    return out


def _circuits(f: pd.DataFrame) -> list[object]:
    """The first and the fifth circuit by mean use in 2022 of the homes that have it."""
    cols = {name: [f"{name}_m{m:02d}" for m in range(1, 13)] for name in CIRCUITS}
    year = pd.Series({k: f[v].sum(axis=1, min_count=12).mean() for k, v in cols.items()})
    year = year.sort_values(ascending=False)
    month = pd.Series({k: f[v].mean().mean() for k, v in cols.items()})
    pick = [str(year.index[0]), str(year.index[4])]
    plain = {"car1": "car charger", "furnace1": "furnace"}
    names = [plain.get(k, k) for k in pick]
    return [pick, names, *_rows(year[pick]), *_rows(month[pick])]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Every acceptable answer to each question."""
    f = frame
    out: dict[str, list[object]] = {key: [] for key in UNANSWERABLE}
    out["meters-26"] = [0]
    out["meters-1"] = [int(f["LCLid"].nunique())]
    out["meters-2"] = [float(f["tot_flr_m2"].mean()), float(f["tot_sqft"].mean())]
    out["meters-3"] = _biggest_import(f)
    out["meters-4"] = [int((f["TYPEHUQ"] == "FLAT").sum())]
    cars = int((f["own_ev"] == 1).sum())
    out["meters-5"] = [cars, [cars > 0, cars]]
    out["meters-6"] = [float(f["sc_p_day"].mean()), float(f["sc_p_day"].mean()) / 100]
    out["meters-7"] = [int(f["NHSLDMEM"].max())]
    out["meters-8"] = [float(f["D20221225"].sum())]
    by = f.groupby("stdorToU")
    out["meters-9"] = [*_rows(by["KWH"].mean(), TARIFFS), *_rows(by["BTUEL"].mean(), TARIFFS)]
    out["meters-10"] = [int(((f["own_pv"] == 1) & f["batt_kwh"].isna()).sum())]
    left = float(f["exit_dt"].notna().mean())
    out["meters-11"] = [100 * left, left]
    out["meters-12"] = _gas_users(f)
    bill = f["bill_el_gbp_2022m01"]
    out["meters-14"] = [[float(bill.min()), float(bill.max())]]
    out["meters-15"] = _evening(f)
    heat = f["heat_sys"].isin(["hp", "oil"]) & f["tot_flr_m2"].between(80, 120)
    out["meters-16"] = [int(heat.sum())]
    out["meters-17"] = [int(((f["heat_sys"] != "gc") & (f["NHSLDMEM"] >= 4)).sum())]
    out["meters-18"] = [int(f["D20220701"].isna().sum())]
    e7 = f[f["stdorToU"] == "E7"]
    day, night = float(e7["r1_day_2021m12"].sum()), float(e7["r2_nt_2021m12"].sum())
    out["meters-20"] = [100 * night / (day + night), night / (day + night)]
    first, final = f["elec_kwh_wk001"], f["elec_kwh_wk104"]
    out["meters-21"] = [float(final.mean() - first.mean()), float((final - first).mean())]
    days = f[[c for c in f.columns if c.startswith("D2022")]].mean()
    col = str(days.idxmax())
    date, use = f"{col[1:5]}-{col[5:7]}-{col[7:]}", float(days.max())
    out["meters-22"] = [date, col, [[date, use]], [[col, use]]]
    acorn = f[f["own_tumbledry"] == 1].groupby("Acorn_grouped")[["KWH", "BTUEL"]].median()
    best = str(acorn["KWH"].idxmax())
    out["meters-23"] = [best, *([[best, float(acorn.loc[best, c])]] for c in ("KWH", "BTUEL"))]
    out["meters-25"] = [float(f["tot_flr_m2"].corr(f["KWH"])), float(f["tot_sqft"].corr(f["KWH"]))]
    out["meters-27"] = _circuits(f)
    return out
