"""Sources of an equatorial survey stripe: photometry by band and observing run, flags, matches.

2,171 columns. Naming habits are those of the SDSS CasJobs schema (PhotoObj, galSpecLine,
galSpecIndx, Stripe 82 repeat runs), 2MASS PSC, AllWISE, Gaia DR3, 4XMM, Galaxy Zoo.
"""

import numpy as np
import pandas as pd

BANDS = list("ugriz")
NAMES_TEXT = """
runs: 125 1033 1056 1752 1755 2570 2578 2583 2649 2659 2662 2677 2708 2728 2768 3325 3355 3360 3362
3384 3388 3427 3434 3437 3465 4128 4145 4153 4198 4203 4247 4858 4874 4895 5566 5582; flags: bin1
blended child cr deblend_nopeak edge interp interp_center moved nodeblend nopetro notchecked satur
satur_center badsky psf_flux_interp deblended_as_psf bright too_large peakcenter; lines: oii_3726
oii_3729 neiii_3869 h_delta h_gamma oiii_4363 h_beta oiii_4959 oiii_5007 hei_5876 oi_6300 nii_6548
h_alpha nii_6584 sii_6717 sii_6731 ariii7135; lick: cn1 cn2 ca4227 g4300 fe4383 ca4455 fe4531 c4668
hb fe5015 mg1 mg2 mgb fe5270 fe5335 fe5406 fe5709 fe5782 nad tio1 tio2 hd_a hg_a hd_f hg_f; targets:
qso_cap qso_skirt qso_first_cap qso_hiz galaxy galaxy_red galaxy_bright_core rosat_a rosat_d
star_bhb star_carbon star_white_dwarf star_sub_dwarf star_caty_var star_brown_dwarf serendip_blue
serendip_red serendip_distant serendip_first hot_std reddening_std spectrophoto_std
"""
GZ_TEXT = """
t01_smooth_or_features: a01_smooth a02_features_or_disk a03_star_or_artifact; t02_edgeon: a04_yes
a05_no; t03_bar: a06_bar a07_no_bar; t04_spiral: a08_spiral a09_no_spiral; t05_bulge_prominence:
a10_no_bulge a11_just_noticeable a12_obvious a13_dominant; t06_odd: a14_yes a15_no; t07_rounded:
a16_completely_round a17_in_between a18_cigar_shaped; t08_odd_feature: a19_ring a20_lens_or_arc
a21_disturbed a22_irregular a23_other a24_merger a38_dust_lane; t09_bulge_shape: a25_rounded
a26_boxy a27_no_bulge; t10_arms_winding: a28_tight a29_medium a30_loose; t11_arms_number: a31_1
a32_2 a33_3 a34_4 a36_more_than_4 a37_cant_tell
"""


def _lists(text: str) -> dict[str, list[str]]:
    return {k.strip(): v.split() for k, v in (part.split(":") for part in text.split(";"))}


NAMES, GZ = _lists(NAMES_TEXT), _lists(GZ_TEXT)
RUNS = [int(x) for x in NAMES["runs"]]


