import csv, random, datetime
R = random.Random(382)
N = 540
trades = ['Electrician', 'Carpenter', 'Baker', 'Painter', 'Plumber', 'Car mechatronic', 'Hairdresser', 'Roofer', 'Cook']
regions = ['North', 'Coast', 'Lake District', 'Capital', 'South', 'Highlands']
towns = ['Arnsfeld', 'Belmore', 'Cresting', 'Dunholm', 'Eastwick', 'Farrow', 'Glenhaven', 'Hollum', 'Inverley', 'Jarrow Mills']
fn = ['Ada', 'Ben', 'Cem', 'Dana', 'Elif', 'Finn', 'Greta', 'Hana', 'Ivo', 'Jonas', 'Kira', 'Leo', 'Mina', 'Nils', 'Olga', 'Paul', 'Rosa', 'Sami', 'Tara', 'Yusuf']
ln = ['Adler', 'Bauer', 'Conrad', 'Demir', 'Ebert', 'Falk', 'Graf', 'Haas', 'Ilic', 'Jansen', 'Keller', 'Lorenz', 'Mertens', 'Novak', 'Otto', 'Peters', 'Roth', 'Sauer', 'Thiel', 'Vogel', 'Winter', 'Yilmaz', 'Ziegler', 'Arslan', 'Berg', 'Cramer', 'Dietz']
items = ['instructor_explains_well', 'instructor_has_time', 'tasks_varied', 'tasks_match_trade', 'tools_modern', 'workplace_safe', 'breaks_respected', 'colleagues_helpful', 'treated_fairly', 'feedback_regular', 'mistakes_discussed', 'unpaid_chores', 'shouted_at', 'overtime_expected', 'overtime_compensated', 'training_plan_known', 'training_plan_followed', 'report_book_checked', 'school_useful', 'school_teachers_good', 'school_equipment_good', 'school_travel_ok', 'theory_too_hard', 'support_for_exam', 'enough_sleep', 'body_strain', 'noise_bother', 'dust_fumes_bother', 'stress_high', 'time_for_friends', 'money_sufficient', 'housing_ok', 'proud_of_trade', 'would_choose_again', 'would_recommend_company', 'thought_of_quitting', 'wants_to_stay_after', 'wants_master_craftsman', 'wants_university', 'overall_satisfied']
skills = ['measuring', 'technical_drawing', 'customer_talk', 'tool_care', 'material_knowledge', 'planning_steps', 'cleaning_up', 'safety_rules', 'teamwork', 'arithmetic', 'writing_reports', 'computer_use', 'order_taking', 'quality_check', 'machine_setup', 'waste_sorting', 'driving', 'time_keeping', 'problem_solving', 'english']
mods = ['first_aid', 'ladder_scaffold', 'fire_safety', 'hazardous_materials', 'hand_tools', 'power_tools', 'work_law', 'data_protection', 'energy_saving', 'customer_service', 'digital_report_book', 'cost_estimate', 'material_ordering', 'machine_licence', 'welding_basics', 'electrical_basics', 'conflict_talk', 'presentation', 'exam_training_1', 'exam_training_2']
subj = ['maths', 'german', 'english', 'social_studies', 'trade_theory', 'trade_lab', 'sports', 'economics']
langs = ['german', 'turkish', 'arabic', 'ukrainian', 'polish', 'russian', 'other']
comm = ['walk', 'bike', 'bus', 'train', 'car', 'moped']
bene = ['travel_ticket', 'lunch', 'work_clothes', 'housing_aid', 'laptop', 'gym', 'driving_licence']
base = dict(zip(trades, [880, 860, 780, 770, 900, 890, 650, 910, 830]))
names = set()
rows = []
for n in range(1, N + 1):
    while True:
        nm = R.choice(fn) + ' ' + R.choice(ln)
        if nm not in names or len(names) >= 530:
            names.add(nm); break
    r = {}
    r['resp_id'] = 'A%04d' % (1000 + n)
    r['respondent_name'] = nm
    t = R.choice(trades)
    r['birth_year'] = R.choice(range(1999, 2006))
    r['trade'] = t
    r['region'] = R.choice(regions)
    r['company_town'] = R.choice(towns)
    r['company_size_class'] = R.choices(['1-9', '10-49', '50-249', '250+'], [4, 4, 2, 1])[0]
    r['company_employees'] = {'1-9': R.randint(1, 9), '10-49': R.randint(10, 49), '50-249': R.randint(50, 249), '250+': R.randint(250, 1900)}[r['company_size_class']]
    gd = R.choices(['female', 'male', 'diverse'], [40, 57, 3])[0]
    for k in ('female', 'male', 'diverse'):
        r['gender_' + k] = int(k == gd)
    ce = R.choices(['none', 'basic', 'intermediate', 'highschool'], [1, 5, 7, 3])[0]
    for k in ('none', 'basic', 'intermediate', 'highschool'):
        r['school_cert_' + k] = int(k == ce)
    for k in langs:
        r['lang_home_' + k] = int(R.random() < (.8 if k == 'german' else .1))
    r['contract_start_date'] = (datetime.date(2020, 8, 1) + datetime.timedelta(days=R.choice([0, 0, 0, 31, 31, 61, R.randint(0, 120)]))).isoformat()
    r['n_applications_before'] = max(1, int(R.expovariate(1 / 9.0)))
    r['trial_days_before'] = R.choices(['', 0, 1, 2, 3, 5, 10], [1, 4, 3, 3, 3, 3, 2])[0]
    r['distance_home_company_km'] = round(R.expovariate(1 / 11.0) + .3, 1)
    r['distance_home_school_km'] = round(R.expovariate(1 / 22.0) + .5, 1)
    lat = R.gauss(0, 1)
    drop = R.choices([1, 2, 3], [14, 13, 73])[0]
    for w in (1, 2, 3):
        on = w <= drop
        r['w%d_interview_date' % w] = (datetime.date(2020 + w, 5, 3) + datetime.timedelta(days=R.randint(0, 75))).isoformat() if on else ''
        r['w%d_interview_mode' % w] = R.choices(['online', 'phone', 'paper'], [6, 3, 1])[0] if on else ''
        r['w%d_duration_min' % w] = round(R.gauss(31, 7), 1) if on else ''
        for i, q in enumerate(items, 1):
            neg = q in ('unpaid_chores', 'shouted_at', 'overtime_expected', 'theory_too_hard', 'body_strain', 'noise_bother', 'dust_fumes_bother', 'stress_high', 'thought_of_quitting')
            v = R.gauss(3.4 if not neg else 2.5, .9) + (-.5 if neg else .5) * lat - .1 * (w - 1)
            if q == 'body_strain' and t in ('Roofer', 'Carpenter'):
                v += .9
            r['w%d_q%02d_%s' % (w, i, q)] = min(5, max(1, round(v))) if on and R.random() > .03 else ''
        for k, m in [('workshop', 17), ('customer_site', 9), ('office', 2), ('cleaning', 3.2), ('school', 10), ('report_book', 1.1), ('travel', 4.5)]:
            r['w%d_hours_week_%s' % (w, k)] = round(max(0, R.gauss(m, m * .35)), 1) if on and R.random() > .03 else ''
        md = R.choice(comm)
        for k in comm:
            r['w%d_commute_%s' % (w, k)] = int(k == md or R.random() < .05) if on else ''
        for k in bene:
            r['w%d_benefit_%s' % (w, k)] = int(R.random() < .25) if on else ''
    pay = base[t] + R.gauss(0, 60) + (60 if r['company_size_class'] == '250+' else 0)
    for m in range(1, 37):
        on = m <= 12 * drop
        r['pay_gross_eur_month%02d' % m] = round(pay + 95 * ((m - 1) // 12) + R.gauss(0, 12), 2) if on and R.random() > .02 else ''
    for m in range(1, 37):
        on = m <= 12 * drop
        r['overtime_h_month%02d' % m] = round(max(0, R.gauss(5 - lat, 4)), 1) if on and R.random() > .02 else ''
    for y in (1, 2, 3):
        for q in (1, 2, 3, 4):
            on = y <= drop
            r['absent_days_y%d_q%d' % (y, q)] = max(0, int(R.gauss(2.5 - .5 * lat, 2.4))) if on else ''
    for s in subj:
        ab = R.gauss(2.9, .6)
        for y in (1, 2, 3):
            for h in (1, 2):
                r['grade_%s_y%d_term%d' % (s, y, h)] = round(min(6, max(1, R.gauss(ab, .5))), 1) if y <= drop and R.random() > .02 else ''
    for i, m in enumerate(mods, 1):
        done = R.random() < .75
        r['mod%02d_%s_done' % (i, m)] = int(done)
        r['mod%02d_%s_score_pct' % (i, m)] = min(100, max(20, round(R.gauss(74, 12)))) if done else ''
        r['mod%02d_%s_hours' % (i, m)] = R.choice([4, 6, 8, 12, 16]) if done else ''
    for s in skills:
        a = R.gauss(5.8, 1.4)
        r['skill_%s_self_start' % s] = min(10, max(1, round(a - 1.5)))
        r['skill_%s_self_end' % s] = min(10, max(1, round(a + R.gauss(1, 1)))) if drop == 3 else ''
        r['skill_%s_instructor_end' % s] = min(10, max(1, round(a + R.gauss(.4, 1.2)))) if drop == 3 and R.random() > .1 else ''
    r['contract_ended_early'] = int(drop < 3)
    r['early_end_reason'] = R.choice(['changed trade', 'conflict', 'health', 'company closed', 'moved away']) if drop < 3 else ''
    if drop == 3:
        th = R.gauss(66 + 3 * lat, 11); pr = .4 * th + R.gauss(42, 8)
        r['exam_theory_points'] = min(100, round(th)); r['exam_practical_points'] = min(100, round(pr))
        r['exam_oral_points'] = min(100, round(R.gauss(70, 12))) if R.random() < .6 else ''
        r['exam_passed'] = int(th >= 50 and pr >= 50)
        r['exam_date'] = (datetime.date(2023, 6, 5) + datetime.timedelta(days=R.randint(0, 45))).isoformat()
        r['job_offer_received'] = int(R.random() < .7)
        r['first_job_pay_gross_eur'] = round(R.gauss(2500, 230)) if R.random() < .6 else ''
    else:
        for k in ('exam_theory_points', 'exam_practical_points', 'exam_oral_points', 'exam_passed', 'exam_date', 'job_offer_received', 'first_job_pay_gross_eur'):
            r[k] = ''
    r['weight_design'] = round(R.uniform(.5, 1.8), 4)
    rows.append(r)
with open('followup_survey.csv', 'w', newline='', encoding='utf-8') as f:
    w = csv.DictWriter(f, list(rows[0]))
    w.writeheader()
    w.writerows(rows)
