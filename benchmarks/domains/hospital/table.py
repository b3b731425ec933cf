"""Synthetic inpatient stays of a hospital: 1,500 rows and 927 columns, one row a stay."""

from pathlib import Path

import numpy as np
import pandas as pd

N = 1500
DX = dict(
    DM2=("Type 2 diabetes mellitus", 0.22),
    DM1=("Type 1 diabetes mellitus", 0.03),
    HTN=("Essential hypertension", 0.45),
    CHF=("Congestive heart failure", 0.14),
    AFIB=("Atrial fibrillation or flutter", 0.15),
    CAD=("Coronary artery disease", 0.18),
    AMI=("Acute myocardial infarction", 0.06),
    PVD=("Peripheral vascular disease", 0.07),
    CVA=("Ischaemic stroke", 0.07),
    TIA=("Transient ischaemic attack", 0.03),
    ICH=("Intracerebral haemorrhage", 0.02),
    COPD=("Chronic obstructive pulmonary disease", 0.13),
    ASTH=("Asthma", 0.09),
    PNA=("Pneumonia", 0.13),
    PE=("Pulmonary embolism", 0.03),
    DVT=("Deep vein thrombosis", 0.04),
    OSA=("Obstructive sleep apnoea", 0.08),
    CKD=("Chronic kidney disease, any stage", 0.16),
    ESRD=("End-stage renal disease", 0.03),
    AKI=("Acute kidney injury", 0.12),
    UTI=("Urinary tract infection", 0.11),
    SEPS=("Sepsis", 0.09),
    CELL=("Cellulitis", 0.05),
    OSTM=("Osteomyelitis", 0.02),
    ENDO=("Infective endocarditis", 0.01),
    MENG=("Meningitis", 0.01),
    CDIF=("Clostridioides difficile colitis", 0.02),
    HIV=("HIV infection", 0.01),
    HBV=("Hepatitis B", 0.01),
    HCV=("Hepatitis C", 0.03),
    CIRR=("Cirrhosis of the liver", 0.04),
    PANC=("Acute pancreatitis", 0.03),
    CHOL=("Cholecystitis / gallstones", 0.05),
    APPY=("Acute appendicitis", 0.03),
    DIVT=("Diverticulitis", 0.03),
    GIB=("Gastrointestinal bleeding", 0.05),
    PUD=("Peptic ulcer disease", 0.03),
    GERD=("Gastro-oesophageal reflux disease", 0.17),
    IBD=("Inflammatory bowel disease", 0.02),
    BOBS=("Bowel obstruction", 0.03),
    HERN=("Hernia", 0.04),
    HIPFX=("Hip fracture", 0.05),
    VERFX=("Vertebral fracture", 0.02),
    WRFX=("Wrist or forearm fracture", 0.02),
    OA=("Osteoarthritis", 0.16),
    RA=("Rheumatoid arthritis", 0.03),
    GOUT=("Gout", 0.05),
    OSTP=("Osteoporosis", 0.08),
    SLE=("Systemic lupus erythematosus", 0.01),
    DEM=("Dementia, any type", 0.09),
    DELR=("Delirium during the stay", 0.08),
    PARK=("Parkinson disease", 0.02),
    EPIL=("Epilepsy or seizure disorder", 0.04),
    MS=("Multiple sclerosis", 0.01),
    MIGR=("Migraine", 0.04),
    DEPR=("Depressive disorder", 0.15),
    ANX=("Anxiety disorder", 0.13),
    BIPD=("Bipolar disorder", 0.02),
    SCHZ=("Schizophrenia", 0.01),
    ETOH=("Alcohol use disorder", 0.06),
    OPUD=("Opioid use disorder", 0.03),
    HYPOT=("Hypothyroidism", 0.11),
    HYPRT=("Hyperthyroidism", 0.02),
    HLD=("Hyperlipidaemia (high cholesterol)", 0.34),
    OBES=("Obesity", 0.21),
    MALN=("Malnutrition", 0.06),
    ANEM=("Anaemia, any cause", 0.19),
    THRMB=("Thrombocytopenia", 0.05),
    HYPNA=("Hyponatraemia", 0.08),
    HYPRK=("Hyperkalaemia", 0.05),
    CALUN=("Malignant neoplasm of lung", 0.03),
    CABR=("Malignant neoplasm of breast", 0.03),
    CACOL=("Malignant neoplasm of colon or rectum", 0.03),
    CAPRO=("Malignant neoplasm of prostate", 0.02),
    LYMPH=("Lymphoma", 0.01),
    LEUK=("Leukaemia", 0.01),
    METS=("Metastatic cancer, any primary", 0.03),
    PRSUL=("Pressure ulcer", 0.05),
    FALL=("Fall as reason for or during the stay", 0.09),
    TRAUM=("Trauma, any", 0.06),
    BURN=("Burn", 0.01),
    OVDOS=("Drug overdose or poisoning", 0.02),
    SYNC=("Syncope", 0.04),
    BPH=("Benign prostatic hyperplasia", 0.05),
    NEPHL=("Kidney stones", 0.03),
    GLAUC=("Glaucoma", 0.03),
    CATAR=("Cataract", 0.04),
    COVID=("COVID-19, laboratory confirmed", 0.07),
    FLU=("Influenza, laboratory confirmed", 0.03),
)
PX = dict(
    CABG="Coronary artery bypass graft",
    PCI="Percutaneous coronary intervention",
    PACE="Pacemaker insertion",
    CARDV="Cardioversion",
    VALV="Heart valve repair or replacement",
    THR="Total hip replacement",
    TKR="Total knee replacement",
    ORIF="Open reduction internal fixation of fracture",
    SPINE="Spinal surgery",
    APPY="Appendicectomy",
    CHOLE="Cholecystectomy",
    COLEC="Colectomy",
    HERN="Hernia repair",
    EGD="Upper gastrointestinal endoscopy",
    COLNS="Colonoscopy",
    ERCP="Endoscopic retrograde cholangiopancreatography",
    BRONC="Bronchoscopy",
    THORC="Thoracentesis",
    CHTUB="Chest tube placement",
    TRACH="Tracheostomy",
    LP="Lumbar puncture",
    PARAC="Paracentesis",
    HD="Haemodialysis",
    CVC="Central venous catheter insertion",
    PICC="PICC line insertion",
    ARTL="Arterial line insertion",
    FOLEY="Urinary catheter insertion",
    TXRBC="Red cell transfusion",
    TXPLT="Platelet transfusion",
    TXFFP="Plasma transfusion",
    CTHD="CT scan of head",
    CTCH="CT scan of chest",
    CTAB="CT scan of abdomen or pelvis",
    MRIBR="MRI of brain",
    MRISP="MRI of spine",
    USAB="Ultrasound of abdomen",
    ECHO="Echocardiogram",
    CXR="Chest X-ray",
    ECG="Electrocardiogram",
    EEG="Electroencephalogram",
    NGT="Nasogastric tube",
    PEG="Gastrostomy tube",
    TPN="Total parenteral nutrition",
    WDBRD="Wound debridement",
    SKGR="Skin graft",
    AMPLE="Lower extremity amputation",
    CARTD="Carotid endarterectomy",
    TPA="Thrombolysis",
    PT="Physical therapy session",
    OT="Occupational therapy session",
    SLP="Speech therapy session",
)
MED = dict(
    INS="Insulin",
    METF="Metformin",
    SULF="Sulfonylurea",
    SGLT2="SGLT2 inhibitor",
    ACEI="ACE inhibitor",
    ARB="Angiotensin receptor blocker",
    BB="Beta blocker",
    CCB="Calcium channel blocker",
    LOOP="Loop diuretic (e.g. furosemide)",
    THIAZ="Thiazide diuretic",
    SPIR="Spironolactone",
    STAT="Statin",
    ASA="Aspirin",
    CLOP="Clopidogrel",
    WARF="Warfarin",
    DOAC="Direct oral anticoagulant",
    HEP="Heparin, unfractionated",
    LMWH="Low molecular weight heparin",
    AMIO="Amiodarone",
    DIGX="Digoxin",
    NITR="Nitrate",
    NOREP="Norepinephrine infusion",
    VASO="Vasopressin infusion",
    PIPT="Piperacillin-tazobactam",
    CEFT="Ceftriaxone",
    VANC="Vancomycin",
    MERO="Meropenem",
    AZIT="Azithromycin",
    DOXY="Doxycycline",
    METR="Metronidazole",
    CIPR="Ciprofloxacin",
    FLUCZ="Fluconazole",
    ACYC="Aciclovir",
    OSEL="Oseltamivir",
    REMD="Remdesivir",
    PRED="Prednisone or prednisolone",
    DEXA="Dexamethasone",
    ALBT="Salbutamol (albuterol)",
    IPRA="Ipratropium",
    ICS="Inhaled corticosteroid",
    PPI="Proton pump inhibitor",
    H2B="H2 blocker",
    OND="Ondansetron",
    LAXT="Laxative, any",
    MORP="Morphine",
    OXYC="Oxycodone",
    FENT="Fentanyl",
    TRAM="Tramadol",
    APAP="Paracetamol (acetaminophen)",
    NSAID="Non-steroidal anti-inflammatory drug",
    GABA="Gabapentin",
    SSRI="SSRI antidepressant",
    TCA="Tricyclic antidepressant",
    BENZ="Benzodiazepine",
    HALO="Haloperidol",
    QUET="Quetiapine",
    LEVET="Levetiracetam",
    PHEN="Phenytoin",
    LEVOD="Levodopa",
    DONEP="Donepezil",
    LEVTH="Levothyroxine",
    ALLOP="Allopurinol",
    COLC="Colchicine",
    METX="Methotrexate",
    FE="Iron, oral or intravenous",
    B12="Vitamin B12",
    VITD="Vitamin D",
    KCL="Potassium supplement",
    MGSUP="Magnesium supplement",
    PROP="Propofol infusion",
)
HX = dict(
    CABG="coronary bypass surgery",
    PCI="coronary stent",
    CVA="stroke",
    MI="heart attack",
    CA="any cancer",
    CHEMO="chemotherapy",
    RADTX="radiotherapy",
    TXPL="solid organ transplant",
    DVT="blood clot in leg or lung",
    FALL="fall in the last 12 months",
    HIPFX="hip fracture",
    SEIZ="seizure",
    DEPR="depression treatment",
    SUIC="suicide attempt",
    HOMEO2="oxygen at home",
    CPAP="CPAP at home",
    DIAL="dialysis before admission",
    MRSA="MRSA carriage",
    VRE="VRE carriage",
    CSECT="caesarean section",
    HYST="hysterectomy",
    APPY="appendix removal",
    CHOLE="gallbladder removal",
    JTREP="joint replacement",
    BARI="bariatric surgery",
)
FHX = dict(
    CAD="coronary artery disease",
    DM="diabetes",
    CVA="stroke",
    CABR="breast cancer",
    CACOL="colorectal cancer",
    HTN="hypertension",
    DEM="dementia",
    PSY="psychiatric illness",
)
ALG = dict(
    PCN="penicillin",
    SULFA="sulfa drugs",
    CEPH="cephalosporins",
    LATX="latex",
    CONTR="iodinated contrast",
    NSAID="NSAIDs",
    OPI="opioids",
    EGG="egg",
    NUT="nuts",
    SHELL="shellfish",
    ADHES="adhesive tape",
)
LAB = dict(
    NA=("Serum sodium", "mmol/L", 138, 4, 0),
    K=("Serum potassium", "mmol/L", 4.2, 0.5, 1),
    CL=("Serum chloride", "mmol/L", 102, 4, 0),
    HCO3=("Serum bicarbonate", "mmol/L", 25, 3, 0),
    BUN=("Blood urea nitrogen", "mg/dL", 20, 9, 0),
    CRE=("Serum creatinine", "mg/dL", 1.05, 0.3, 2),
    GLU=("Serum glucose", "mg/dL", 118, 25, 0),
    CA=("Serum calcium, total", "mg/dL", 9.1, 0.5, 1),
    MG=("Serum magnesium", "mg/dL", 2.0, 0.25, 1),
    PHOS=("Serum phosphate", "mg/dL", 3.5, 0.7, 1),
    ALB=("Serum albumin", "g/dL", 3.6, 0.5, 1),
    TBIL=("Total bilirubin", "mg/dL", 0.8, 0.4, 1),
    ALT=("Alanine aminotransferase", "U/L", 30, 14, 0),
    AST=("Aspartate aminotransferase", "U/L", 32, 14, 0),
    ALP=("Alkaline phosphatase", "U/L", 85, 25, 0),
    HGB=("Haemoglobin", "g/dL", 12.8, 1.8, 1),
    HCT=("Haematocrit", "%", 38.5, 5, 1),
    WBC=("White blood cell count", "10^9/L", 8.8, 2.8, 1),
    PLT=("Platelet count", "10^9/L", 235, 70, 0),
    NEUT=("Neutrophils", "%", 66, 10, 0),
    LYM=("Lymphocytes", "%", 22, 8, 0),
    INR=("International normalised ratio", "ratio", 1.15, 0.2, 2),
    CRP=("C-reactive protein", "mg/L", 38, 25, 1),
)
DR = dict(
    PH=("Arterial blood gas pH", "", 7.39, 0.05, 2),
    PCO2=("Arterial partial pressure of carbon dioxide", "mmHg", 41, 7, 0),
    PO2=("Arterial partial pressure of oxygen", "mmHg", 82, 16, 0),
    LACT=("Blood lactate", "mmol/L", 1.7, 0.7, 1),
    TROP=("High-sensitivity troponin", "ng/L", 16, 9, 0),
    CKMB=("Creatine kinase MB", "ng/mL", 3.2, 1.4, 1),
    DDIM=("D-dimer", "ng/mL FEU", 520, 260, 0),
    PCT=("Procalcitonin", "ng/mL", 0.4, 0.25, 2),
    BNP=("B-type natriuretic peptide", "pg/mL", 130, 70, 0),
)
VS = dict(
    HR=("Heart rate", "beats/min", 82, 12, 0),
    SBP=("Systolic blood pressure", "mmHg", 128, 16, 0),
    DBP=("Diastolic blood pressure", "mmHg", 74, 10, 0),
    RR=("Respiratory rate", "breaths/min", 18, 3, 0),
    TMP=("Body temperature", "deg C", 36.9, 0.45, 1),
    SPO2=("Oxygen saturation by pulse oximetry", "%", 96, 1.8, 0),
)
CNS = dict(
    CARD="cardiology",
    NEPH="nephrology",
    PULM="pulmonology",
    GI="gastroenterology",
    NEUR="neurology",
    ID="infectious diseases",
    ENDO="endocrinology",
    ONC="oncology",
    PSY="psychiatry",
    GERI="geriatrics",
    PALL="palliative care",
    SURG="general surgery",
    ORTH="orthopaedics",
    UROL="urology",
    DERM="dermatology",
    NUTR="dietitian",
    SW="social work",
    PHARM="clinical pharmacist",
)
CHG = dict(
    ROOM="Room and board",
    ICU="Intensive care accommodation",
    PHAR="Pharmacy",
    LAB="Laboratory",
    RAD="Radiology and imaging",
    OR="Operating room",
    ANES="Anaesthesia",
    SUPP="Medical supplies",
    THER="Physical, occupational and speech therapy",
    RESP="Respiratory therapy",
    BLD="Blood products",
    ED="Emergency department",
    DIAL="Dialysis",
    AMB="Ambulance",
)
CUL = dict(
    BLD="blood", URN="urine", SPT="sputum", WND="wound", CSF="cerebrospinal fluid", STL="stool"
)
SAT = [
    "nurses listened carefully",
    "doctors explained things clearly",
    "room was clean",
    "room was quiet at night",
    "pain was well controlled",
    "food quality",
    "help came quickly when called",
    "medicines were explained",
    "discharge instructions were clear",
    "would recommend the hospital",
]
WRD = dict(
    CAR="cardiology",
    GMD="general medicine",
    SUR="general surgery",
    ORT="orthopaedics",
    NEU="neurology",
    RSP="respiratory",
    ONC="oncology",
    GER="geriatrics",
)


