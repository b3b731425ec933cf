import csv, random, datetime
R = random.Random(381)
N = 720
geo = ['Clay', 'Silty sand', 'Gravel', 'Marl', 'Mixed face']
fore = ['Brandt', 'Okafor', 'Lindqvist', 'Moreau', 'Petrov', 'Santos']
stops = ['cutter_change', 'belt_fault', 'grout_blockage', 'survey_check', 'power_outage', 'segment_supply', 'foam_system']
cross = {'Harbour Canal': (150, 172), 'Railway Embankment': (310, 333), 'Old Brewery Quarter': (470, 520), 'River Lenz': (640, 690)}
clock = ['12h', '02h', '04h', '06h', '08h', '10h']
segs = ['A1', 'A2', 'A3', 'B', 'C', 'K']
rows = []
d = datetime.datetime(2022, 3, 7, 6, 0)
g = 'Clay'
ch = 1240.0
wear = [0.0] * 44
wrate = [0.03 + 0.0011 * i + R.uniform(0, .02) for i in range(44)]
ghard = {'Clay': .8, 'Silty sand': 1.0, 'Gravel': 1.35, 'Marl': 1.15, 'Mixed face': 1.25}
for n in range(1, N + 1):
    if R.random() < .06:
        g = R.choice(geo)
    h = ghard[g]
    r = {}
    r['ring_no'] = n
    r['ring_id'] = 'R%04d' % n
    r['build_date'] = d.strftime('%Y-%m-%d')
    r['shift'] = 'Day' if 6 <= d.hour < 14 else 'Late' if 14 <= d.hour < 22 else 'Night'
    r['shift_foreman'] = R.choice(fore)
    r['geology_face'] = g
    r['crossing_structure'] = next((k for k, (a, b) in cross.items() if a <= n <= b), '')
    r['ring_type'] = R.choices(['Left taper', 'Right taper', 'Straight'], [3, 3, 5])[0]
    r['ring_type_left_taper'] = int(r['ring_type'] == 'Left taper')
    r['ring_type_right_taper'] = int(r['ring_type'] == 'Right taper')
    r['ring_type_straight'] = int(r['ring_type'] == 'Straight')
    r['key_segment_position'] = R.randint(1, 16)
    r['chainage_start_m'] = round(ch, 2)
    ch += 1.8
    r['chainage_end_m'] = round(ch, 2)
    r['overburden_m'] = round(14 + 6 * (n % 240) / 240 + R.uniform(-1, 1), 1)
    st = R.choices(stops + [None], [3, 5, 3, 2, 1, 3, 2, 60])[0]
    for s in stops:
        r['stop_' + s] = int(s == st or R.random() < .01)
    tb = R.gauss(38 * h, 6)
    tr = max(18, R.gauss(34, 5))
    ts = max(0, R.gauss(18, 12)) + (R.uniform(40, 300) if st else 0)
    r['time_boring_min'] = round(max(15, tb))
    r['time_ring_build_min'] = round(tr)
    r['time_standstill_min'] = round(ts)
    def stat(name, mean, sd, dec=2, stats=('mean', 'min', 'max', 'std')):
        s = abs(R.gauss(sd, sd * .25)) + 1e-3
        m = R.gauss(mean, sd * .7)
        for k in stats:
            v = {'mean': m, 'min': m - s * R.uniform(1.5, 2.8), 'max': m + s * R.uniform(1.5, 3.2), 'std': s}[k]
            r[name + '_' + k] = round(v, dec) if R.random() > .012 else ''
    stat('advance_speed_mm_min', 58 / h, 5, 1)
    stat('penetration_mm_rev', 26 / h, 2.5, 2)
    stat('cutterhead_torque_kNm', 3100 * h, 260, 0)
    stat('cutterhead_speed_rpm', 2.1, .15, 2)
    stat('thrust_total_kN', 21000 * h, 1500, 0)
    stat('contact_force_kN', 9000 * h, 900, 0)
    stat('screw_torque_kNm', 78 * h, 9, 1)
    stat('screw_speed_rpm', 9.5, 1.2, 2)
    stat('belt_speed_m_s', 2.4, .1, 2)
    for p, b in [('crown', 1.55), ('upper_left', 1.75), ('upper_right', 1.77), ('springline_left', 2.05), ('springline_right', 2.08), ('lower_left', 2.35), ('lower_right', 2.33), ('invert', 2.6)]:
        stat('face_pressure_bar_' + p, b, .14, 2)
    for i in range(1, 5):
        stat('screw_pressure_bar_P%d' % i, 2.2 - .4 * i, .15, 2, ('mean', 'max'))
    for i in range(1, 9):
        stat('foam_flow_l_min_line%d' % i, 140 + 9 * i, 18, 1, ('mean', 'max'))
    r['foam_agent_l'] = round(max(4, R.gauss(46 / h, 7)), 1)
    r['foam_expansion_ratio'] = round(R.gauss(12, 1.5), 1)
    r['foam_injection_ratio_pct'] = round(R.gauss(42, 6), 1)
    r['polymer_l'] = round(max(0, R.gauss(9, 3)), 1)
    r['bentonite_shield_m3'] = round(max(.05, R.gauss(.8, .2)), 2)
    for i in range(1, 7):
        r['grout_volume_m3_port%d' % i] = round(max(.2, R.gauss(1.25 + .04 * i, .22)), 2) if R.random() > .02 else ''
        stat('grout_pressure_bar_port%d' % i, 2.5 + .08 * i, .3, 2, ('mean', 'max'))
    r['grout_component_B_l'] = round(R.gauss(560, 40))
    r['grout_gel_time_s'] = round(R.gauss(11.5, 1.6), 1)
    for i in range(1, 25):
        r['thrust_cyl%02d_stroke_mm' % i] = round(R.gauss(1920, 25))
        stat('thrust_cyl%02d_pressure_bar' % i, 175 * h + (20 if 9 <= i <= 16 else 0), 14, 1, ('mean', 'max'))
    for a in 'ABCDEFGH':
        stat('articulation_%s_stroke_mm' % a, 95, 12, 1, ('mean', 'max'))
    for c in clock:
        r['tailskin_gap_mm_' + c] = round(R.gauss(32, 5), 1) if R.random() > .03 else ''
    for i in range(1, 13):
        stat('tailskin_grease_pressure_bar_line%02d' % i, 6.5, .8, 2, ('mean',))
    r['tailskin_grease_kg'] = round(R.gauss(41, 5), 1)
    for p in ('front', 'rear'):
        r['deviation_horizontal_mm_' + p] = round(R.gauss(3 if p == 'front' else -2, 14))
        r['deviation_vertical_mm_' + p] = round(R.gauss(-5, 13))
    r['roll_mm_m'] = round(R.gauss(.4, 2.1), 2)
    r['pitch_mm_m'] = round(R.gauss(-6, 3), 2)
    chg = st == 'cutter_change'
    for i in range(44):
        wear[i] += wrate[i] * h * R.uniform(.4, 1.6)
        if wear[i] > 20 or (chg and wear[i] > 12):
            wear[i] = 0
        r['disc_cutter_wear_mm_pos%02d' % (i + 1)] = round(wear[i], 1) if (n % 5 == 0 or n == 1) else ''
    for i in range(1, 13):
        stat('main_drive_motor%02d_current_A' % i, 210 * h, 18, 0, ('mean', 'max'))
        r['main_drive_motor%02d_temp_C_max' % i] = round(R.gauss(61 + 4 * h, 4), 1)
    stat('gear_oil_temp_C', 54, 3, 1, ('mean', 'max'))
    stat('hydraulic_oil_temp_C', 49, 3, 1, ('mean', 'max'))
    for loc in ('cutterhead', 'screw_outlet', 'operator_cabin', 'backup_gantry3', 'tunnel_portal'):
        r['gas_CH4_pct_%s_max' % loc] = round(abs(R.gauss(.04, .05)) + (.15 if g == 'Marl' and R.random() < .2 else 0), 3)
        r['gas_CO_ppm_%s_max' % loc] = round(abs(R.gauss(4, 3)), 1)
        r['gas_O2_pct_%s_min' % loc] = round(20.9 - abs(R.gauss(0, .15)), 2)
        r['air_temp_C_%s_mean' % loc] = round(R.gauss(24, 2.4), 1)
        r['noise_dBA_%s_mean' % loc] = round(R.gauss(84, 4), 1)
        r['dust_mg_m3_%s_mean' % loc] = round(abs(R.gauss(1.1, .5)), 2)
    for s in segs:
        r['seg_%s_cracks_count' % s] = R.choices([0, 1, 2, 3], [80, 12, 5, 2])[0]
        r['seg_%s_chipping_count' % s] = R.choices([0, 1, 2, 3, 4], [70, 16, 8, 4, 1])[0]
        r['seg_%s_step_radial_mm' % s] = round(abs(R.gauss(3, 2.3)), 1)
        r['seg_%s_step_circumferential_mm' % s] = round(abs(R.gauss(4, 2.6)), 1)
        r['seg_%s_concrete_strength_MPa' % s] = round(R.gauss(63, 4), 1) if R.random() > .25 else ''
        r['seg_%s_age_days' % s] = R.randint(29, 140)
        r['seg_%s_mould_no' % s] = R.randint(1, 14)
    r['convergence_vertical_mm'] = round(R.gauss(-6, 2.5), 1)
    r['convergence_horizontal_mm'] = round(R.gauss(5, 2.2), 1)
    for i in range(1, 25):
        v = -abs(R.gauss(5, 3.2)) - (2 if g == 'Gravel' else 0) - max(0, 5 - abs(i - 12)) * .9
        r['settlement_mm_point%02d' % i] = round(v, 1) if R.random() > .07 else ''
    r['muck_weight_t_scale1'] = round(R.gauss(148 + 6 * h, 7), 1)
    r['muck_weight_t_scale2'] = round(r['muck_weight_t_scale1'] + R.gauss(0, 2.5), 1)
    r['muck_volume_m3_laser'] = round(r['muck_weight_t_scale1'] / 1.72 + R.gauss(0, 3), 1)
    r['muck_slump_cm'] = round(R.gauss(15, 3), 1) if n % 3 == 0 else ''
    r['energy_kWh_cutterhead'] = round(r['time_boring_min'] * 18 * h + R.gauss(0, 40))
    r['energy_kWh_hydraulics'] = round(R.gauss(310, 40))
    r['energy_kWh_ventilation'] = round(R.gauss(150, 10) + n * .08)
    r['energy_kWh_total'] = r['energy_kWh_cutterhead'] + r['energy_kWh_hydraulics'] + r['energy_kWh_ventilation'] + round(R.gauss(220, 20))
    r['process_water_m3'] = round(R.gauss(11, 2.2), 1)
    r['cooling_water_temp_C_in'] = round(R.gauss(19, 1.2), 1)
    r['cooling_water_temp_C_out'] = round(r['cooling_water_temp_C_in'] + R.gauss(7, 1), 1)
    r['crew_count'] = R.randint(11, 19)
    r['remarks'] = R.choice(['', '', '', '', '', 'surface team informed', 'boulder suspected', 'handover late', 'ok'])
    rows.append(r)
    d += datetime.timedelta(minutes=r['time_boring_min'] + r['time_ring_build_min'] + r['time_standstill_min'] + R.randint(60, 260))
    if R.random() < .012:
        d += datetime.timedelta(days=R.randint(1, 4))
with open('rings.csv', 'w', newline='', encoding='utf-8') as f:
    w = csv.DictWriter(f, list(rows[0]))
    w.writeheader()
    w.writerows(rows)