def make(seed: int = 0) -> pd.DataFrame:
    """Return the source table, one row per source."""
    rng = np.random.default_rng(seed + 82)
    n = 900
    c: dict[str, object] = {}
    nor, uni = rng.normal, rng.random
    cls = rng.choice(["GALAXY", "STAR", "QSO"], n, p=[0.5, 0.34, 0.16])
    gal, star, qso = cls == "GALAXY", cls == "STAR", cls == "QSO"
    early = gal & (uni(n) < 0.42)

    def gone(x: object, keep: object) -> np.ndarray:
        return np.where(keep, np.asarray(x, dtype=float), np.nan)

    def text(x: object, keep: object) -> np.ndarray:
        return np.where(keep, np.asarray(x, dtype=object), None)

    def bit(p: object) -> np.ndarray:
        return (uni(n) < p).astype(np.int8)

    z = np.where(qso, rng.gamma(5, 0.32, n) + 0.2, nor(0, 2e-4, n))
    z = np.where(gal, rng.gamma(4, 0.035, n), z)
    ra, dec = np.sort((uni(n) * 112 + 308) % 360), uni(n) * 2.52 - 1.26
    c["objID"] = np.int64(8647474690000000000) + np.arange(n) * 65537 + rng.integers(0, 999, n)
    c["thingId"] = 91000000 + np.arange(n) * 13
    c["iauname"] = [
        f"J{int(a / 15):02d}{int(a * 4 % 60):02d}{a * 240 % 60:05.2f}"
        f"{'+' if d >= 0 else '-'}{int(abs(d)):02d}{abs(d) * 60 % 60:04.1f}"
        for a, d in zip(ra, dec)
    ]
    c["ra"], c["dec"] = ra, dec
    c["raErr"], c["decErr"] = rng.gamma(4, 0.01, n), rng.gamma(4, 0.01, n)
    c["ra_hr"], c["stripe"], c["strip"] = ra / 15, np.full(n, 82), rng.choice(["N", "S"], n)
    c["l"], c["b"] = (ra * 0.9 + 60 + dec) % 360, -62 + 20 * np.cos(np.radians(ra * 2)) + dec
    c["camcol"] = np.clip(((dec + 1.26) / 0.42).astype(int) + 1, 1, 6)
    c["field"], c["htmID"] = rng.integers(11, 780, n), rng.integers(10**13, 2 * 10**13, n)
    c["class"], c["type"] = cls, np.where(gal & (uni(n) < 0.97), 3, 6)
    lum = rng.choice(
        ["M0", "M3", "K5", "G2", "F9", "A0", "WD"], n, p=[0.22, 0.2, 0.2, 0.17, 0.12, 0.06, 0.03]
    )
    sub = rng.choice(["STARFORMING", "STARBURST", "AGN"], n, p=[0.68, 0.2, 0.12])
    c["subClass"] = np.where(
        star,
        lum,
        np.where(early, None, np.where(gal, sub, np.where(uni(n) < 0.8, "BROADLINE", None))),
    ).astype(object)
    c["mode"], c["clean"] = np.where(uni(n) < 0.93, 1, 2), bit(0.88)
    c["insideMask"], c["isPrimary"] = bit(0.03), bit(0.94)
    c["firstObsDate"] = pd.Timestamp("1998-09-19") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    c["specDate"] = (
        pd.Series(pd.Timestamp("2000-09-05") + pd.to_timedelta(rng.integers(0, 2900, n), "D"))
        .where(uni(n) < 0.9)
        .to_numpy()
    )
    c["specObjID"] = [
        None if u < 0.1 else f"{p}-{51800 + p}-{f:03d}"
        for u, p, f in zip(uni(n), rng.integers(370, 1100, n), rng.integers(1, 641, n))
    ]
    c["survey"] = rng.choice(["sdss", "boss", "segue1"], n, p=[0.62, 0.28, 0.1])
    c["z"], c["zErr"] = z, np.abs(nor(0, 1e-4, n)) * (1 + 5 * qso)
    c["zWarning"] = rng.choice([0, 4, 16, 128], n, p=[0.93, 0.04, 0.02, 0.01])
    c["vDisp"] = gone(np.where(early, nor(215, 45, n), nor(110, 35, n)).clip(30), gal)
    c["snMedian"] = rng.gamma(4, 3.5, n)
    c["EBV"] = ebv = rng.gamma(5, 0.009, n) * (1 + 0.8 * (ra > 300))
    # magnitudes by class: galaxies early are redder; quasars are blue in u-g
    r0 = np.where(gal, nor(17.6, 1.0, n), np.where(star, nor(18.1, 1.5, n), nor(19.1, 0.8, n)))
    temp = {"M0": 1.3, "M3": 1.6, "K5": 0.9, "G2": 0.45, "F9": 0.3, "A0": -0.1, "WD": -0.3}
    hot = pd.Series(lum).map(temp).to_numpy(dtype=float)
    gr = nor(np.where(early, 0.82 + z, np.where(gal, 0.5 + 0.6 * z, np.where(qso, 0.2, hot))), 0.08)
    ug = np.where(qso, 0.25 + 0.12 * z, np.where(early, 1.8, np.where(gal, 1.3, 1 + 0.9 * hot)))
    col = {"u": nor(gr + ug, 0.1), "g": gr, "r": 0, "i": -0.45 * gr, "z": nor(-0.7 * gr, 0.05)}
    mag = {b: r0 + col[b] for b in BANDS}
    size = np.where(gal, np.exp(nor(1.3, 0.35, n) - 0.1 * (r0 - 17.6)), 0.75)
    conc = np.where(early, nor(3.1, 0.2, n), np.where(gal, nor(2.25, 0.2, n), nor(2, 0.05, n)))
    kext = dict(zip(BANDS, [5.155, 3.793, 2.751, 2.086, 1.479]))
    for b in BANDS:
        err = 0.008 + 0.02 * 10 ** (0.3 * (mag[b] - 20))
        for kind, off in [
            ("psf", 0.35 * gal),
            ("fiber", 0.2),
            ("petro", -0.02),
            ("model", 0.0),
            ("cModel", 0.0),
            ("deV", -0.05),
            ("exp", 0.05),
        ]:
            c[f"{kind}Mag_{b}"] = mag[b] + off + nor(0, 1, n) * err
            c[f"{kind}MagErr_{b}"] = err * np.exp(nor(0, 0.2, n))
        c[f"dered_{b}"], c[f"extinction_{b}"] = mag[b] - kext[b] * ebv, kext[b] * ebv
        c[f"petroRad_{b}"] = size * 2 * np.exp(nor(0, 0.05, n))
        r50 = c[f"petroR50_{b}"] = size * np.exp(nor(0, 0.04, n))
        c[f"petroR90_{b}"] = r50 * conc
        c[f"deVRad_{b}"], c[f"expRad_{b}"] = size * 1.3, size * 0.9 * np.exp(nor(0, 0.1, n))
        c[f"deVAB_{b}"], c[f"expAB_{b}"] = rng.beta(5, 2, n), rng.beta(4, 2, n)
        c[f"fracDeV_{b}"] = np.clip(np.where(early, nor(0.9, 0.1, n), nor(0.25, 0.2, n)), 0, 1)
        c[f"sky_{b}"] = nor({"u": 22.2, "g": 21.9, "r": 20.9, "i": 20.2, "z": 18.9}[b], 0.15, n)
        c[f"lnLStar_{b}"] = np.where(gal, -rng.gamma(2, 400, n), -rng.gamma(2, 0.3, n))
        c[f"type_{b}"] = np.where(gal & (uni(n) < (0.9 if b != "u" else 0.6)), 3, 6)
        c[f"nProf_{b}"] = np.clip((5 + size * 1.6 + nor(0, 1, n)).astype(int), 4, 15)
        odds = {
            "bin1": 0.97,
            "blended": 0.4 * gal + 0.1,
            "child": 0.4 * gal + 0.1,
            "satur": 0.6 * (r0 < 15.5) + 0.002,
        }
        c |= {f"{f}_{b}": bit(odds.get(f, 0.05)) for f in NAMES["flags"]}
        for k in range(15):
            val = 10 ** (0.4 * (22.5 - mag[b])) * np.exp(-(k * 1.1) / (1 + size)) / (1 + k)
            c[f"profMean_{b}_{k:02d}"] = gone(val, c[f"nProf_{b}"] > k)
            c[f"profErr_{b}_{k:02d}"] = gone(val * 0.04 + 0.002, c[f"nProf_{b}"] > k)
    # repeat runs: quasars wander, later runs have better seeing and brighter sky in u
    amp = np.where(gal, 0.015, np.where(qso, 0.24, np.where(uni(n) < 0.04, 0.3, 0.02)))
    walk = nor(0, 1, n)
    for k, run in enumerate(RUNS):
        have, walk = uni(n) < (0.55 if k < 3 else 0.86), 0.8 * walk + 0.6 * nor(0, 1, n)
        mjd, am = 51080 + k * 79 + (k % 5) * 3 + uni(n) * 0.2, 1.15 + rng.gamma(2, 0.05, n)
        c[f"mjd_{run:06d}"], c[f"airmass_{run:06d}"] = gone(mjd, have), gone(am, have)
        c[f"photometric_{run:06d}"] = text(np.where(uni(n) < 0.5 + 0.012 * k, "Y", "N"), have)
        for j, b in enumerate(BANDS):
            err = 0.01 + 0.02 * 10 ** (0.3 * (mag[b] - 20))
            flare = (run == 4203) * (np.arange(n) == np.flatnonzero(star)[17]) * (4.6 - 0.7 * j)
            light = mag[b] + walk * amp * (1.3 - 0.15 * j) + err * nor(0, 1, n) - flare
            c[f"psfMag_{b}_{run:06d}"] = gone(light, have)
            c[f"psfMagErr_{b}_{run:06d}"] = gone(err * np.exp(nor(0, 0.2, n)), have)
            fwhm = nor(1.55 - 0.011 * k - 0.05 * j + 0.3 * (am - 1.2), 0.08)
            c[f"psffwhm_{b}_{run:06d}"] = gone(fwhm, have)
            sky = [1.4, 1.7, 4.2, 8, 27][j] * (1 + (0.012 if b == "u" else 0.001) * k)
            c[f"skyflux_{b}_{run:06d}"] = gone(sky * np.exp(nor(0, 0.06, n)), have)
            c[f"clean_{b}_{run:06d}"] = gone(bit(0.9 - 0.1 * (b == "z")), have)
    for b in BANDS:
        lc = np.vstack([c[f"psfMag_{b}_{run:06d}"] for run in RUNS])
        c[f"lc_n_{b}"], med, sd = np.isfinite(lc).sum(0), np.nanmedian(lc, 0), np.nanstd(lc, 0)
        c[f"lc_median_{b}"], c[f"lc_rms_{b}"] = med, sd
        c[f"lc_min_{b}"], c[f"lc_max_{b}"] = np.nanmin(lc, 0), np.nanmax(lc, 0)
        c[f"lc_chi2pdf_{b}"] = (sd / np.nanmean(c[f"psfMagErr_{b}_002728"])) ** 2
        c[f"lc_skew_{b}"] = np.nanmean(((lc - np.nanmean(lc, 0)) / sd) ** 3, 0)
        c[f"lc_stetsonJ_{b}"], c[f"lc_logP_{b}"] = sd * 9 * np.exp(nor(0, 0.2, n)), nor(0.2, 0.9, n)
        c[f"lc_tau_{b}"] = gone(10 ** nor(2.3, 0.3, n), qso)
        c[f"lc_isvar_{b}"] = (sd > 0.1 + 0.02 * (b == "u")).astype(np.int8)
    # 2MASS and WISE
    tm, wise = (r0 < 18) & (uni(n) < 0.95), uni(n) < 0.85
    for k, b in enumerate("jhk"):
        sig = 0.02 + 0.1 * 10 ** (0.35 * ((m := nor(r0 - 1.2 * gr - 0.9 - 0.45 * k, 0.08)) - 16))
        for name, v in [
            ("m", m),
            ("cmsig", sig),
            ("msigcom", sig * 1.08),
            ("snr", 1.086 / sig),
            ("psfchi", rng.gamma(8, 0.13, n)),
            ("m_stdap", nor(m, 0.05)),
        ]:
            c[f"{b}_{name}"] = gone(v, tm)
    c["ph_qual_2mass"] = text(["".join(q) for q in rng.choice(list("AAABBCDU"), (n, 3))], tm)
    c["rd_flg"] = text(rng.choice(["222", "221", "220", "111"], n, p=[0.8, 0.1, 0.07, 0.03]), tm)
    w12 = np.where(qso, nor(1.15, 0.15, n), np.where(gal, 0.1 + 1.2 * z, nor(0, 0.05, n)))
    w0 = r0 - 2.2 - gr
    for k in range(1, 5):
        m = w0 - w12 * (k > 1) - (k > 2) * (2.4 * (~star)) - (k > 3) * 1.5 + nor(0, 0.05, n)
        det, sig = wise & ((k < 3) | (uni(n) < 0.7)), 0.02 + 0.012 * k**2
        for name, v in [
            ("mpro", m),
            ("sigmpro", sig + rng.gamma(2, 0.01, n)),
            ("snr", nor(1.086 / sig, 2)),
            ("rchi2", rng.gamma(20, 0.05, n)),
            ("sat", uni(n) * 0.01),
            ("sky", nor(k * 9, 1, n)),
            ("nm", rng.integers(8, 14, n)),
            ("m", rng.integers(14, 40, n)),
        ]:
            c[f"w{k}{name}"] = gone(v, det)
        for a in range(1, 9):
            for name, v in [
                ("mag", nor(m + 0.9 / a - 0.1 - 0.05 * a * gal, 0.02)),
                ("sigm", sig * (1 + 0.1 * a)),
                ("flg", bit(0.12)),
            ]:
                c[f"w{k}{name}_{a}"] = gone(v, det)
    c["ph_qual_wise"] = text(["".join(q) for q in rng.choice(list("AAABBCDU"), (n, 4))], wise)
    c["cc_flags"] = text(rng.choice(["0000", "00dd", "hh00"], n, p=[0.88, 0.07, 0.05]), wise)
    c["ext_flg"] = gone(np.where(gal, rng.choice([0, 1, 5], n), 0), wise)
    # Gaia
    par, ga, ang = np.exp(nor(0.1, 0.8, n)), star & (uni(n) < 0.95), uni(n) * 6.283
    par[np.flatnonzero(ga)[40]] = 182.4
    for name, v in [
        ("parallax", par),
        ("parallax_error", rng.gamma(5, 0.02, n)),
        ("pmra", par * 9 * np.cos(ang)),
        ("pmdec", par * 9 * np.sin(ang)),
        ("pm", par * 9),
        ("distance_pc", 1000 / par),
        ("distance_kpc", 1 / par),
        ("teff_gspphot", nor(6300 - 1700 * hot, 150)),
        ("ruwe", rng.gamma(60, 0.017, n)),
        ("logg_gspphot", nor(4.3, 0.4, n)),
        ("mh_gspphot", nor(-0.6, 0.5, n)),
    ]:
        c[name] = gone(v, ga)
    c["radial_velocity"] = gone(nor(-20, 90, n), ga & (uni(n) < 0.6))
    for b, off in [("g", -0.1), ("bp", 0.3), ("rp", -0.7)]:
        c[f"phot_{b}_mean_mag"] = gone(r0 + off * (1 + gr), ga)
        c[f"phot_{b}_n_obs"] = gone(rng.integers(90, 420, n), ga)
    # spectroscopic lines, indices and stellar masses of galaxies
    mass = 10.2 + 0.55 * early - 0.42 * (r0 - 17.6) + 4 * (z - 0.14) + nor(0, 0.2, n)
    sfr = np.where(early, nor(-1.2, 0.4, n), 0.7 * (mass - 10) + nor(0.2, 0.3, n))
    for k, ln in enumerate(NAMES["lines"]):
        flux = 10 ** (sfr * 0.8 + 1.2 + 0.9 * (ln == "h_alpha") + 0.04 * (k % 7) + nor(0, 0.15, n))
        for name, v in [
            ("flux", flux),
            ("flux_err", flux * 0.06 + 0.8),
            ("eqw", -flux / 9),
            ("eqw_err", flux * 0.006 + 0.1),
            ("cont", rng.gamma(5, 4, n)),
            ("reqw", -flux / 10 / (1 + z)),
            ("chisq", rng.gamma(15, 0.07, n)),
            ("inst_res", nor(69, 2, n)),
        ]:
            c[f"{ln}_{name}"] = gone(v, gal)
    d4 = np.where(early, nor(1.8, 0.09, n), nor(1.3, 0.1, n))
    for ix in NAMES["lick"]:
        v = (nor(6, 1, n) - 4 * (d4 - 1)) if ix[:2] in ("hd", "hg") else 1 + 2 * d4 + nor(0, 0.5, n)
        c[f"lick_{ix}"], c[f"lick_{ix}_err"] = gone(v, gal), gone(rng.gamma(4, 0.1, n), gal)
        c[f"lick_{ix}_sub"] = gone(v + nor(0.1, 0.05, n), gal)
    for q, v in [("lgm_tot", mass), ("sfr_tot", sfr), ("specsfr_tot", sfr - mass)]:
        c |= {f"{q}_p{p}": gone(v + (p - 50) * 0.0035, gal) for p in (16, 50, 84)}
    c["d4000"], c["d4000_n"] = gone(nor(d4 * 1.12, 0.03), gal), gone(d4, gal)
    c["oh_p50"] = gone(8.7 + 0.3 * (mass - 10), gal & ~early)
    xmm = uni(n) < 0.1 + 0.5 * qso
    for k in range(1, 6):
        for cam in ["PN", "M1", "M2"]:
            f = 10 ** (nor(-14.3, 0.3, n) + 0.5 * qso - 0.05 * k)
            for name, v in [("FLUX", f), ("FLUX_ERR", f * 0.2), ("RATE", f * 8e11)]:
                c[f"{cam}_{k}_{name}"] = gone(v, xmm)
    c |= {f"SC_HR{k}": gone(nor(0.2 - 0.15 * k, 0.2, n), xmm) for k in range(1, 5)}
    c["SC_VAR_FLAG"] = text(np.where(uni(n) < 0.1, "T", "F"), xmm)
    first = uni(n) < 0.03 + 0.12 * qso
    c["fpeak"], c["fint"] = gone(10 ** nor(0.6, 0.5, n), first), gone(10 ** nor(0.7, 0.5, n), first)
    for s, m in [("2mass", tm), ("allwise", wise), ("gaia", ga), ("4xmm", xmm), ("first", first)]:
        c[f"in_{s}"] = m.astype(np.int8)
        c[f"sep_{s}"] = gone(rng.gamma(2, 0.2, n), m)
    for t in NAMES["targets"]:
        fit = (("qso" in t) & qso) | (("galaxy" in t) & gal) | (("star" in t) & star)
        c[f"prim_{t}"] = bit(0.35 * fit + 0.01)
    # Galaxy Zoo votes
    zoo = gal & (r0 < 18.4)
    for task, answers in GZ.items():
        base = np.vstack([rng.gamma(1 + 2 * (a == answers[0]), 1, n) for a in answers])
        base[:2] += 4 * task.startswith("t01") * np.vstack([early, ~early])
        tot = rng.integers(20, 50, n)
        for a, p in zip(answers, base / base.sum(0)):
            for name, v in [
                ("count", np.round(p * tot)),
                ("weighted_fraction", p),
                ("debiased", nor(p, 0.03).clip(0, 1)),
                ("flag", p > 0.8),
            ]:
                c[f"{task}_{a}_{name}"] = gone(v, zoo)
    spiral = rng.choice(["Sb", "Sc", "SBb", "Ser"], n)
    c["gz2class"] = text(np.where(early, rng.choice(["Er", "Ei", "Ec"], n), spiral), zoo)
    c["photoz"] = np.where(star, np.nan, np.abs(z + nor(0, 0.02, n) * (1 + z)))
    for k in range(60):
        g = np.exp(-0.5 * ((k * 0.02 + 0.01 - c["photoz"]) / 0.035) ** 2)
        c[f"pz_{k * 2:03d}"] = np.round(g / 4.4, 5)
    df = pd.DataFrame(c)
    words = [w for w in df if not (pd.api.types.is_numeric_dtype(df[w]) or df[w].dtype.kind == "M")]
    return df.assign(**{w: df[w].astype(object).where(df[w].notna(), None) for w in words})