def build():
    """Build the table and the description of each column."""
    r = np.random.default_rng(20210)
    C = {}
    D = {}

    def add(c, v, d):
        C[c] = v
        D[c] = d

    def miss(v, p):
        v = np.array(v, dtype=float)
        v[r.random(N) < p] = np.nan
        return v

    age = np.clip(np.round(r.normal(63, 18, N)), 18, 99).astype(int)
    sex = r.choice([1, 2], N, p=[0.47, 0.53])
    dx = {}
    old = (age - 63) / 18
    for k, (t, p) in DX.items():
        lo = np.log(p / (1 - p)) + (
            0.6 * old
            if k in ("HTN", "CHF", "AFIB", "CAD", "CKD", "OA", "DEM", "HIPFX", "OSTP", "CVA")
            else 0
        )
        f = r.random(N) < 1 / (1 + np.exp(-lo))
        if k in ("CAPRO", "BPH"):
            f &= sex == 1
        dx[k] = f.astype(int)
    dx["AKI"] = np.where((dx["SEPS"] == 1) & (r.random(N) < 0.4), 1, dx["AKI"])
    dx["CKD"] = np.where((dx["DM2"] == 1) & (r.random(N) < 0.15), 1, dx["CKD"])
    sev = (
        0.9 * dx["SEPS"]
        + 0.5 * dx["CHF"]
        + 0.5 * dx["AKI"]
        + 0.4 * dx["PNA"]
        + 0.2 * old
        + 0.6 * dx["METS"]
        + r.normal(0, 0.4, N)
    )
    wards = list(WRD)
    w = []
    for i in range(N):
        p = np.array([1, 2.4, 1.5, 1, 0.8, 0.8, 0.4, 0.7])
        p[0] += 3 * dx["CHF"][i] + 4 * dx["AMI"][i]
        p[3] += 12 * dx["HIPFX"][i]
        p[4] += 6 * dx["CVA"][i]
        p[5] += 2 * dx["COPD"][i] + 1.5 * dx["PNA"][i]
        p[6] += 5 * (dx["METS"][i] | dx["CALUN"][i])
        p[7] += 2 * (age[i] > 80)
        w.append(r.choice(wards, p=p / p.sum()))
    w = np.array(w)
    los = np.clip(np.round(np.exp(1.25 + 0.33 * sev + r.normal(0, 0.55, N))), 1, 60).astype(int)
    adm = pd.Timestamp("2020-07-01") + pd.to_timedelta(np.sort(r.integers(0, 730, N)), unit="D")
    dsc = pd.Series(adm + pd.to_timedelta(los, unit="D"))
    nod = r.random(N) < 0.035
    dsc[nod] = pd.NaT
    typ = r.choice([1, 2, 3, 9], N, p=[0.62, 0.27, 0.09, 0.02])
    typ = np.where((w == "ORT") & (r.random(N) < 0.4), 2, typ)
    died = r.random(N) < 1 / (1 + np.exp(-(-4.2 + 1.3 * sev)))
    disp = np.where(died, 5, r.choice([1, 2, 3, 4], N, p=[0.68, 0.14, 0.15, 0.03])).astype(float)
    disp[nod] = np.nan
    icu = (r.random(N) < 1 / (1 + np.exp(-(-2.3 + 1.2 * sev)))).astype(int)
    vent = ((icu == 1) & (r.random(N) < 0.4)).astype(int)
    add("ENC_ID", [f"E{400000 + i * 7}" for i in range(N)], "Encounter (stay) identifier, unique")
    pid = r.integers(10000, 11250, N)
    add(
        "PT_ID",
        [f"P{x}" for x in pid],
        "Pseudonymised patient identifier; a patient may have several stays",
    )
    add(
        "FAC_CD",
        r.choice(["N", "S", "C"], N, p=[0.3, 0.25, 0.45]),
        "Facility code: N = Northside, S = St Anne, C = Central campus",
    )
    add("ADM_DT", pd.Series(adm), "Admission date")
    add("ADM_HR", r.integers(0, 24, N), "Hour of admission, 0-23")
    add("DSCH_DT", dsc, "Discharge date (blank = not discharged or not recorded)")
    add(
        "LOS_D",
        np.where(nod, np.nan, los),
        "Length of stay in days (discharge date minus admission date)",
    )
    add("ADM_TYP", typ, "Admission type: 1 = emergency, 2 = elective, 3 = urgent, 9 = unknown")
    add(
        "ADM_SRC",
        r.choice([1, 2, 3, 4], N, p=[0.55, 0.25, 0.12, 0.08]),
        "Admission source: 1 = emergency department, 2 = physician referral, 3 = transfer from another hospital, 4 = skilled nursing facility",
    )
    add("WRD_ADM", w, "Ward of admission: " + ", ".join(f"{k} = {v}" for k, v in WRD.items()))
    add(
        "WRD_DSCH",
        np.where(r.random(N) < 0.8, w, r.choice(wards, N)),
        "Ward at discharge: same codes as WRD_ADM",
    )
    add("AGE_ADM", age, "Age in completed years at admission")
    add("SEX_CD", sex, "Sex: 1 = male, 2 = female")
    add(
        "MARST_CD",
        r.choice(["S", "M", "D", "W", "U"], N, p=[0.2, 0.45, 0.13, 0.18, 0.04]),
        "Marital status: S = single, M = married, D = divorced, W = widowed, U = unknown",
    )
    add(
        "LANG_CD",
        r.choice(["ENG", "SPA", "CHI", "ARA", "OTH"], N, p=[0.78, 0.12, 0.04, 0.02, 0.04]),
        "Preferred language: ENG = English, SPA = Spanish, CHI = Chinese, ARA = Arabic, OTH = other",
    )
    add(
        "INTRP_FL",
        (r.random(N) < 0.1).astype(int),
        "Interpreter used during stay (0 = no, 1 = yes)",
    )
    pay = np.where(
        (age >= 65) & (r.random(N) < 0.8),
        "MCR",
        r.choice(["MCR", "MCD", "COM", "SLF", "OTH"], N, p=[0.1, 0.24, 0.5, 0.1, 0.06]),
    )
    add(
        "PAYR_CD",
        pay,
        "Primary payer: MCR = Medicare, MCD = Medicaid, COM = commercial insurance, SLF = self-pay, OTH = other",
    )
    add(
        "PAYR2_CD",
        np.where(r.random(N) < 0.7, None, r.choice(["MCD", "COM", "OTH"], N)),
        "Secondary payer, same codes as PAYR_CD; blank = none",
    )
    add(
        "DSCH_DISP",
        disp,
        "Discharge disposition: 1 = home, 2 = home with home health care, 3 = skilled nursing or rehabilitation facility, 4 = left against medical advice, 5 = died in hospital",
    )
    add(
        "READM30_FL",
        np.where(died | nod, np.nan, (r.random(N) < 0.10 + 0.08 * dx["CHF"] + 0.05 * dx["COPD"])),
        "Unplanned readmission within 30 days of discharge (0 = no, 1 = yes; blank = died or not discharged)",
    )
    add(
        "ED_WAIT_MIN",
        np.where(typ == 1, np.round(r.gamma(3, 35, N)), np.nan),
        "Minutes waited in emergency department before admission (emergency admissions only)",
    )
    bmi = np.clip(r.normal(27.5 + 2.5 * dx["DM2"] + 5 * dx["OBES"], 4.3, N), 15, 60)
    ht = np.where(sex == 1, r.normal(175, 7, N), r.normal(162, 6.5, N))
    add("HT_CM", miss(ht.round(0), 0.06), "Height in centimetres")
    add("WT_ADM_KG", miss((bmi * (ht / 100) ** 2).round(1), 0.04), "Weight at admission, kg")
    add(
        "WT_DSCH_KG",
        miss((bmi * (ht / 100) ** 2 - r.normal(0.8, 1.5, N)).round(1), 0.3),
        "Weight at discharge, kg",
    )
    add("BMI_ADM", miss(bmi.round(1), 0.08), "Body mass index at admission, kg/m2")
    add(
        "SMK_ST",
        miss(r.choice([0, 1, 2], N, p=[0.5, 0.32, 0.18]), 0.05),
        "Smoking status: 0 = never, 1 = former, 2 = current",
    )
    add("ETOH_WK", miss(r.poisson(2.5, N), 0.15), "Alcoholic drinks per week, self-reported")
    add(
        "CODE_ST",
        r.choice(["FULL", "DNR", "DNI", "CMO"], N, p=[0.82, 0.11, 0.04, 0.03]),
        "Code status at admission: FULL = full resuscitation, DNR = do not resuscitate, DNI = do not intubate, CMO = comfort measures only",
    )
    add("ICU_FL", icu, "Any intensive care unit stay (0 = no, 1 = yes)")
    add(
        "ICU_HRS",
        np.where(icu == 1, np.round(r.gamma(2, 30, N) + 10 * sev.clip(0), 1), np.nan),
        "Hours in intensive care unit (blank = no ICU stay)",
    )
    add("VENT_FL", vent, "Invasive mechanical ventilation (0 = no, 1 = yes)")
    add(
        "VENT_HRS",
        np.where(vent == 1, np.round(r.gamma(2, 25, N), 1), np.nan),
        "Hours of invasive mechanical ventilation",
    )
    add(
        "NIV_FL",
        (r.random(N) < 0.04 + 0.15 * dx["COPD"]).astype(int),
        "Non-invasive ventilation, BiPAP or CPAP (0/1)",
    )
    add("ISO_FL", (r.random(N) < 0.07).astype(int), "Placed in isolation room (0/1)")
    add("RESTR_FL", (r.random(N) < 0.03).astype(int), "Physical restraints used (0/1)")
    add("FALL_INHOSP_FL", (r.random(N) < 0.025).astype(int), "Fell while in hospital (0/1)")
    add("HAPI_FL", (r.random(N) < 0.03).astype(int), "Hospital-acquired pressure injury (0/1)")
    add(
        "CLABSI_FL",
        (r.random(N) < 0.008).astype(int),
        "Central line associated bloodstream infection (0/1)",
    )
    add(
        "CAUTI_FL",
        (r.random(N) < 0.012).astype(int),
        "Catheter-associated urinary tract infection (0/1)",
    )
    add("NUM_WRD_TRF", r.poisson(0.6, N), "Number of ward transfers during stay")
    add(
        "PRIOR_ADM_12M",
        r.poisson(0.8, N),
        "Number of hospital admissions in the 12 months before this stay",
    )
    add(
        "CCI_SCR",
        (
            dx["DM2"]
            + dx["CHF"]
            + dx["COPD"]
            + dx["CVA"]
            + dx["DEM"]
            + dx["AMI"]
            + dx["PVD"]
            + 2 * dx["CKD"]
            + 3 * dx["CIRR"]
            + 6 * dx["METS"]
        ),
        "Charlson comorbidity index score",
    )
    add(
        "DRG_WT",
        np.round(np.exp(r.normal(0.2 + 0.25 * sev, 0.4)), 3),
        "Diagnosis-related group relative weight",
    )
    add("MDC_CD", r.integers(1, 26, N), "Major diagnostic category, 1-25")
    for k, (t, p) in DX.items():
        add("DX_" + k, dx[k], t + " (diagnosis flag: 0 = no, 1 = yes)")

    poa_k = [
        "PNA",
        "UTI",
        "SEPS",
        "AKI",
        "DVT",
        "PE",
        "DELR",
        "PRSUL",
        "CDIF",
        "COVID",
        "MALN",
        "ANEM",
        "GIB",
        "CVA",
        "AMI",
        "HYPNA",
        "HYPRK",
        "FALL",
    ]
    for k in poa_k:
        add(
            "POA_" + k,
            np.where(dx[k] == 1, r.choice(["Y", "N", "U"], N, p=[0.78, 0.17, 0.05]), None),
            DX[k][0]
            + ": present on admission indicator (Y = yes, N = no, arose in hospital, U = unknown; blank = no such diagnosis)",
        )
    add("DX_CNT", sum(dx.values()), "Number of diagnosis flags set")
    for k, t in PX.items():
        p = r.uniform(0.01, 0.12)
        p = {
            "CXR": 0.55,
            "ECG": 0.6,
            "FOLEY": 0.25,
            "PT": 0.4,
            "ECHO": 0.2 + 0.4 * dx["CHF"],
            "HD": 0.01 + 0.7 * dx["ESRD"],
            "THR": 0.01 + 0.4 * dx["HIPFX"],
            "CTHD": 0.06 + 0.8 * dx["CVA"],
            "PCI": 0.01 + 0.5 * dx["AMI"],
            "CHOLE": 0.01 + 0.5 * dx["CHOL"],
            "TXRBC": 0.05 + 0.3 * dx["GIB"],
        }.get(k, p)
        add("PX_" + k, (r.random(N) < p).astype(int), t + " performed (0 = no, 1 = yes)")
    for k, t in MED.items():
        p = r.uniform(0.02, 0.2)
        p = {
            "INS": 0.04 + 0.5 * dx["DM2"] + 0.4 * dx["DM1"],
            "METF": 0.01 + 0.45 * dx["DM2"],
            "LOOP": 0.08 + 0.65 * dx["CHF"],
            "STAT": 0.15 + 0.45 * dx["HLD"],
            "WARF": 0.02 + 0.2 * dx["AFIB"],
            "APAP": 0.6,
            "VANC": 0.07 + 0.4 * dx["SEPS"],
            "PIPT": 0.05 + 0.4 * dx["SEPS"],
            "LEVTH": 0.01 + 0.8 * dx["HYPOT"],
            "LAXT": 0.4,
            "PPI": 0.3 + 0.3 * dx["GERD"],
            "REMD": 0.45 * dx["COVID"],
            "OSEL": 0.6 * dx["FLU"],
        }.get(k, p)
        add("MED_" + k, (r.random(N) < p).astype(int), t + " given during stay (0/1)")
    for k in list(MED)[:22] + [
        "PRED",
        "ALBT",
        "ICS",
        "PPI",
        "OXYC",
        "GABA",
        "SSRI",
        "BENZ",
        "LEVTH",
        "ALLOP",
        "LEVOD",
        "DONEP",
    ]:
        add(
            "HMED_" + k,
            np.where(r.random(N) < 0.75, C["MED_" + k], r.random(N) < 0.08).astype(int),
            MED[k] + " on home medication list before admission (0/1)",
        )
    add(
        "MED_CNT_DSCH",
        miss(r.poisson(7 + sev.clip(0)), 0.05),
        "Number of medicines on discharge list",
    )
    for k, t in HX.items():
        add("HX_" + k, (r.random(N) < r.uniform(0.02, 0.15)).astype(int), f"History of {t} (0/1)")
    for k, t in FHX.items():
        add(
            "FHX_" + k,
            miss(r.random(N) < r.uniform(0.05, 0.25), 0.12),
            f"Family history of {t} (0/1)",
        )
    for k, t in ALG.items():
        add(
            "ALG_" + k,
            (r.random(N) < {"PCN": 0.11}.get(k, 0.025)).astype(int),
            f"Recorded allergy to {t} (0/1)",
        )
    for k, (t, u, m, s, nd) in LAB.items():
        b = r.normal(m, s * 0.8, N)
        if k == "GLU":
            b += 55 * dx["DM2"] + 70 * dx["DM1"]
        if k == "CRE":
            b += 0.9 * dx["CKD"] + 0.8 * dx["AKI"] + 3 * dx["ESRD"]
        if k == "BUN":
            b += 12 * dx["CKD"] + 10 * dx["AKI"]
        if k == "HGB":
            b -= 2.3 * dx["ANEM"] + 0.9 * (sex == 2)
        if k == "HCT":
            b -= 6 * dx["ANEM"]
        if k == "WBC":
            b += 5 * dx["SEPS"] + 2.5 * dx["PNA"]
        if k == "CRP":
            b += 90 * dx["SEPS"] + 40 * dx["PNA"]
        if k == "INR":
            b += 1.1 * C["MED_WARF"]
        if k == "NA":
            b -= 7 * dx["HYPNA"]
        if k == "K":
            b += 1.3 * dx["HYPRK"]
        if k == "PLT":
            b -= 100 * dx["THRMB"]
        if k == "TBIL":
            b += 2 * dx["CIRR"]
        for d in range(1, 8):
            v = b + r.normal(0, s * 0.5, N) + (-0.05 * s * d if k in ("CRP", "WBC") else 0)
            v = np.round(np.clip(v, m * 0.15, None), nd)
            v[(los < d) | (r.random(N) < 0.06 + 0.02 * d)] = np.nan
            add(f"LAB_{k}_D{d}", v, f"{t}, {u}, hospital day {d}")
        v = np.round(np.clip(b + r.normal(0, s * 0.4, N), m * 0.15, None), nd)
        v[nod | (r.random(N) < 0.12)] = np.nan
        add(f"LAB_{k}_DSC", v, f"{t}, {u}, last value before discharge")
    add(
        "LAB_HBA1C",
        np.where(
            r.random(N) < 0.55,
            np.nan,
            np.round(r.normal(5.6 + 2 * dx["DM2"] + 2.2 * dx["DM1"], 0.6), 1),
        ),
        "Glycated haemoglobin (HbA1c), %, once per stay",
    )
    add(
        "LAB_TSH",
        miss(np.round(r.lognormal(0.7, 0.5, N), 2), 0.6),
        "Thyroid stimulating hormone, mIU/L, once per stay",
    )
    for k, t in dict(
        TC="Total cholesterol", LDL="LDL cholesterol", HDL="HDL cholesterol", TRIG="Triglycerides"
    ).items():
        add(
            "LAB_" + k,
            miss(
                np.round(
                    r.normal(
                        dict(TC=182, LDL=105, HDL=49, TRIG=140)[k],
                        dict(TC=35, LDL=28, HDL=12, TRIG=50)[k],
                        N,
                    ).clip(15)
                ),
                0.6,
            ),
            t + ", mg/dL, once per stay",
        )
    add(
        "LAB_FERR",
        miss(np.round(r.lognormal(4.8, 0.8, N)), 0.7),
        "Serum ferritin, ng/mL, once per stay",
    )
    add(
        "LAB_VITD",
        miss(np.round(r.normal(27, 9, N).clip(4), 1), 0.7),
        "25-hydroxy vitamin D, ng/mL, once per stay",
    )
    for k, (t, u, m, s, nd) in DR.items():
        b = r.normal(m, s * 0.7, N)
        if k == "LACT":
            b += 2 * dx["SEPS"]
        if k == "TROP":
            b += 600 * dx["AMI"] * r.random(N)
        if k == "BNP":
            b += 700 * dx["CHF"]
        if k == "DDIM":
            b += 1800 * (dx["PE"] | dx["DVT"])
        if k == "PCT":
            b += 3 * dx["SEPS"]
        if k == "PCO2":
            b += 7 * dx["COPD"]
        has = r.random(N) < 0.6
        for d in range(1, 6):
            v = np.round(np.clip(b + r.normal(0, s * 0.5, N), m * 0.1, None), nd)
            has = has & (r.random(N) < (1 if d == 1 else 0.75))
            v = np.where(has, v, np.nan)
            add(f"DRW{d}_{k}", v, f"{t}{', ' + u if u else ''}, draw number {d}")
    for d in range(1, 6):
        add(
            f"DRW{d}_HRS",
            np.where(
                np.isnan(C[f"DRW{d}_LACT"]), np.nan, np.round((d - 1) * 6 + r.gamma(2, 1, N), 1)
            ),
            f"Hours from admission to draw number {d}",
        )
    for k, (t, u, m, s, nd) in VS.items():
        b = r.normal(m, s * 0.7, N) + {
            "HR": 9 * dx["SEPS"] + 6 * dx["AFIB"],
            "SBP": 8 * dx["HTN"] - 14 * dx["SEPS"],
            "TMP": 0.8 * dx["SEPS"] + 0.3 * dx["PNA"],
            "SPO2": -2 * dx["COPD"] - 1.5 * dx["PNA"],
            "RR": 3 * dx["PNA"],
        }.get(k, 0)
        for d in range(1, 8):
            mn = b + r.normal(0, s * 0.3, N)
            lo_ = mn - np.abs(r.normal(0, s * 0.7, N))
            hi = mn + np.abs(r.normal(0, s * 0.7, N))
            na = (los < d) | (r.random(N) < 0.03)
            for a, v, x in (("MN", lo_, "minimum"), ("MX", hi, "maximum"), ("AV", mn, "mean")):
                v = np.round(
                    np.minimum(v, 100) if k == "SPO2" else v, max(nd, 1) if a == "AV" else nd
                )
                v[na] = np.nan
                add(f"VS_{k}_{a}_D{d}", v, f"{t}, {u}, {x} on hospital day {d}")
    for k, t, lo_, hi in (
        ("SOFA", "Sequential organ failure assessment score", 0, 24),
        ("GCS", "Glasgow coma scale, total", 3, 15),
        ("PAIN", "Highest pain score, 0-10", 0, 10),
        ("BRAD", "Braden pressure ulcer risk score", 6, 23),
        ("MORSE", "Morse fall risk score", 0, 125),
        ("NEWS", "National early warning score, highest", 0, 20),
        ("CAM", "Confusion assessment method (0 = negative, 1 = positive)", 0, 1),
        (
            "MOB",
            "Mobility level: 1 = bedbound, 2 = chair, 3 = walks with help, 4 = independent",
            1,
            4,
        ),
    ):
        for d in range(1, 8):
            v = {
                "SOFA": r.poisson((0.8 + 1.5 * sev).clip(0.2)),
                "GCS": 15 - r.poisson(0.4 + 1.2 * dx["DELR"] + 1 * dx["CVA"]),
                "PAIN": r.binomial(10, 0.35, N),
                "BRAD": np.round(r.normal(18, 2.5, N)),
                "MORSE": 5 * np.round(r.normal(9 + 2 * old, 3)),
                "NEWS": r.poisson((2 + 1.5 * sev).clip(0.3)),
                "CAM": (r.random(N) < 0.04 + 0.5 * dx["DELR"]).astype(int),
                "MOB": r.choice([1, 2, 3, 4], N, p=[0.12, 0.2, 0.35, 0.33]),
            }[k]
            v = np.clip(v, lo_, hi).astype(float)
            v[(los < d) | (r.random(N) < 0.08)] = np.nan
            add(f"{k}_D{d}", v, f"{t}, hospital day {d}")
    for k, t, m, s in (
        ("IN_PO", "Oral fluid intake", 1100, 400),
        ("IN_IV", "Intravenous fluid intake", 900, 500),
        ("OUT_UR", "Urine output", 1500, 500),
        ("OUT_DRN", "Drain output", 60, 60),
        ("O2LPM", "Oxygen flow, highest, L/min", 2, 2),
        ("INSU", "Insulin units given", 6, 6),
    ):
        for d in range(1, 8):
            v = np.round(np.clip(r.normal(m, s, N), 0, None), 0)
            v[(los < d) | (r.random(N) < 0.1)] = np.nan
            add(
                f"{'IO_' if k[:2] in ('IN', 'OU') and k != 'INSU' else 'TX_'}{k}_D{d}",
                v,
                f"{t}{', mL' if k not in ('O2LPM', 'INSU') else ''}, hospital day {d}",
            )
    org = ["E_COLI", "S_AUR", "KLEB", "PSEUD", "ENTC", "CANDA"]
    for k, t in CUL.items():
        done = r.random(N) < {"BLD": 0.3, "URN": 0.35}.get(k, 0.1)
        add(f"CUL_{k}_FL", done.astype(int), f"Culture of {t} taken (0/1)")
        add(
            f"CUL_{k}_RES",
            np.where(done, r.choice(["NEG", "POS", "CONT"], N, p=[0.7, 0.22, 0.08]), None),
            f"Culture of {t}, result: NEG = negative, POS = positive, CONT = contaminated; blank = not taken",
        )
        add(
            f"CUL_{k}_ORG",
            np.where(C[f"CUL_{k}_RES"] == "POS", r.choice(org, N), None),
            f"Organism grown from {t}: E_COLI = Escherichia coli, S_AUR = Staphylococcus aureus, KLEB = Klebsiella, PSEUD = Pseudomonas, ENTC = Enterococcus, CANDA = Candida",
        )
    for k, t in CNS.items():
        add(
            f"CNS_{k}_FL",
            (r.random(N) < r.uniform(0.04, 0.2)).astype(int),
            f"Consultation by {t} (0/1)",
        )
        add(
            f"CNS_{k}_N",
            C[f"CNS_{k}_FL"] * (1 + r.poisson(0.6, N)),
            f"Number of consultations by {t}",
        )
    tot = 0
    for k, t in CHG.items():
        v = {
            "ROOM": 1250 * los,
            "ICU": icu * np.nan_to_num(C["ICU_HRS"]) * 140,
            "PHAR": r.gamma(2, 700, N) * (1 + 0.3 * sev.clip(0)),
            "LAB": r.gamma(3, 350, N),
            "ED": np.where(typ == 1, r.gamma(3, 500, N), 0),
            "DIAL": C["PX_HD"] * r.gamma(3, 800, N),
            "OR": np.where(np.isin(w, ["SUR", "ORT"]), r.gamma(3, 2500, N), 0),
            "BLD": C["PX_TXRBC"] * r.gamma(2, 500, N),
        }.get(k, r.gamma(1.5, 500, N))
        v = np.round(v, 2)
        tot = tot + v
        add(f"CHG_{k}", v, f"Charges, {t}, US dollars")
    add("CHG_TOT", np.round(tot, 2), "Total charges for the stay, US dollars")
    add(
        "PMT_TOT",
        miss(np.round(tot * r.uniform(0.25, 0.7, N), 2), 0.08),
        "Total payments received, US dollars",
    )
    add(
        "PMT_PT",
        miss(np.round(tot * r.uniform(0, 0.06, N), 2), 0.08),
        "Amount paid by the patient out of pocket, US dollars",
    )
    resp = r.random(N) < 0.4
    for i, t in enumerate(SAT, 1):
        add(
            f"SAT_Q{i:02d}",
            np.where(resp, r.choice([1, 2, 3, 4, 5], N, p=[0.04, 0.07, 0.17, 0.38, 0.34]), np.nan),
            f"Patient survey item {i}: {t} (1 = strongly disagree/very poor ... 5 = strongly agree/very good); blank = no response",
        )
    for k, t in dict(
        BATH="bathing",
        DRES="dressing",
        TOIL="toileting",
        TRAN="transferring",
        FEED="feeding",
        WALK="walking",
    ).items():
        for s, x in (("ADM", "at admission"), ("DSC", "at discharge")):
            add(
                f"ADL_{k}_{s}",
                miss(r.choice([0, 1, 2], N, p=[0.2, 0.3, 0.5]), 0.1 if s == "ADM" else 0.25),
                f"Activity of daily living, {t}, {x}: 0 = dependent, 1 = needs some help, 2 = independent",
            )
    for k, t in dict(
        HOUS="Housing insecure",
        FOOD="Food insecure",
        TRNS="Lacks transport",
        LIVAL="Lives alone",
        VIOL="Feels unsafe at home",
        UTIL="Trouble paying utilities",
    ).items():
        add(
            f"SDH_{k}",
            miss(r.random(N) < {"LIVAL": 0.3}.get(k, 0.1), 0.2),
            t + " (social needs screening: 0 = no, 1 = yes; blank = not screened)",
        )
    for k, t in dict(FLU="influenza", PNEU="pneumococcal", COV="COVID-19", TET="tetanus").items():
        add(
            f"VAX_{k}",
            miss(r.random(N) < 0.55, 0.1),
            f"Up to date with {t} vaccine at admission (0/1)",
        )
    for k, t in dict(
        PCP="primary care",
        CARD="cardiology",
        SURG="surgery",
        ORTH="orthopaedics",
        ONC="oncology",
        PSY="psychiatry",
    ).items():
        add(
            f"FU_{k}_DT",
            pd.Series(
                np.where(
                    (r.random(N) < (0.4 if k == "PCP" else 0.12)) & ~nod & ~died,
                    (dsc + pd.to_timedelta(r.integers(4, 45, N), unit="D")).values.astype(
                        "datetime64[ns]"
                    ),
                    np.datetime64("NaT", "ns"),
                )
            ),
            f"Date of booked {t} follow-up appointment",
        )
    # warehouse order: leave as built
    return pd.DataFrame(C), D


def make():
    """Build the table, the same at every call."""
    return build()[0]


def dictionary():
    """Describe the columns, one row a column."""
    return pd.DataFrame(build()[1].items(), columns=["column", "description"])


if __name__ == "__main__":
    dictionary().to_csv(Path(__file__).parent / "dictionary.csv", index=False)
