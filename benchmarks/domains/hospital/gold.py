"""Compute the gold answers about the inpatient stays with pandas and write questions.jsonl."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from table import make

d = make()
out = []


def py(x):
    if isinstance(x, (list, tuple)):
        return [py(y) for y in x]
    if isinstance(x, pd.Timestamp):
        return x.date().isoformat()
    if isinstance(x, np.bool_):
        return bool(x)
    if isinstance(x, np.integer):
        return int(x)
    if isinstance(x, (float, np.floating)):
        assert not np.isnan(x)
        x = round(float(x), 6)
        return int(x) if x == int(x) else x
    return x


def rows(s):
    return [[k, v] for k, v in s.items()]


def nm(r, m):
    return [[m[a], *b] for a, *b in r]


def share(x):
    return [x, x * 100]


def dd(l):
    return list({repr(a): a for a in l}.values())


def q(question, note="", cols=(), *ans):
    assert set(cols) <= set(d.columns), question
    out.append(
        dict(
            id=f"hospital-{len(out) + 1}",
            table="hospital",
            question=question,
            answers=dd([py(a) for a in ans]),
            unanswerable=not ans,
            note=note,
            columns=list(cols),
        )
    )


WN = dict(
    CAR="cardiology",
    GMD="general medicine",
    SUR="general surgery",
    ORT="orthopaedics",
    NEU="neurology",
    RSP="respiratory",
    ONC="oncology",
    GER="geriatrics",
)


q("How many stays are there?", "len(d)", ["ENC_ID"], len(d))
q("How many different patients are in the data?", "d.PT_ID.nunique()", ["PT_ID"], d.PT_ID.nunique())
dm = d.DX_DM2 == 1
dma = dm | (d.DX_DM1 == 1)
q(
    "How many of the stays were of people with sepsis?",
    "(d.DX_SEPS==1).sum()",
    ["DX_SEPS"],
    (d.DX_SEPS == 1).sum(),
)
s = d.groupby("WRD_ADM").LOS_D.mean()
q(
    "What is the average length of stay per ward the patient was admitted to?",
    "d.groupby('WRD_ADM').LOS_D.mean()",
    ["WRD_ADM", "LOS_D"],
    rows(s),
    nm(rows(s), WN),
)
m = (d.ADM_DT >= "2021-03-01") & (d.ADM_DT < "2021-04-01")
q(
    "How many people were admitted in March 2021?",
    "ADM_DT in 2021-03",
    ["ADM_DT"],
    m.sum(),
    d[m].PT_ID.nunique(),
)
q(
    "How many stays have no discharge date recorded?",
    "d.DSCH_DT.isna().sum()",
    ["DSCH_DT"],
    d.DSCH_DT.isna().sum(),
)
q(
    "What was the average potassium in the blood on day 3?",
    "d.LAB_K_D3.mean()",
    ["LAB_K_D3"],
    d.LAB_K_D3.mean(),
)
q("Which surgeon operated on the most patients?")
x = d[dma].ICU_FL == 1
q(
    "What share of patients with diabetes, either type, spent time in intensive care?",
    "(d[DM1|DM2].ICU_FL==1).mean()",
    ["DX_DM2", "DX_DM1", "ICU_FL"],
    *share(x.mean()),
    *share(d[dma & (d.ICU_FL == 1)].PT_ID.nunique() / d[dma].PT_ID.nunique()),
)
a = d[d.DX_SEPS == 1].DRW2_LACT.mean()
b = d[d.DX_SEPS == 0].DRW2_LACT.mean()
q(
    "Is lactate at the second draw higher on average in patients with sepsis than in those without?",
    "mean DRW2_LACT by DX_SEPS",
    ["DRW2_LACT", "DX_SEPS"],
    a > b,
    [[1, a], [0, b]],
    [[True, a], [False, b]],
    [["with sepsis", a], ["without sepsis", b]],
    "with sepsis" if a > b else "without sepsis",
    1 if a > b else 0,
    a - b,
)
q(
    "How many stays were planned (elective) admissions?",
    "(d.ADM_TYP==2).sum()",
    ["ADM_TYP"],
    (d.ADM_TYP == 2).sum(),
)
k = (d.DX_CHF == 1) & (d.DX_COPD == 0)
q(
    "How many stays were for people who had heart failure but not COPD?",
    "(CHF==1)&(COPD==0)",
    ["DX_CHF", "DX_COPD"],
    k.sum(),
)
q("What is the average hourly pay of the nurses on each ward?")
x = d.nlargest(5, "CHG_TOT")
assert x.CHG_TOT.is_unique
q(
    "Which five stays ran up the highest total charges? Give the stay id and the amount.",
    "d.nlargest(5,'CHG_TOT')",
    ["ENC_ID", "CHG_TOT"],
    x[["ENC_ID", "CHG_TOT"]].values.tolist(),
    [[v] for v in x.ENC_ID],
)
v = d.DSCH_DISP == 5
w = d[d.DSCH_DISP.notna()]
q(
    "What percentage of stays ended with the patient dying in hospital?",
    "(d.DSCH_DISP==5).mean(); alt: of recorded dispositions",
    ["DSCH_DISP"],
    v.mean() * 100,
    v.mean(),
    (w.DSCH_DISP == 5).mean() * 100,
    (w.DSCH_DISP == 5).mean(),
)
q(
    "Among women over 75, how many broke a hip?",
    "(SEX_CD==2)&(AGE_ADM>75)&(DX_HIPFX==1)",
    ["SEX_CD", "AGE_ADM", "DX_HIPFX"],
    ((d.SEX_CD == 2) & (d.AGE_ADM > 75) & (d.DX_HIPFX == 1)).sum(),
    d[(d.SEX_CD == 2) & (d.AGE_ADM > 75) & (d.DX_HIPFX == 1)].PT_ID.nunique(),
)
q("What blood type do most of the patients have?")
s = d.groupby("PAYR_CD").READM30_FL.mean().sort_values(ascending=False)
PN = dict(MCR="Medicare", MCD="Medicaid", COM="commercial insurance", SLF="self-pay", OTH="other")
z = d.assign(r=d.READM30_FL.fillna(0)).groupby("PAYR_CD").r.mean().sort_values(ascending=False)
q(
    "What share of stays was followed by an unplanned return within 30 days, for each main payer?",
    "d.groupby('PAYR_CD').READM30_FL.mean(); alt blank counted as no",
    ["PAYR_CD", "READM30_FL"],
    *[
        f([[a, b * m] for a, b in t.items()])
        for t in (s, z)
        for m in (1, 100)
        for f in (list, lambda r: nm(r, PN))
    ],
)
q(
    "How many people with COVID were not given remdesivir?",
    "(DX_COVID==1)&(MED_REMD==0)",
    ["DX_COVID", "MED_REMD"],
    ((d.MED_REMD == 0) & (d.DX_COVID == 1)).sum(),
    d[(d.MED_REMD == 0) & (d.DX_COVID == 1)].PT_ID.nunique(),
    d[d.DX_COVID == 1].PT_ID.nunique() - d[(d.MED_REMD == 1) & (d.DX_COVID == 1)].PT_ID.nunique(),
)
q(
    "What was the highest heart rate seen on the second day among patients with an irregular heartbeat (atrial fibrillation)?",
    "d[d.DX_AFIB==1].VS_HR_MX_D2.max()",
    ["DX_AFIB", "VS_HR_MX_D2"],
    d[d.DX_AFIB == 1].VS_HR_MX_D2.max(),
)
q("How many patients were satisfied with the parking at the hospital?")
k = d[(d.DX_DM2 == 1)]
q(
    "For type 2 diabetics, how many had an HbA1c above 8?",
    "(DX_DM2==1)&(LAB_HBA1C>8)",
    ["DX_DM2", "LAB_HBA1C"],
    (k.LAB_HBA1C > 8).sum(),
    k[k.LAB_HBA1C > 8].PT_ID.nunique(),
)
c = (d.LAB_CRE_D3 - d.LAB_CRE_D1)[d.DX_AKI == 1]
kk = d[(d.DX_AKI == 1)]
q(
    "Among patients with acute kidney injury who had creatinine measured on both day 1 and day 3, how many had a higher value on day 3?",
    "((LAB_CRE_D3>LAB_CRE_D1)&(DX_AKI==1)).sum()",
    ["DX_AKI", "LAB_CRE_D1", "LAB_CRE_D3"],
    (c > 0).sum(),
    kk.loc[c[c > 0].index].PT_ID.nunique(),
)
q("How many of the babies born during the stay were delivered by caesarean?")
s = d[d.SAT_Q04.notna()].groupby("WRD_ADM").SAT_Q04.mean().sort_values()
lo = s.index[0]
t = d.groupby("WRD_DSCH").SAT_Q04.mean().sort_values()
assert s.iloc[0] < s.iloc[1] and t.iloc[0] < t.iloc[1]
q(
    "Which ward got the lowest average score for being quiet at night?",
    "d.groupby('WRD_ADM').SAT_Q04.mean().idxmin(); alt by discharge ward",
    ["WRD_ADM", "SAT_Q04"],
    lo,
    WN[lo],
    [[lo, s.iloc[0]]],
    [[WN[lo], s.iloc[0]]],
    t.index[0],
    WN[t.index[0]],
    [[t.index[0], t.iloc[0]]],
    [[WN[t.index[0]], t.iloc[0]]],
)

assert len(out) == 25 and sum(o["unanswerable"] for o in out) == 5
with (Path(__file__).parent / "questions.jsonl").open("w") as lines:
    for o in out:
        lines.write(json.dumps(o, ensure_ascii=False) + "\n")
