"""Customers of one advertiser: mailings, media exposures by channel and lag, survey waves, sales.

2,751 columns. Naming habits are those of the KDD Cup 1998 PVA mailing file (ADATE_2, RFA_2,
RAMNT_3), ISLR Caravan and OJ, AER DutchAdvert, modeldata mlc_churn, the UCI bank marketing file,
media-mix inputs (channel x lag exports) and brand-tracker SPSS exports (q4_3_w02).
"""

import numpy as np
import pandas as pd

# channel code: (mean weekly impressions, cost per thousand, click rate, lift per impression)
CHANNELS = {
    "ltv": (2.6, 14.0, 0, 0.030),
    "ctv": (1.2, 24.0, 0.002, 0.040),
    "rad": (1.9, 6.0, 0, 0.004),
    "ooh": (2.2, 5.0, 0, 0.002),
    "prs": (0.6, 11.0, 0, 0.006),
    "dm": (0.35, 480.0, 0, 0.120),
    "eml": (1.4, 1.5, 0.070, 0.060),
    "sem": (0.7, 38.0, 0.220, 0.150),
    "dsp": (6.4, 2.4, 0.002, 0),
    "soc": (4.1, 5.5, 0.011, 0.020),
    "vid": (1.8, 12.0, 0.006, 0.030),
    "aff": (0.3, 20.0, 0.140, 0.050),
    "app": (0.5, 3.0, 0.050, 0.040),
}
LAGS, WAVES, MAILINGS, MONTHS = 26, 12, range(2, 25), 24
BRANDS = ["own", "brdA", "brdB", "brdC", "brdD", "othr"]
CATS = ["wmns", "mens", "kids", "shoe", "home", "gard", "toys", "elec", "spts", "bty"]
HOBBIES = [
    "COLLECT1",
    "VETERANS",
    "BIBLE",
    "CATLG",
    "HOMEE",
    "PETS",
    "CDPLAY",
    "STEREO",
    "PCOWNERS",
    "PHOTO",
    "CRAFTS",
    "FISHER",
    "GARDENIN",
    "BOATS",
    "WALKER",
    "KIDSTUFF",
    "CARDS",
    "PLATES",
]
SEGS = [
    "newmover",
    "newparent",
    "student",
    "retiree",
    "lapsed90",
    "lapsed365",
    "highaov",
    "bargain",
    "giftbuyer",
    "weekend",
    "cartaband",
    "lookalike1",
    "lookalike2",
    "compshop",
    "ecomhvy",
    "cordcut",
    "sportsfan",
    "petowner",
    "autointend",
    "travelint",
]
STATES = ["CA", "TX", "FL", "NY", "OH", "IL", "MI", "WA", "NC", "GA"]


