"""Synthetic people of a household panel: 1,200 rows and 1,005 columns, one row a respondent."""

import numpy as np
import pandas as pd

N = 1200
W = 8


def make():
    """Build the table, the same at every call."""
    r = np.random.default_rng(44127)
    c = {}
    REG = [
        "North East",
        "North West",
        "Yorkshire",
        "East Midlands",
        "West Midlands",
        "East of England",
        "London",
        "South East",
        "South West",
        "Wales",
        "Scotland",
        "Northern Ireland",
    ]
    ri = r.choice(12, N, p=[0.05, 0.12, 0.09, 0.08, 0.09, 0.09, 0.12, 0.13, 0.08, 0.05, 0.07, 0.03])
    c["respondent_id"] = r.permutation(np.arange(200001, 200001 + N))
    c["household_id"] = r.integers(50001, 50801, N)
    sex = r.choice(["Female", "Male"], N, p=[0.54, 0.46])
    c["sex"] = sex
    by = r.integers(1930, 1998, N)
    by[411] = 1924
    c["birth_year"] = by
    c["region"] = np.array(REG)[ri]
    c["urban_rural"] = r.choice(["Urban", "Rural"], N, p=[0.78, 0.22])
    ED = [
        "No qualification",
        "GCSE or equivalent",
        "A-level or equivalent",
        "Higher diploma",
        "Degree",
        "Postgraduate degree",
    ]
    ei = r.choice(6, N, p=[0.13, 0.24, 0.21, 0.12, 0.2, 0.1])
    ed = np.array(ED)[ei].astype(object)
    ed[r.random(N) < 0.02] = None
    c["education_highest"] = ed
    eth = r.choice(
        ["White", "Asian", "Black", "Mixed", "Other"], N, p=[0.84, 0.07, 0.04, 0.03, 0.02]
    ).astype(object)
    eth[r.random(N) < 0.01] = None
    c["ethnic_group"] = eth
    c["country_of_birth"] = r.choice(["UK", "Outside UK"], N, p=[0.88, 0.12])
    c["age_left_school"] = np.where(
        r.random(N) < 0.04,
        np.nan,
        r.choice([14, 15, 16, 17, 18], N, p=[0.05, 0.15, 0.45, 0.1, 0.25]),
    )
    c["father_occupation_class"] = r.choice(
        ["Managerial", "Intermediate", "Routine", "Not working"], N
    )
    c["mother_occupation_class"] = r.choice(
        ["Managerial", "Intermediate", "Routine", "Not working"], N
    )
    c["recruitment_sample"] = r.choice(["General population", "Boost sample"], N, p=[0.88, 0.12])
    c["siblings_number"] = r.poisson(1.8, N)
    c["ever_lived_abroad"] = (r.random(N) < 0.17).astype(int)
    c["handedness"] = r.choice(["Right", "Left"], N, p=[0.89, 0.11])
    reg_inc = np.where(ri == 6, 1.3, np.where(ri == 7, 1.17, np.where(ri == 0, 0.86, 1)))
    skill = r.normal(0, 0.35, N) + 0.13 * ei
    fam = r.normal(0, 1, N)
    ten = r.choice(5, N, p=[0.24, 0.36, 0.17, 0.2, 0.03])
    TEN = [
        "Owned outright",
        "Owned with mortgage",
        "Rented from council or housing association",
        "Rented privately",
        "Other",
    ]
    mar = r.choice(6, N, p=[0.28, 0.1, 0.46, 0.08, 0.06, 0.02])
    MAR = [
        "Single never married",
        "Living as couple",
        "Married",
        "Divorced",
        "Widowed",
        "Separated",
    ]
    smoke = r.random(N) < (0.28 - 0.035 * ei)
    gone = np.zeros(N, bool)
    own = {
        k: r.random(N) < p
        for k, p in dict(
            car=0.8,
            dishwasher=0.42,
            tumble_dryer=0.56,
            computer=0.8,
            smartphone=0.6,
            broadband=0.78,
            freezer=0.95,
            microwave=0.92,
            bicycle=0.42,
            dog=0.26,
            cat=0.22,
            garden=0.83,
            central_heating=0.94,
            second_home=0.05,
            games_console=0.35,
        ).items()
    }
    own["car"] = r.random(N) < np.where(ri == 6, 0.52, 0.84)
    ill = r.random(N) < np.clip(0.1 + 0.006 * (2014 - by - 25), 0.05, 0.6)
    for w in range(1, W + 1):
        age = 2013 + w - by
        o = {}
        leave = (r.random(N) < 0.035) & (w > 1)
        gone |= leave
        out = np.where(
            gone,
            r.choice(["Refusal", "Not contacted", "Moved away"], N, p=[0.5, 0.35, 0.15]),
            r.choice(
                ["Full interview", "Proxy interview", "Refusal", "Not contacted"],
                N,
                p=[0.9, 0.03, 0.03, 0.04] if w > 1 else [0.96, 0.04, 0, 0],
            ),
        )
        ok = out == "Full interview"
        px = out == "Proxy interview"
        o["interview_outcome"] = out
        dt = pd.Timestamp(2013 + w, 1, 10) + pd.to_timedelta(r.integers(0, 340, N), unit="D")
        o["interview_date"] = np.where(ok | px, dt.strftime("%Y-%m-%d"), None)

        def put(k, v, miss=0.02, proxy=False, *, o=o, ok=ok, px=px):
            v = np.asarray(v)
            m = ~(ok | px if proxy else ok) | (r.random(N) < miss)
            if v.dtype.kind in "iufb":
                v = v.astype(float)
                v[m] = np.nan
            else:
                v = v.astype(object)
                v[m] = None
            o[k] = v

        put(
            "interview_mode",
            r.choice(
                ["Face to face", "Telephone", "Web"], N, p=[0.9 - 0.08 * w, 0.06, 0.04 + 0.08 * w]
            ),
            0,
            True,
        )
        put("interview_minutes", np.clip(r.normal(46, 9, N), 15, None).round(), 0.01, True)
        mv = r.random(N) < 0.05
        ten = np.where(
            mv,
            np.where(
                ten >= 2,
                r.choice(5, N, p=[0.05, 0.5, 0.1, 0.33, 0.02]),
                r.choice(5, N, p=[0.4, 0.4, 0.04, 0.15, 0.01]),
            ),
            ten,
        )
        mm = r.random(N) < 0.03
        mar = np.where(
            mm,
            np.where(
                mar == 0, 1, np.where(mar == 1, 2, np.where(mar == 2, r.choice([3, 4, 5], N), mar))
            ),
            mar,
        )
        ret = age >= 66
        es = np.where(
            ret,
            "Retired",
            np.where(
                age < 20,
                "Student",
                r.choice(
                    [
                        "Employed full-time",
                        "Employed part-time",
                        "Self-employed",
                        "Unemployed",
                        "Looking after home",
                        "Long-term sick",
                        "Student",
                    ],
                    N,
                    p=[0.5, 0.17, 0.1, 0.07, 0.07, 0.06, 0.03],
                ),
            ),
        )
        work = np.isin(es, ["Employed full-time", "Employed part-time", "Self-employed"])
        ft = es == "Employed full-time"
        inc = (
            np.where(work, 1500 * np.where(ft, 1.15, 0.7), 820)
            * np.exp(skill)
            * reg_inc
            * np.where(sex == "Male", 1.14, 1)
            * 1.025**w
            * r.lognormal(0, 0.15, N)
        )
        hh = np.clip(1 + (mar == 2) + (mar == 1) + r.poisson(0.7, N), 1, 9)
        kids = np.where(age < 55, np.minimum(r.poisson(0.7, N), hh - 1), 0)
        hinc = inc * (1 + 0.55 * ((mar == 2) | (mar == 1))) + r.gamma(2, 150, N)
        put("marital_status", np.array(MAR)[mar], 0.01, True)
        put("household_size", hh, 0.005, True)
        put("children_in_household", kids, 0.005, True)
        put("housing_tenure", np.array(TEN)[ten], 0.01, True)
        put("rooms_in_home", np.clip(r.poisson(4.6, N), 1, 12), 0.02, True)
        put(
            "rent_monthly",
            np.where((ten == 2) | (ten == 3), r.normal(560, 130, N) * reg_inc, np.nan).round(),
        )
        put("mortgage_monthly", np.where(ten == 1, r.normal(690, 190, N) * reg_inc, np.nan).round())
        put("moved_home_since_last_wave", mv)
        put("income", inc.round(), 0.06)
        put("household_income", hinc.round(), 0.08)
        put("benefit_income", np.where(work, r.gamma(1, 60, N), r.gamma(2, 190, N)).round(), 0.05)
        put("savings_monthly", np.where(r.random(N) < 0.45, 0, r.gamma(1.3, 120, N)).round(), 0.07)
        put("debt_total", np.where(r.random(N) < 0.5, 0, r.lognormal(7.8, 1.1, N)).round(), 0.08)
        put("pension_contribution_monthly", np.where(work, inc * 0.04, 0).round(), 0.08)
        put(
            "financial_situation",
            r.choice(
                [
                    "Living comfortably",
                    "Doing alright",
                    "Just about getting by",
                    "Finding it difficult",
                ],
                N,
                p=[0.3, 0.37, 0.24, 0.09],
            ),
        )
        put("employment_status", es, 0.01, True)
        put(
            "hours_worked_weekly",
            np.where(
                work, np.where(ft, r.normal(39, 4, N), r.normal(24, 7, N)).clip(2), np.nan
            ).round(),
        )
        put("overtime_hours_weekly", np.where(work, r.poisson(2.4, N), np.nan))
        put(
            "commute_minutes",
            np.where(work, r.gamma(3, 8.5, N) * np.where(ri == 6, 1.55, 1), np.nan).round(),
        )
        put(
            "works_from_home",
            np.where(
                work, r.random(N) < (0.6 if w == 7 else 0.46 if w == 8 else 0.1 + 0.02 * w), np.nan
            ),
        )
        put("union_member", np.where(work, r.random(N) < 0.23, np.nan))
        put("second_job", np.where(work, r.random(N) < 0.07, np.nan))
        put(
            "job_satisfaction",
            np.where(work, np.clip(np.round(r.normal(4.9, 1.4, N)), 1, 7), np.nan),
        )
        put(
            "commute_mode",
            np.where(
                work,
                r.choice(
                    ["Car", "Bus", "Train", "Bicycle", "Walk"], N, p=[0.6, 0.1, 0.12, 0.06, 0.12]
                ),
                None,
            ),
        )
        put("fears_job_loss", np.where(work, r.random(N) < 0.13, np.nan))
        for k, m in dict(
            groceries=270,
            eating_out=70,
            electricity=52,
            gas=48,
            transport=110,
            clothing=60,
            leisure=85,
            phone_internet=48,
            alcohol=32,
        ).items():
            put(
                "spend_" + k,
                (
                    m
                    * r.lognormal(0, 0.4, N)
                    * hh**0.3
                    * (1 + 0.03 * w * (k in ("groceries", "electricity", "gas")))
                ).round(),
                0.04,
            )
        hl = np.clip(np.round(r.normal(2.4, 1, N) + ill * 1 + 0.008 * (age - 45)), 1, 5).astype(int)
        put("general_health", np.array(["Excellent", "Very good", "Good", "Fair", "Poor"])[hl - 1])
        ill = ill | (r.random(N) < 0.015)
        put("long_term_illness", ill)
        put("weight_kg", (np.where(sex == "Male", 84, 70) + r.normal(0, 13, N)).round(1), 0.06)
        smoke = smoke & (r.random(N) > 0.07)
        put("smoker", smoke)
        put("cigarettes_per_day", np.where(smoke, r.poisson(11, N), np.nan))
        put("drinking_days_per_week", r.binomial(7, 0.24, N))
        put("doctor_visits", r.poisson(2 + 3 * ill))
        put("hospital_nights", r.poisson(0.3 + 0.9 * ill))
        put("exercise_days_per_week", r.binomial(7, 0.33, N))
        put("sleep_hours", np.clip(r.normal(6.9, 1, N), 3, 11).round(1))
        put("fruit_veg_portions_daily", r.poisson(3.4, N))
        put("wears_glasses", r.random(N) < 0.58)
        put("hearing_aid", r.random(N) < np.where(age > 65, 0.2, 0.02))
        for k in [
            "concentration",
            "sleep_loss_worry",
            "useful_role",
            "decisions",
            "under_strain",
            "overcoming_difficulties",
            "enjoys_activities",
            "facing_problems",
            "unhappy_depressed",
            "losing_confidence",
            "worthless",
            "happy_overall",
        ]:
            put(
                "wellbeing_" + k,
                np.clip(np.round(r.normal(2 + 0.2 * fam + 0.2 * ill, 0.6, N)), 1, 4).astype(int),
            )
        for k, a in dict(
            life=0.0, health=-1.1, income=0.0, leisure=0, housing=0, social_life=0
        ).items():
            put(
                "satisfaction_" + k,
                np.clip(
                    np.round(
                        r.normal(
                            5
                            + a * ill
                            - 0.35 * fam
                            + (0.14 * ei - 0.3 if k in ("life", "income") else 0),
                            1.15,
                            N,
                        )
                    ),
                    1,
                    7,
                ),
            )
        for k, m in dict(
            police=6.3,
            parliament=4,
            newspapers=3.6,
            neighbours=6.5,
            courts=5.5,
            doctors=7.4,
            banks=4.5,
        ).items():
            put("trust_" + k, np.clip(np.round(r.normal(m - 0.3 * fam, 2, N)), 0, 10))
        for k, m in dict(
            climate_exaggerated=2.5,
            pay_more_for_green=3,
            own_behaviour_affects_environment=3.5,
            family_suffers_if_mother_works=2.4,
            both_should_earn=3.5,
            government_should_redistribute=3.3,
            private_enterprise_best=3,
            strong_unions_needed=3.1,
            immigration_enriches=3.1,
            one_law_for_rich=3.7,
            proud_of_country=3.8,
            neighbourhood_safe=3.7,
            people_can_be_trusted=3,
            technology_improves_life=3.6,
        ).items():
            if (
                k
                in (
                    "both_should_earn",
                    "strong_unions_needed",
                    "immigration_enriches",
                    "private_enterprise_best",
                )
                and w % 2 == 0
            ):
                continue
            put(
                "agree_" + k,
                np.clip(
                    np.round(
                        r.normal(m - (0.13 * ei - 0.3) * (k == "climate_exaggerated"), 1.05, N)
                    ),
                    1,
                    5,
                ),
            )
        for k, v in own.items():
            own[k] = np.where(r.random(N) < 0.03, ~v, v) | (
                (k in ("smartphone", "broadband")) & (r.random(N) < 0.12)
            )
            put("has_" + k, own[k], 0.015, True)
        for k, p in dict(
            child_benefit=np.where(kids > 0, 0.85, 0.01),
            housing_benefit=np.where((ten == 2) | (ten == 3), 0.4, 0.01),
            unemployment_benefit=np.where(es == "Unemployed", 0.7, 0.01),
            state_pension=np.where(ret, 0.96, 0.0),
            disability_benefit=np.where(ill, 0.15, 0.01),
        ).items():
            put("receives_" + k, r.random(N) < p)
        for k, p in dict(
            behind_with_rent=0.06,
            behind_with_bills=0.09,
            cannot_heat_home=0.06,
            cannot_afford_holiday=0.24,
            used_food_bank=0.03,
        ).items():
            put(k, r.random(N) < np.where(ten >= 2, 2 * p, 0.7 * p))
        put("tv_hours_daily", r.gamma(4, 0.75, N).round(1))
        put("internet_hours_daily", r.gamma(2 + 0.2 * w, 0.6, N).round(1))
        put("housework_hours_weekly", r.gamma(3, np.where(sex == "Female", 4.3, 2.2)).round())
        put("caring_hours_weekly", np.where(r.random(N) < 0.82, 0, r.gamma(2, 7, N)).round())
        if w % 2 == 0:
            put(
                "volunteering_hours_monthly",
                np.where(r.random(N) < 0.75, 0, r.gamma(2, 4, N)).round(),
            )
            put(
                "charity_donation_yearly",
                np.where(r.random(N) < 0.35, 0, r.lognormal(4, 1, N)).round(),
            )
            put(
                "religious_attendance",
                r.choice(["Weekly", "Monthly", "Yearly", "Never"], N, p=[0.12, 0.08, 0.25, 0.55]),
            )
        if w in (1, 4, 7):
            put("close_friends_number", r.poisson(4.8, N))
            put("gambled_last_year", r.random(N) < 0.46)
            put("museum_visit_last_year", r.random(N) < 0.2 + 0.07 * ei)
        put(
            "party_supported",
            r.choice(
                ["Conservative", "Labour", "Liberal Democrat", "Green", "Other", "None"],
                N,
                p=[0.27, 0.29, 0.09, 0.05, 0.1, 0.2],
            ),
            0.05,
        )
        put(
            "interest_in_politics",
            r.choice(["Very", "Fairly", "Not very", "Not at all"], N, p=[0.12, 0.34, 0.31, 0.23]),
        )
        put("voted_last_election", r.random(N) < np.clip(0.45 + 0.004 * age, 0.3, 0.9))
        o["survey_weight"] = np.where(ok, r.lognormal(0, 0.25, N).round(4), np.nan)
        for k, v in o.items():
            c[f"w{w}_{k}"] = v
    return pd.DataFrame(c)
