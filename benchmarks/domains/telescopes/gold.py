"""Gold answers to the asked questions about the stripe catalogue, by plain pandas code."""

import pandas as pd

UNANSWERABLE: dict[str, str] = {
    "telescopes-11": "there is no y band, only u, g, r, i and z",
    "telescopes-14": "no supernova class, subclass or target; a count of them is 0",
    "telescopes-24": "no Hubble data and no exposure time",
    "telescopes-27": "there is no run 7000",
    "telescopes-28": "no discoverer is recorded",
}
IDS = ["objID", "thingId", "iauname"]
SUBCLASSES = {"STARFORMING": "star-forming", "STARBURST": "starburst", "AGN": "active nucleus"}


def py(value: object) -> object:
    """Return the value as a plain Python object."""
    return value.item() if hasattr(value, "item") else value


def share(part: int, whole: int) -> list[object]:
    """Return a share as a percentage and as a fraction."""
    return [100 * part / whole, part / whole]


def answers(frame: pd.DataFrame) -> dict[str, list[object]]:
    """Return the acceptable answers of each question."""
    kind = frame["class"]
    gal, star, qso = (frame[kind == k] for k in ("GALAXY", "STAR", "QSO"))
    out: dict[str, list[object]] = {q: [] for q in UNANSWERABLE}
    out["telescopes-14"] = [0]
    out["telescopes-1"] = [len(qso)]
    out["telescopes-2"] = [py(gal["z"].mean())]

    far = frame.loc[frame["z"].idxmax()]
    far_kinds = [far["class"], {"QSO": "quasar", "GALAXY": "galaxy", "STAR": "star"}[far["class"]]]
    out["telescopes-3"] = []
    for label in far_kinds:
        out["telescopes-3"] += [[[label, py(far["z"])]], [[py(far["z"]), label]]]
        out["telescopes-3"] += [[[py(far[i]), label]] for i in IDS]
        out["telescopes-3"] += [[[py(far[i]), py(far["z"]), label]] for i in IDS]
        out["telescopes-3"] += [[[py(far[i]), label, py(far["z"])]] for i in IDS]

    out["telescopes-4"] = [len(frame)]
    out["telescopes-5"] = [int((star["subClass"] == "WD").sum())]
    out["telescopes-6"] = [int(frame["in_2mass"].sum())]
    out["telescopes-7"] = [frame["firstObsDate"].min().strftime("%Y-%m-%d")]
    out["telescopes-8"] = [py(frame["psffwhm_r_000125"].mean())]
    types = star["subClass"].value_counts()
    out["telescopes-9"] = [[[k, int(v)] for k, v in types.items()]]
    out["telescopes-10"] = [int((gal["type"] == 6).sum())]

    color = [py((d["psfMag_g"] - d["psfMag_r"]).median()) for d in (star, qso)]
    out["telescopes-12"] = [
        [["STAR", color[0]], ["QSO", color[1]]],
        [["star", color[0]], ["quasar", color[1]]],
        color,
    ]

    wise = frame[frame["in_allwise"] == 1]
    out["telescopes-13"] = share(int((wise["ph_qual_wise"].str[3] == "A").sum()), len(wise))
    out["telescopes-15"] = [int(frame["vDisp"].isna().sum())]
    out["telescopes-16"] = []
    for mag in (frame["dered_r"], frame["modelMag_r"] - frame["extinction_r"]):
        top = mag.nsmallest(5)
        for i in IDS:
            names = [py(frame.loc[k, i]) for k in top.index]
            out["telescopes-16"] += [names, [[n, py(v)] for n, v in zip(names, top)]]
        out["telescopes-16"] += [[py(v) for v in top]]
    out["telescopes-17"] = [int(gal["z"].between(0.1, 0.2).sum())]
    out["telescopes-18"] = [py(qso["fint"].mean())]
    out["telescopes-19"] = [int(((frame["in_4xmm"] == 1) | (frame["in_first"] == 1)).sum())]
    out["telescopes-20"] = [int(((frame["satur_i"] == 0) & (frame["lc_isvar_i"] == 0)).sum())]

    old, new = (py(frame[f"skyflux_z_{run}"].mean()) for run in ("000125", "005582"))
    out["telescopes-21"] = [new - old, *share(new - old, old)]

    seeing = frame.filter(regex=r"^psffwhm_g_\d{6}$").mean()
    worst = str(seeing.idxmax())
    run = worst[-6:]
    labels = [int(run), str(int(run)), run, worst]
    out["telescopes-22"] = [*labels, *([[k, py(seeing.max())]] for k in labels)]

    good = gal[(gal["zWarning"] == 0) & gal["subClass"].isin(SUBCLASSES)]
    mass = good.groupby("subClass")["lgm_tot_p50"].median()
    sub = str(mass.idxmax())
    labels = [sub, SUBCLASSES[sub]]
    out["telescopes-23"] = [*labels, *([[k, py(mass.max())]] for k in labels)]

    out["telescopes-25"] = [py(gal[k].corr(gal["sfr_tot_p50"])) for k in ("d4000", "d4000_n")]
    forming = gal[gal["subClass"] == "STARFORMING"]
    out["telescopes-26"] = [py(forming["h_alpha_flux"].mean() / forming["h_beta_flux"].mean())]
    return out