def make(seed: int = 0) -> pd.DataFrame:
    """Return the customer table, one row per customer."""
    rng = np.random.default_rng(seed + 98)
    n = 1200
    c: dict[str, object] = {}
    uni, nor = rng.random, rng.normal

    def gone(x: object, keep: object) -> np.ndarray:
        return np.where(keep, np.asarray(x, dtype=float), np.nan)

    def text(x: object, keep: object) -> np.ndarray:
        return np.where(keep, np.asarray(x, dtype=object), None)

    def bit(p: object) -> np.ndarray:
        return (uni(n) < p).astype(np.int8)

    def pick(words: str, p: object = None) -> np.ndarray:
        return rng.choice(words.split(), n, p=p).astype(object)

    # who the customer is
    age = np.clip(nor(51, 16, n), 18, 92).round()
    tier = pick("BRZ SLV GLD PLT", [0.5, 0.28, 0.16, 0.06])
    love = nor(pd.Series(tier).map({"BRZ": 0.0, "SLV": 0.5, "GLD": 1.0, "PLT": 1.7}), 0.3)
    young = (age < 40).astype(float)
    c["CONTROLN"] = rng.permutation(np.arange(20000, 191000, 142)[:n])
    c["custid"] = [f"C{v:07d}" for v in rng.permutation(np.arange(n) * 37 + 1002003)]
    c["hhid"] = rng.integers(300000, 301000, n)
    c["ODATEDW"] = pd.Timestamp("2012-01-01") + pd.to_timedelta(rng.integers(0, 3900, n), "D")
    c["FIRSTDATE"] = c["ODATEDW"] + pd.to_timedelta(rng.integers(0, 60, n), "D")
    c["OSOURCE"] = pick("WEB STR CAT REF AFF TVR", [0.36, 0.25, 0.18, 0.1, 0.07, 0.04])
    c["STATE"] = pick(" ".join(STATES), [0.2, 0.16, 0.12, 0.11, 0.09, 0.08, 0.07, 0.06, 0.06, 0.05])
    c["ZIP3"] = rng.integers(100, 995, n)
    c["DMA"] = rng.choice([501, 803, 602, 504, 618, 623, 511, 524, 819, 505], n)
    c["AGE"] = gone(age, uni(n) < 0.86)
    c["GENDER"] = text(pick("F M U", [0.6, 0.36, 0.04]), uni(n) < 0.97)
    c["INCOME"] = gone(np.clip(np.round(3.2 + love + nor(0, 1.2, n)), 1, 7), uni(n) < 0.82)
    c["HOMEOWNR"] = text(np.where(uni(n) < 0.3 + age / 180, "H", "U"), uni(n) < 0.8)
    c["MARITAL"], c["NUMCHLD"] = pick("M S D W", [0.52, 0.28, 0.13, 0.07]), rng.poisson(0.8, n)
    c["hhsize"] = c["NUMCHLD"] + 1 + bit(0.6)
    c["DOMAIN"] = pick("U1 U2 C1 C2 S1 S2 T1 T2 R2", None)
    c["CLUSTER"] = rng.integers(1, 54, n)
    c["MDMAUD"] = pick("XXXX C1CM L1LM D2MM", [0.94, 0.03, 0.02, 0.01])
    c["tier"], c["lang"] = tier, pick("EN ES", [0.88, 0.12])
    c["distmi"] = rng.gamma(1.5, 9, n) * (1 - 0.25 * (tier == "PLT"))
    c["distkm"] = c["distmi"] * 1.609344
    c["cellgrp"] = pick("T1 T2 T3 CTL", [0.3, 0.3, 0.3, 0.1])
    ctl = c["cellgrp"] == "CTL"
    c["device1"] = np.where(
        uni(n) < 0.35 + 0.4 * young, "IOS", np.where(uni(n) < 0.5, "AND", "WEB")
    )
    c["poutcome"] = pick("success failure other unknown", [0.14, 0.2, 0.06, 0.6])
    c["pdays"], c["previous"] = gone(rng.integers(3, 400, n), uni(n) < 0.4), rng.poisson(0.9, n)
    c["creditlim"] = gone(np.round(np.exp(nor(7.9 + 0.3 * love, 0.4, n)), -2), uni(n) < 0.45)
    c["optdate"] = (
        pd.Series(pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 1000, n), "D"))
        .where(uni(n) < 0.7)
        .to_numpy()
    )
    for k in ["eml", "sms", "dm", "push", "tel", "3rdpty"]:
        c[f"optin_{k}"] = bit(0.35 + 0.15 * love.clip(0, 2))
    for k in ["nomail", "noemail", "deceased", "badaddr", "fraud", "employee", "b2b"]:
        c[f"is_{k}"] = bit(0.03)
    for k in ["app", "card", "acct", "phone", "kids", "pet", "gift_reg", "subscr"]:
        c[f"has_{k}"] = bit(0.25 + 0.12 * love.clip(0, 2) + 0.2 * young * (k == "app"))
    for h in HOBBIES:
        c[h] = np.where(uni(n) < 0.12 + 0.2 * (h == "GARDENIN") * (age > 55), "Y", None)
    c |= {f"seg_{s}": bit(0.12) for s in SEGS}
    # weekly exposures by channel, lag 0 is the last week; connected TV grows, linear TV shrinks
    sales_push = np.zeros(n)
    star = 411
    for ch, (mean, cpm, ctr, lift) in CHANNELS.items():
        who = rng.gamma(1.4, 1 / 1.4, n) * (1 - 0.9 * ctl)
        who *= 1 + (0.9 * young if ch in ("soc", "vid", "ctv", "app") else 0)
        who *= 1 + (0.8 * (age > 55) if ch in ("ltv", "rad", "prs") else 0)
        reach, first = np.zeros(n), np.full(n, -1)
        for lag in range(LAGS):
            drift = {"ctv": 1.6 - 0.045 * lag, "ltv": 0.7 + 0.025 * lag}.get(ch, 1.0)
            imp = rng.poisson(mean * who * drift * (1.5 if 4 <= lag <= 7 else 1))
            if ch == "dsp" and lag == 3:
                imp[star] = 1874
            reach, first = reach + (imp > 0), np.where(imp > 0, lag, first)
            c[f"imp_{ch}_l{lag:02d}"] = imp
            if ctr:
                clk = rng.binomial(imp, min(ctr, 1))
                c[f"clk_{ch}_l{lag:02d}"] = clk
            c[f"cost_{ch}_l{lag:02d}"] = np.round(imp * cpm / 1000, 4)
            sales_push += lift * imp * 0.8**lag
        c[f"wks_{ch}"], c[f"firstexp_{ch}"] = reach, gone(first, first >= 0)
        c[f"adstk_{ch}"] = sum(c[f"imp_{ch}_l{k:02d}"] * 0.7**k for k in range(LAGS)).round(3)
        c[f"freqcap_{ch}"] = (reach > 20).astype(np.int8)
        for model in ["ft", "lt", "lin", "td", "pos", "mkv"]:
            c[f"attr_{model}_{ch}"] = np.round(lift * reach * np.exp(nor(1, 0.4, n)), 2)
        c[f"vtc_{ch}"], c[f"ctc_{ch}"] = rng.poisson(0.02 * reach), rng.poisson(ctr * reach)
    # hours and days of the week of site sessions
    for h in range(24):
        bump = 1 + 2.4 * np.exp(-((h - 20) ** 2) / 9) + 0.9 * np.exp(-((h - 12) ** 2) / 5)
        c[f"sess_h{h:02d}"] = rng.poisson(0.4 * bump * (1 + love.clip(0)))
    for k, d in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]):
        c[f"sess_{d}"] = rng.poisson((2 + 0.8 * (k > 4)) * (1 + love.clip(0)))
    # printed mailings, newest first, and replies
    replies = np.zeros(n)
    for k in MAILINGS:
        sent = (uni(n) < 0.8 - 0.01 * k) & ~ctl
        when = pd.Timestamp("2024-05-01") - pd.DateOffset(months=int(k) - 2)
        p = np.clip(0.06 + 0.05 * love, 0.01, 0.5) + 0.09 * (k in (7, 19))
        gift = sent & (uni(n) < p)
        replies += gift
        amt = np.exp(nor(3.4 + 0.2 * love, 0.5, n)).round(2)
        c[f"ADATE_{k}"] = gone(int(when.strftime("%y%m")), sent)
        rec, amtc = rng.choice(list("SFNALI"), n), np.digitize(amt, [10, 15, 20, 25, 40, 60])
        c[f"RFA_{k}"] = text(
            [f"{r}{f}{'ABCDEFG'[a]}" for r, f, a in zip(rec, rng.integers(1, 5, n), amtc)], sent
        )
        c[f"PKG_{k}"] = text(pick("PC LT CT SM", [0.4, 0.25, 0.25, 0.1]), sent)
        c[f"RDATE_{k}"] = gone(int(when.strftime("%y%m")) + 0 * amt, gift)
        c[f"RAMNT_{k}"], c[f"RDAYS_{k}"] = gone(amt, gift), gone(rng.integers(2, 60, n), gift)
    c["NUMPROM"], c["NGIFTALL"] = sum(np.isfinite(c[f"ADATE_{k}"]) for k in MAILINGS), replies
    ramnt = pd.DataFrame({k: c[f"RAMNT_{k}"] for k in MAILINGS})
    c["RAMNTALL"], c["MAXRAMNT"] = ramnt.sum(axis=1).to_numpy(), ramnt.max(axis=1).to_numpy()
    c["AVGGIFT"], c["LASTGIFT"] = ramnt.mean(axis=1).to_numpy(), ramnt.bfill(axis=1)[2].to_numpy()
    # e-mail blasts
    sub = c["optin_eml"] == 1
    for k in range(1, 61):
        sent = (sub | (uni(n) < 0.3)) & (uni(n) < 0.9)
        opened = sent & (uni(n) < 0.2 + 0.08 * love.clip(0) - 0.0015 * k + 0.15 * (k == 33))
        c[f"em{k:03d}_snt"], c[f"em{k:03d}_opn"] = sent.astype(np.int8), gone(opened, sent)
        c[f"em{k:03d}_clk"] = gone(opened & (uni(n) < 0.22), sent)
        c[f"em{k:03d}_bnc"], c[f"em{k:03d}_uns"] = gone(bit(0.012), sent), gone(bit(0.004), sent)
    # coupons issued and redeemed
    for k in range(1, 31):
        iss = uni(n) < 0.5
        c[f"cpn{k:02d}_iss"] = iss.astype(np.int8)
        c[f"cpn{k:02d}_rdm"] = gone(bit(0.08 + 0.12 * (c["seg_bargain"] == 1)), iss)
        c[f"cpn{k:02d}_val"] = gone(rng.choice([2, 5, 10, 15], n), iss)
    # brand tracker, quarterly waves; own awareness climbs, rival A falls
    panel = uni(n) < 0.55
    for w in range(1, WAVES + 1):
        here = panel & (uni(n) < 0.93 - 0.02 * w)
        c[f"intdt_w{w:02d}"] = pd.Series(
            pd.Timestamp("2021-08-02")
            + pd.DateOffset(months=3 * w)
            + pd.to_timedelta(rng.integers(0, 14, n), "D")
        ).where(here)
        c[f"wgt_w{w:02d}"] = gone(rng.gamma(16, 1 / 16, n), here)
        for j, b in enumerate(BRANDS):
            base = [0.52 + 0.022 * w, 0.66 - 0.02 * w, 0.4, 0.33, 0.25, 0.15][j] + 0.05 * love * (
                j == 0
            )
            for q, f in [("uaid", 0.55), ("aid", 1), ("cons", 0.6), ("pref", 0.3), ("adrec", 0.45)]:
                c[f"{q}_{b}_w{w:02d}"] = gone(bit(np.clip(base * f, 0, 1)), here)
        for q in range(1, 13):
            s = np.clip(np.round(3.1 + 0.25 * love + 0.02 * w * (q == 4) + nor(0, 1, n)), 1, 5)
            c[f"q9_{q}_w{w:02d}"] = gone(s, here & (uni(n) < 0.97))
        nps = np.clip(np.round(6.6 + 0.9 * love + 0.06 * w + nor(0, 1.6, n)), 0, 10)
        c[f"nps_w{w:02d}"] = gone(nps, here)
        c[f"pint_w{w:02d}"] = gone(np.ceil(nps / 2).clip(1), here)
        for ch in CHANNELS:
            c[f"seenad_{ch}_w{w:02d}"] = gone(
                bit(np.clip(c[f"wks_{ch}"] / 40 + 0.03, 0, 0.9)), here
            )
    # sales by department and month, m24 the latest; gardening peaks in spring, toys in winter
    tot = np.zeros(n)
    for m in range(1, MONTHS + 1):
        mon = (m + 5) % 12
        season = {"gard": 1 + 2 * (mon in (3, 4, 5)), "toys": 1 + 2.5 * (mon in (10, 11))}
        mtot, mord = np.zeros(n), np.zeros(n)
        for cat in CATS:
            rate = (
                0.14 * np.exp(0.6 * love) * season.get(cat, 1) * (1 + 0.02 * sales_push.clip(0, 25))
            )
            orders = rng.poisson(rate)
            amt = np.round(orders * np.exp(nor(3.3, 0.5, n)), 2)
            c[f"amt_{cat}_m{m:02d}"], mtot, mord = amt, mtot + amt, mord + orders
        c[f"ord_m{m:02d}"], c[f"net_m{m:02d}"] = mord, mtot
        c[f"ret_m{m:02d}"] = np.round(mtot * rng.beta(1, 12, n), 2)
        c[f"visits_m{m:02d}"] = rng.poisson(1 + 2 * mord)
        tot = tot + mtot
    c["totamt24"], c["lntotamt"] = tot.round(2), np.log1p(tot)
    c["sales_eur"] = np.round(tot * 0.92, 2)
    c["mrgpct"], c["clv36"] = nor(38, 6, n).round(1), (tot * 1.4 * np.exp(nor(0, 0.15, n))).round(2)
    c["recdays"], c["tenure_mo"] = (
        rng.integers(0, 400, n),
        ((pd.Timestamp("2024-06-01") - pd.DatetimeIndex(c["ODATEDW"])).days / 30.44).round(1),
    )
    churn = 1 / (1 + np.exp(1.6 + 1.1 * love - 0.004 * c["recdays"]))
    c["prpn_churn"], c["churned"] = churn.round(4), bit(churn)
    c["prpn_resp"] = np.clip(0.02 + 0.022 * sales_push + nor(0, 0.01, n), 0, 1).round(4)
    c["decile"] = pd.qcut(c["prpn_resp"], 10, labels=False, duplicates="drop") + 1
    c["TARGET_B"] = bit(np.clip(c["prpn_resp"] * 1.6, 0, 1))
    c["TARGET_D"] = np.where(c["TARGET_B"] == 1, np.exp(nor(3.3 + 0.2 * love, 0.5, n)).round(2), 0)
    df = pd.DataFrame(c)
    words = [w for w in df if not (pd.api.types.is_numeric_dtype(df[w]) or df[w].dtype.kind == "M")]
    return df.assign(**{w: df[w].astype(object).where(df[w].notna(), None) for w in words})
