import csv, random, datetime, math
R = random.Random(383)
lifts = ['Eagle', 'Marmot', 'Sunnyside', 'Glacier', 'Panorama', 'Pinewood', 'Ridge', 'Chapel', 'Northface', 'Family', 'Plateau', 'Valley', 'Quarry', 'Kidsbelt']
huts = ['AlmBarn', 'Stonehut', 'SummitDeck', 'Lakeview', 'OldMill', 'Igloo', 'Fireplace']
guns = 36
pist = 24
mgr = ['H. Tanner', 'M. Rossi', 'S. Kofler', 'L. Brunner', 'A. Dubois']
rows = []
days = []
for y in (2018, 2019, 2020, 2021, 2022):
    d = datetime.date(y, 12, 1)
    while d <= datetime.date(y + 1, 4, 6):
        days.append((y, d)); d += datetime.timedelta(days=1)
days = [x for x in days if R.random() > .02]
seas = None
for y, d in days:
    if y != seas:
        seas = y; depth = R.uniform(15, 40)
    r = {}
    dd = (d - datetime.date(y, 12, 1)).days
    tv = -1 - 4 * math.sin(math.pi * dd / 110) + R.gauss(0, 3.5) + max(0, dd - 95) * .12
    new = max(0, R.gauss(-4, 11))
    depth = max(10, depth + new * .6 - max(0, tv) * .9)
    wind = abs(R.gauss(6, 4))
    we = d.weekday() >= 5
    xm = (d.month == 12 and d.day >= 24) or (d.month == 1 and d.day <= 6)
    wh = d.month == 2 and 8 <= d.day <= 24
    dem = (1 + .6 * we + .9 * xm + .7 * wh) * max(.25, 1 - wind / 30) * R.uniform(.8, 1.2)
    r['Date'] = d.strftime('%d.%m.%Y')
    r['Season'] = '%d/%02d' % (y, (y + 1) % 100)
    r['Weekday'] = d.strftime('%a')
    r['DutyManager'] = R.choice(mgr)
    r['Holiday_Christmas'] = int(xm); r['Holiday_WinterBreak'] = int(wh); r['Holiday_Easter'] = int(d.month == 4 and d.day < 4)
    sky = R.choices(['Sunny', 'Cloudy', 'Snowfall', 'Fog', 'Rain'], [4, 4, 3, 1.2, .6])[0] if new < 3 else R.choice(['Snowfall', 'Snowfall', 'Cloudy'])
    for k in ('Sunny', 'Cloudy', 'Snowfall', 'Fog', 'Rain'):
        r['Sky_' + k] = int(sky == k)
    r['AvalancheLevel'] = min(5, max(1, round(1.6 + new / 12 + R.gauss(0, .6))))
    r['NewSnow_cm_24h'] = round(new)
    r['SlopeCondition'] = R.choice(['Powder', 'Packed']) if new > 5 else R.choice(['Packed', 'Packed', 'Icy', 'Spring snow'] if tv < 2 else ['Spring snow', 'Wet'])
    for stn, dt in (('Valley', 0), ('MidStation', -4), ('Summit', -9)):
        for h, e in (('07h', -2), ('12h', 2), ('16h', .5)):
            r['WX_%s_AirTemp_C_%s' % (stn, h)] = round(tv + dt + e + R.gauss(0, 1), 1) if R.random() > .015 else ''
            r['WX_%s_Humidity_pct_%s' % (stn, h)] = round(min(100, max(20, R.gauss(72, 14))))
            r['WX_%s_WindSpeed_ms_%s' % (stn, h)] = round(abs(wind * (.5 - dt / 12) + R.gauss(0, 1.5)), 1)
            r['WX_%s_WindDir_deg_%s' % (stn, h)] = R.randint(0, 359)
            r['WX_%s_SnowSurfaceTemp_C_%s' % (stn, h)] = round(min(0, tv + dt + e - 2 + R.gauss(0, 1)), 1)
            r['WX_%s_Visibility_m_%s' % (stn, h)] = round(R.uniform(50, 400)) if sky == 'Fog' else round(R.uniform(900, 20000))
        r['WX_%s_SnowDepth_cm' % stn] = round(depth * (1 - dt / 5.0) + R.gauss(0, 2))
        r['WX_%s_SunHours' % stn] = round(R.uniform(4, 8.5), 1) if sky == 'Sunny' else round(R.uniform(0, 2.5), 1)
    tot = 0
    for i, l in enumerate(lifts, 1):
        p = 'Lift%02d_%s_' % (i, l)
        closed = R.random() < (.04 + (.35 if wind > 13 and l in ('Glacier', 'Ridge', 'Northface', 'Panorama') else 0))
        cap = 900 + 160 * ((i * 7) % 11)
        rid = 0 if closed else round(cap * dem * R.uniform(.75, 1.25))
        r[p + 'Riders'] = rid; tot += rid
        r[p + 'FirstRide_Riders_09h'] = 0 if closed else round(rid * R.uniform(.05, .15))
        r[p + 'OperatingHours'] = 0 if closed else round(R.uniform(6, 8), 2)
        r[p + 'WaitTime_min_mean'] = '' if closed else round(max(.2, rid / 420 * R.uniform(.6, 1.4)), 1)
        r[p + 'WaitTime_min_max'] = '' if closed else round(r[p + 'WaitTime_min_mean'] * R.uniform(1.8, 3.5), 1)
        r[p + 'Stops_count'] = 0 if closed else R.choices([0, 1, 2, 3, 4, 6, 9], [30, 25, 15, 10, 6, 3, 1])[0]
        r[p + 'Downtime_min'] = 0 if closed else round(r[p + 'Stops_count'] * R.uniform(1, 9))
        r[p + 'WindTop_ms_max'] = round(abs(wind * 1.7 + R.gauss(0, 2)), 1) if R.random() > .02 else ''
        r[p + 'Energy_kWh'] = round(60 + (0 if closed else 900 + rid * .25 + R.gauss(0, 60)))
    for i in range(1, pist + 1):
        p = 'Piste%02d_' % i
        op = int(R.random() < (.93 if depth > 30 else .6))
        r[p + 'Open'] = op
        r[p + 'SnowDepth_cm'] = round(depth * 1.1 + 1.2 * i + R.gauss(0, 4)) if R.random() > .03 else ''
        r[p + 'GroomingHours'] = round(abs(R.gauss(2.2, .8)), 1) if op else 0
        r[p + 'SnowHardness_1to5'] = min(5, max(1, round(R.gauss(3, 1))))
        r[p + 'Accidents'] = R.choices([0, 1, 2, 3], [90, 8, 2, .5])[0] if op else 0
    cold = tv < -2
    for i in range(1, guns + 1):
        run = cold and d.month in (12, 1, 2) and R.random() < .7
        h = round(R.uniform(2, 14), 1) if run else 0
        r['SnowGun%02d_RunHours' % i] = h
        r['SnowGun%02d_Water_m3' % i] = round(h * R.uniform(9, 14), 1) if run else 0
    r['SnowPond_Level_m'] = round(R.uniform(2.5, 8.4), 2)
    r['PumpStation_Pressure_bar_mean'] = round(R.gauss(38, 3), 1) if cold else ''
    for i in range(1, 9):
        o = R.random() < .9
        r['Groomer%02d_Diesel_l' % i] = round(R.gauss(155 + 6 * i, 28), 1) if o else ''
        r['Groomer%02d_Hours' % i] = round(abs(R.gauss(7, 1.6)), 1) if o else ''
        r['Groomer%02d_Distance_km' % i] = round(abs(R.gauss(44, 9)), 1) if o else ''
    for k, m in [('Adult_Day', 1500), ('Adult_HalfDay', 420), ('Adult_MultiDay', 700), ('Child_Day', 380), ('Child_HalfDay', 90), ('Child_MultiDay', 260), ('Youth_Day', 260), ('Senior_Day', 210), ('Season_Pass', 340), ('Group_School', 80), ('NightSki', 60), ('Toboggan', 110)]:
        r['Passes_' + k] = round(max(0, m * dem * R.uniform(.7, 1.3)))
    r['FirstEntries_total'] = round(tot / 5.2 * R.uniform(.95, 1.05))
    for t in ('Knee', 'Shoulder', 'Wrist', 'Head', 'Back', 'Ankle', 'Other'):
        r['Patrol_Injury_%s_n' % t] = R.choices([0, 1, 2, 3, 4], [50, 25, 13, 6, 2])[0] if dem > 1 else R.choices([0, 1, 2], [65, 25, 6])[0]
    r['Patrol_HelicopterFlights_n'] = R.choices([0, 1, 2, 3], [75, 18, 5, 2])[0]
    r['Patrol_SledTransports_n'] = max(0, round(R.gauss(4 * dem, 2)))
    r['Patrol_ResponseTime_min_mean'] = round(abs(R.gauss(9.5, 2)), 1)
    r['Patrol_ResponseTime_min_max'] = round(r['Patrol_ResponseTime_min_mean'] * R.uniform(1.5, 3), 1)
    r['Patrol_StaffOnDuty'] = R.randint(9, 18)
    r['AvalancheBlasts_n'] = 0 if new < 8 else R.randint(1, 14)
    for lv in ('Beginner', 'Intermediate', 'Advanced'):
        for a in ('Kids', 'Teens', 'Adults'):
            for b in ('Ski', 'Snowboard'):
                r['School_%s_%s_%s_pupils' % (b, a, lv)] = max(0, round(R.gauss(30 if b == 'Ski' else 9, 7) * dem * (1.4 if a == 'Kids' else .8)))
    r['School_Instructors_onDuty'] = round(20 + 14 * dem + R.gauss(0, 3))
    r['School_PrivateLessons_h'] = round(max(0, R.gauss(40 * dem, 9)), 1)
    for hname in huts:
        o = R.random() < .95
        r['Hut_%s_Guests' % hname] = round(max(20, R.gauss(330, 70) * dem)) if o else ''
        r['Hut_%s_WarmMeals' % hname] = round(r['Hut_%s_Guests' % hname] * R.uniform(.35, .7)) if o else ''
        r['Hut_%s_Water_m3' % hname] = round(abs(R.gauss(6, 1.4)), 2) if o else ''
        r['Hut_%s_IndoorTemp_C_mean' % hname] = round(R.gauss(20.5, 1.2), 1) if o else ''
        r['Hut_%s_Waste_kg' % hname] = round(abs(R.gauss(60, 15)), 1) if o else ''
    for i in range(1, 6):
        for h in ('09h', '11h', '14h'):
            r['CarPark%d_Cars_%s' % (i, h)] = round(max(0, R.gauss(160 + 20 * i, 40) * dem * {'09h': .5, '11h': 1, '14h': .85}[h]))
    r['SkiBus_Passengers'] = round(700 * dem * R.uniform(.7, 1.3)) if R.random() > .03 else ''
    r['GuestRating_1to10_mean'] = round(min(10, max(1, 7.6 - .05 * wind + .5 * (sky == 'Sunny') + R.gauss(0, .5))), 2) if R.random() > .1 else ''
    r['GuestRating_n'] = R.randint(5, 120)
    r['Complaints_n'] = R.choices(range(7), [30, 20, 14, 9, 5, 3, 1])[0]
    rows.append(r)
with open('daily_log.csv', 'w', newline='', encoding='utf-8') as f:
    w = csv.DictWriter(f, list(rows[0]))
    w.writeheader()
    w.writerows(rows)
