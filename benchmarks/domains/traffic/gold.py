"""Gold answers to the questions about the traffic table, by independent pandas code."""

from __future__ import annotations

import numpy as np
import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "traffic-11": "electric cars are not counted apart",
    "traffic-19": "the sites lie in England and Wales only",
    "traffic-25": "noise is given for weekdays only",
    "traffic-27": "flows begin in 2000",
    "traffic-28": "only the date of calibration is given, not who did it",
}
ROADS = {
    "TM": "trunk motorway",
    "TA": "trunk A road",
    "PA": "principal A road",
    "MB": "B road",
    "MCU": "C road or unclassified",
}


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Acceptable answers by question id."""
    f = frame
    out: dict[str, list[object]] = {}
    flow = f["aadf_all_mv_2023"]
    out["traffic-1"] = [int((f["region"] == "WAL").sum())]
    out["traffic-2"] = [float(f["spdlim_mph"].mean())]
    top = f.loc[flow.idxmax()]
    site, most, road = int(top["count_point_id"]), float(flow.max()), str(top["road_name"])
    out["traffic-3"] = [[[site, most]], [site, most]]
    if (f["road_name"] == road).sum() == 1:
        out["traffic-3"] += [[[road, most]], [road, most]]
    out["traffic-4"] = [int((f["road_cat"] == "TM").sum())]
    out["traffic-5"] = [int((f["near_school"] == 1).sum())]
    out["traffic-6"] = [float(f["alt_m"].max())]
    dark = f[f["lighting"] == "N"]
    out["traffic-7"] = [len(dark), int(dark["road_name"].nunique())]
    share = float((f["ur"] == "U").mean())
    out["traffic-8"] = [100 * share, share]
    out["traffic-9"] = [int(((f["buslane"] == 1) & (f["cyclane"] == 0)).sum())]
    rows = [[str(k), float(v)] for k, v in flow.groupby(f["road_cat"]).mean().items()]
    out["traffic-10"] = [rows, [[ROADS[k], v] for k, v in rows]]
    worst = f.nlargest(10, "totacc")
    out["traffic-12"] = [
        [[int(k), int(v)] for k, v in zip(worst["count_point_id"], worst["totacc"])]
    ]
    if f["road_name"].isin(worst["road_name"]).sum() == 10:
        out["traffic-12"].append(
            [[str(k), int(v)] for k, v in zip(worst["road_name"], worst["totacc"])]
        )
    out["traffic-13"] = [int(f["aadf_all_mv_2003"].isna().sum())]
    km = f["link_length_km"]
    out["traffic-14"] = list(
        dict.fromkeys([int(((km >= 2) & (km <= 5)).sum()), int(((km > 2) & (km < 5)).sum())])
    )
    out["traffic-15"] = [int(((f["near_port"] == 1) | (f["near_railstn"] == 1)).sum())]
    speed = f["spd_mph_wd_h08"]
    out["traffic-16"] = [
        float(speed.mean()),
        float(np.average(speed, weights=f["allmv_wd_d1_h08"])),
    ]
    jan, jul = float(f["no2_ugm3_jan"].mean()), float(f["no2_ugm3_jul"].mean())
    worse = "January" if jan > jul else "July"
    out["traffic-17"] = [
        [["January", jan], ["July", jul]],
        [["jan", jan], ["jul", jul]],
        [["no2_ugm3_jan", jan], ["no2_ugm3_jul", jul]],
        [jan, jul],
        [[jan, jul]],
        [worse, jan, jul],
        [[worse, jan, jul]],
    ]
    out["traffic-18"] = [int(((f["road_cat"] == "MB") & (f["region"] != "LON")).sum())]
    fast = (f["ur"] == "R") & (f["spdlim_mph"] == 60)
    out["traffic-20"] = [int(f.loc[fast, "injacc"].sum())]
    fall = float(1 - f["aadf_all_mv_2020"].mean() / f["aadf_all_mv_2019"].mean())
    out["traffic-21"] = [100 * fall, fall, -100 * fall, -fall]
    hours = f[[f"car_wd_d1_h{h:02d}" for h in range(24)]].mean()
    column, peak = str(hours.idxmax()), float(hours.max())
    hour = int(column[-2:])
    labels: list[object] = [
        hour,
        f"{hour:02d}",
        f"h{hour:02d}",
        f"hour {hour}",
        column,
        f"{hour:02d}:00",
        f"{hour:02d}:00-{hour + 1:02d}:00",
    ]
    out["traffic-22"] = labels + [[[k, peak]] for k in labels]
    lorries = f[f["spdcam"] == 1].groupby("region")["aadf_all_hgvs_2023"].median()
    region, value = str(lorries.idxmax()), float(lorries.max())
    code = str(f.loc[f["region"] == region, "ons_code"].iloc[0])
    names: list[object] = [region, {"LON": "London"}.get(region, region), code]
    out["traffic-23"] = names + [[[k, value]] for k in names]
    out["traffic-24"] = [float(flow.corr(f["laeq_wd_h08"]))]
    out["traffic-26"] = [int((f["aadf_pc_2022"] > f["aadf_twmv_2022"]).sum())]
    return out
