"""Synthetic foods with their nutrients: 1,200 rows and 738 columns, one row a food."""

import numpy as np
import pandas as pd

N = 1200
GROUPS = {
    "Dairy and eggs": ["Milk", "Yogurt", "Cheese", "Eggs", "Cream"],
    "Fruits": ["Fresh fruit", "Dried fruit", "Canned fruit", "Fruit juice"],
    "Vegetables": ["Leafy vegetables", "Root vegetables", "Legumes, fresh", "Canned vegetables"],
    "Cereals and bakery": ["Bread", "Breakfast cereals", "Pasta and rice", "Cakes and biscuits"],
    "Meat and poultry": ["Beef", "Pork", "Chicken", "Sausages and cold cuts"],
    "Fish and seafood": ["Oily fish", "White fish", "Shellfish", "Canned fish"],
    "Nuts and seeds": ["Tree nuts", "Peanuts", "Seeds"],
    "Fats and oils": ["Vegetable oils", "Butter and margarine"],
    "Sweets and snacks": ["Chocolate", "Candy", "Crisps and savoury snacks", "Ice cream"],
    "Beverages": ["Soft drinks", "Coffee and tea", "Plant-based drinks"],
    "Soups and sauces": ["Soups", "Sauces", "Condiments"],
}
ADJ = [
    "Classic",
    "Organic",
    "Light",
    "Premium",
    "Traditional",
    "Homestyle",
    "Smoked",
    "Roasted",
    "Plain",
    "Farmhouse",
    "Reduced-salt",
    "Wholegrain",
    "Spiced",
    "Frozen",
    "Garden",
]
NOUN = {
    "Milk": ["whole milk", "skimmed milk", "goat milk"],
    "Yogurt": ["yogurt", "Greek yogurt", "strawberry yogurt"],
    "Cheese": ["cheddar", "gouda", "feta", "mozzarella"],
    "Eggs": ["hen egg", "duck egg", "omelette"],
    "Cream": ["double cream", "sour cream"],
    "Fresh fruit": ["apple", "banana", "orange", "kiwi", "strawberries"],
    "Dried fruit": ["raisins", "dates", "dried apricots"],
    "Canned fruit": ["canned peaches", "canned pineapple"],
    "Fruit juice": ["orange juice", "apple juice"],
    "Leafy vegetables": ["spinach", "kale", "lettuce"],
    "Root vegetables": ["carrots", "beetroot", "potatoes"],
    "Legumes, fresh": ["green peas", "broad beans"],
    "Canned vegetables": ["canned tomatoes", "canned sweetcorn"],
    "Bread": ["white bread", "rye bread", "pita"],
    "Breakfast cereals": ["muesli", "cornflakes", "porridge oats"],
    "Pasta and rice": ["spaghetti", "brown rice", "couscous"],
    "Cakes and biscuits": ["sponge cake", "shortbread", "muffin"],
    "Beef": ["beef mince", "sirloin steak"],
    "Pork": ["pork chop", "ham"],
    "Chicken": ["chicken breast", "chicken thigh"],
    "Sausages and cold cuts": ["salami", "frankfurter"],
    "Oily fish": ["salmon", "mackerel", "sardines"],
    "White fish": ["cod", "haddock"],
    "Shellfish": ["prawns", "mussels"],
    "Canned fish": ["canned tuna", "canned salmon"],
    "Tree nuts": ["almonds", "walnuts", "cashews"],
    "Peanuts": ["peanuts", "peanut butter"],
    "Seeds": ["sunflower seeds", "chia seeds", "tahini"],
    "Vegetable oils": ["olive oil", "rapeseed oil", "sunflower oil"],
    "Butter and margarine": ["butter", "margarine"],
    "Chocolate": ["milk chocolate", "dark chocolate"],
    "Candy": ["gummy sweets", "toffee"],
    "Crisps and savoury snacks": ["potato crisps", "tortilla chips"],
    "Ice cream": ["vanilla ice cream", "sorbet"],
    "Soft drinks": ["cola", "lemonade"],
    "Coffee and tea": ["iced coffee", "black tea"],
    "Plant-based drinks": ["soya drink", "oat drink", "almond drink"],
    "Soups": ["tomato soup", "lentil soup"],
    "Sauces": ["pasta sauce", "soy sauce"],
    "Condiments": ["ketchup", "mustard", "mayonnaise"],
}
BR = [
    "Greenfield",
    "Alto",
    "Nordhus",
    "Casa Bella",
    "Oak & Vale",
    "Sunmill",
    "Bonora",
    "Ketterly",
    "Marlow's",
    "Prima",
    "Tivoli",
    "Harvest Lane",
    "unbranded",
]
#        name: (unit, base by group index, decimals)
MACRO = [
    ("Energy", "kcal"),
    ("Energy", "kJ"),
    ("Water", "g"),
    ("Protein", "g"),
    ("Total fat", "g"),
    ("Saturated fat", "g"),
    ("Monounsaturated fat", "g"),
    ("Polyunsaturated fat", "g"),
    ("Trans fat", "g"),
    ("Cholesterol", "mg"),
    ("Carbohydrate", "g"),
    ("Total sugars", "g"),
    ("Added sugars", "g"),
    ("Starch", "g"),
    ("Dietary fibre", "g"),
    ("Soluble fibre", "g"),
    ("Insoluble fibre", "g"),
    ("Ash", "g"),
    ("Alcohol", "g"),
    ("Salt", "g"),
    ("Glucose", "g"),
    ("Fructose", "g"),
    ("Sucrose", "g"),
    ("Lactose", "g"),
    ("Maltose", "g"),
    ("Galactose", "g"),
]
MIN = [
    ("Sodium", "mg", 250),
    ("Potassium", "mg", 240),
    ("Calcium", "mg", 70),
    ("Iron", "mg", 1.6),
    ("Magnesium", "mg", 35),
    ("Phosphorus", "mg", 140),
    ("Zinc", "mg", 1.3),
    ("Copper", "mg", 0.2),
    ("Manganese", "mg", 0.4),
    ("Selenium", "µg", 9),
    ("Iodine", "µg", 12),
    ("Fluoride", "µg", 20),
    ("Chromium", "µg", 5),
    ("Molybdenum", "µg", 8),
]
VIT = [
    ("Vitamin A, RAE", "µg", 60),
    ("Retinol", "µg", 35),
    ("Beta-carotene", "µg", 300),
    ("Alpha-carotene", "µg", 40),
    ("Lycopene", "µg", 200),
    ("Lutein + zeaxanthin", "µg", 250),
    ("Vitamin C", "mg", 6),
    ("Vitamin D", "µg", 0.7),
    ("Vitamin E", "mg", 1.1),
    ("Vitamin K1", "µg", 14),
    ("Vitamin K2", "µg", 2),
    ("Thiamin (B1)", "mg", 0.15),
    ("Riboflavin (B2)", "mg", 0.18),
    ("Niacin (B3)", "mg", 2),
    ("Pantothenic acid (B5)", "mg", 0.6),
    ("Vitamin B6", "mg", 0.2),
    ("Biotin (B7)", "µg", 5),
    ("Folate, DFE", "µg", 40),
    ("Folic acid", "µg", 8),
    ("Vitamin B12", "µg", 0.7),
    ("Choline", "mg", 30),
]
AA = [
    "Tryptophan",
    "Threonine",
    "Isoleucine",
    "Leucine",
    "Lysine",
    "Methionine",
    "Cystine",
    "Phenylalanine",
    "Tyrosine",
    "Valine",
    "Arginine",
    "Histidine",
    "Alanine",
    "Aspartic acid",
    "Glutamic acid",
    "Glycine",
    "Proline",
    "Serine",
]
FA = [
    "4:0",
    "6:0",
    "8:0",
    "10:0",
    "12:0",
    "14:0",
    "15:0",
    "16:0",
    "17:0",
    "18:0",
    "20:0",
    "22:0",
    "24:0",
    "14:1 n-5",
    "16:1 n-7",
    "18:1 n-9",
    "18:1 n-7",
    "20:1 n-9",
    "22:1 n-9",
    "18:2 n-6",
    "18:3 n-3",
    "18:3 n-6",
    "18:4 n-3",
    "20:2 n-6",
    "20:4 n-6",
    "20:5 n-3",
    "22:5 n-3",
    "22:6 n-3",
    "18:1 trans",
    "18:2 trans",
]
OTH = [
    ("Caffeine", "mg"),
    ("Theobromine", "mg"),
    ("Phytosterols", "mg"),
    ("Nitrate", "mg"),
    ("Nitrite", "mg"),
    ("Oxalate", "mg"),
    ("Phytate", "mg"),
    ("Purines", "mg"),
    ("Histamine", "mg"),
    ("Sorbitol", "g"),
    ("Xylitol", "g"),
    ("Total polyphenols", "mg"),
    ("Quercetin", "mg"),
    ("Anthocyanins", "mg"),
    ("Daidzein", "mg"),
    ("Genistein", "mg"),
    ("Cadmium", "µg"),
    ("Lead", "µg"),
    ("Mercury", "µg"),
    ("Arsenic", "µg"),
    ("Acrylamide", "µg"),
]
ALLER = [
    "milk",
    "egg",
    "gluten",
    "wheat",
    "soy",
    "peanut",
    "tree nuts",
    "sesame",
    "fish",
    "crustaceans",
    "molluscs",
    "mustard",
    "celery",
    "lupin",
    "sulphites",
]


def make():
    """Build the table, the same at every call."""
    r = np.random.default_rng(77)
    C = {}
    gk = list(GROUPS)
    g = r.choice(gk, N, p=np.array([13, 10, 11, 14, 10, 9, 6, 5, 9, 6, 7]) / 100)
    cat = np.array([r.choice(GROUPS[x]) for x in g])
    nm = [f"{r.choice(ADJ)} {r.choice(NOUN[c])}" for c in cat]
    br = r.choice(BR, N)
    seen = {}
    names = []
    for n_ in nm:
        seen[n_] = seen.get(n_, 0) + 1
        names.append(n_ if seen[n_] == 1 else f"{n_}, variety {seen[n_]}")
    C["Food code"] = [f"F{10000 + 3 * i}" for i in range(N)]
    C["Food name"] = names
    C["Food group"] = g
    C["Category"] = cat
    C["Brand"] = br
    C["Country of origin"] = r.choice(
        [
            "France",
            "Italy",
            "Spain",
            "Denmark",
            "Germany",
            "United Kingdom",
            "Netherlands",
            "Brazil",
            "United States",
            "Thailand",
        ],
        N,
        p=[0.16, 0.14, 0.12, 0.08, 0.14, 0.13, 0.08, 0.05, 0.06, 0.04],
    )
    C["Physical state"] = np.where(
        np.isin(
            cat,
            [
                "Milk",
                "Fruit juice",
                "Soft drinks",
                "Coffee and tea",
                "Plant-based drinks",
                "Soups",
                "Vegetable oils",
            ],
        ),
        "liquid",
        "solid",
    )
    C["Preparation"] = r.choice(
        ["raw", "boiled", "baked", "fried", "grilled", "ready to eat"],
        N,
        p=[0.25, 0.14, 0.14, 0.1, 0.07, 0.3],
    )
    C["Preservation"] = r.choice(
        ["fresh", "chilled", "frozen", "canned", "dried", "ambient"],
        N,
        p=[0.22, 0.25, 0.13, 0.1, 0.1, 0.2],
    )
    C["Packaging material"] = r.choice(
        ["plastic", "glass", "cardboard", "metal can", "none"], N, p=[0.45, 0.14, 0.22, 0.11, 0.08]
    )
    C["Edible portion (%)"] = np.where(r.random(N) < 0.7, 100, r.integers(45, 100, N))
    C["Density (g/ml)"] = np.where(
        C["Physical state"] == "liquid", np.round(r.normal(1.03, 0.03, N), 3), np.nan
    )
    C["pH"] = np.where(r.random(N) < 0.6, np.nan, np.round(r.normal(5.6, 1, N).clip(2.2, 8.5), 1))
    C["Shelf life (days)"] = np.where(r.random(N) < 0.1, np.nan, np.round(r.gamma(1.5, 120, N)) + 2)
    C["Nutri-Score"] = np.where(
        r.random(N) < 0.08, None, r.choice(list("ABCDE"), N, p=[0.2, 0.2, 0.25, 0.22, 0.13])
    )
    C["NOVA processing class (1-4)"] = r.choice([1, 2, 3, 4], N, p=[0.3, 0.12, 0.25, 0.33])
    C["Glycaemic index"] = np.where(
        r.random(N) < 0.55, np.nan, np.round(r.normal(52, 15, N).clip(8, 100))
    )
    C["Launch date"] = pd.Series(
        pd.Timestamp("2005-01-01") + pd.to_timedelta(r.integers(0, 6500, N), unit="D")
    ).where(pd.Series(br != "unbranded"))
    C["Last updated"] = pd.Series(
        pd.Timestamp("2019-01-01") + pd.to_timedelta(r.integers(0, 1800, N), unit="D")
    )
    # portions
    ss = np.round(r.choice([15, 25, 30, 40, 50, 80, 100, 120, 125, 150, 200, 250], N)).astype(float)
    C["Serving size (g)"] = ss
    C["Servings per pack"] = r.choice([1, 2, 4, 5, 6, 8, 10, 12], N)
    C["Pack weight (g)"] = ss * C["Servings per pack"]
    for i in range(1, 7):
        has = r.random(N) < [1, 0.8, 0.55, 0.35, 0.2, 0.1][i - 1]
        C[f"Portion {i} description"] = np.where(
            has,
            r.choice(
                [
                    "1 cup",
                    "1 tablespoon",
                    "1 slice",
                    "1 piece",
                    "1 small bowl",
                    "1 glass",
                    "1 handful",
                    "1 packet",
                ],
                N,
            ),
            None,
        )
        C[f"Portion {i} weight (g)"] = np.where(has, np.round(r.gamma(4, 8 * i, N)) + 5, np.nan)
    for p, lo, hi in (
        ("Small portion (g)", 0.4, 0.7),
        ("Medium portion (g)", 0.9, 1.1),
        ("Large portion (g)", 1.4, 2),
        ("Child portion (g)", 0.3, 0.6),
        ("1 cup weight (g)", 1, 3),
        ("1 tablespoon weight (g)", 0.08, 0.16),
    ):
        C[p] = np.where(r.random(N) < 0.08, np.nan, np.round(ss * r.uniform(lo, hi, N)))
    # allergens
    pa = {a: np.full(N, 0.05) for a in ALLER}

    def gi(*x):
        return np.isin(g, x)

    def ci(*x):
        return np.isin(cat, x)

    pa["milk"] += 0.9 * (gi("Dairy and eggs") & ~ci("Eggs")) + 0.5 * ci(
        "Chocolate", "Ice cream", "Cakes and biscuits", "Butter and margarine"
    )
    pa["egg"] += 0.92 * ci("Eggs") + 0.5 * ci("Cakes and biscuits")
    pa["gluten"] += 0.75 * gi("Cereals and bakery")
    pa["peanut"] += 0.93 * ci("Peanuts")
    pa["tree nuts"] += 0.93 * ci("Tree nuts") + 0.2 * ci("Chocolate")
    pa["fish"] += 0.94 * ci("Oily fish", "White fish", "Canned fish")
    pa["crustaceans"] += 0.4 * ci("Shellfish")
    pa["soy"] += 0.3 * ci("Plant-based drinks", "Sauces")
    pa["sulphites"] += 0.4 * ci("Dried fruit")
    fl = {}
    for a in ALLER:
        fl[a] = r.random(N) < pa[a]
    fl["wheat"] = fl["gluten"] & (r.random(N) < 0.75)
    for a in ALLER:
        C[f"Contains {a}"] = fl[a].astype(int)
    for a in ALLER:
        C[f"May contain traces of {a}"] = ((~fl[a]) & (r.random(N) < 0.09)).astype(int)
    vegan = ~(fl["milk"] | fl["egg"] | fl["fish"] | gi("Meat and poultry", "Fish and seafood"))
    veg = ~(gi("Meat and poultry", "Fish and seafood") | fl["fish"])
    for n_, v in (
        ("Suitable for vegetarians", veg),
        ("Suitable for vegans", vegan),
        ("Halal certified", r.random(N) < 0.15),
        ("Kosher certified", r.random(N) < 0.1),
        ("Organic certified", np.array(["Organic" in x for x in names]) | (r.random(N) < 0.1)),
        ("Fair trade", r.random(N) < 0.06),
        ("Palm oil free", r.random(N) < 0.7),
        ("Gluten free label", ~fl["gluten"] & (r.random(N) < 0.25)),
        ("Lactose free label", ~fl["milk"] & (r.random(N) < 0.15)),
        ("Sugar free claim", r.random(N) < 0.05),
        ("Low fat claim", r.random(N) < 0.1),
        ("High fibre claim", r.random(N) < 0.12),
        ("Source of protein claim", r.random(N) < 0.14),
        ("No added salt claim", r.random(N) < 0.07),
        ("Fortified with vitamin D", r.random(N) < 0.08),
        ("Fortified with calcium", r.random(N) < 0.08),
        ("Fortified with iron", r.random(N) < 0.06),
        ("Fortified with iodine", r.random(N) < 0.03),
        ("Recyclable packaging", r.random(N) < 0.6),
    ):
        C[n_] = v.astype(int)
    for a in [
        "Colourings",
        "Preservatives",
        "Antioxidants",
        "Emulsifiers",
        "Thickeners",
        "Flavour enhancers",
        "Sweeteners",
        "Raising agents",
        "Nitrites (E249-E250)",
        "Aspartame (E951)",
        "Sucralose (E955)",
        "Stevia (E960)",
        "MSG (E621)",
        "Lecithin (E322)",
        "Carrageenan (E407)",
    ]:
        C[f"Additive: {a}"] = (r.random(N) < r.uniform(0.03, 0.25)).astype(int)
    for c in [
        "France",
        "Germany",
        "Italy",
        "Spain",
        "United Kingdom",
        "Denmark",
        "Netherlands",
        "Poland",
    ]:
        C[f"Sold in {c}"] = (r.random(N) < r.uniform(0.25, 0.7)).astype(int)
    # composition
    P = {}
    prof = {
        "Dairy and eggs": (9, 12, 5),
        "Fruits": (1, 0.6, 16),
        "Vegetables": (2.5, 0.6, 8),
        "Cereals and bakery": (8, 6, 52),
        "Meat and poultry": (21, 12, 1.5),
        "Fish and seafood": (19, 6, 1),
        "Nuts and seeds": (19, 46, 18),
        "Fats and oils": (0.5, 84, 0.7),
        "Sweets and snacks": (5, 17, 58),
        "Beverages": (0.8, 0.6, 7),
        "Soups and sauces": (2, 5, 9),
    }
    pr, ft, cb = (np.array([prof[x][i] for x in g]) * r.lognormal(0, 0.28, N) for i in range(3))
    ft = np.where(cat == "Oily fish", ft * 2, ft)
    ft = np.minimum(ft, 99)
    s = pr + ft + cb
    k = np.where(s > 97, 97 / s, 1)
    pr, ft, cb = pr * k, ft * k, cb * k
    fib = cb * r.beta(2, 14, N) + 1.5 * gi("Vegetables", "Nuts and seeds")
    sug = cb * np.where(
        gi("Fruits", "Sweets and snacks", "Beverages", "Dairy and eggs"),
        r.beta(9, 2, N),
        r.beta(2, 8, N),
    )
    alc = np.where(r.random(N) < 0.02, r.uniform(0.1, 5, N), 0)
    kc = 4 * pr + 9 * ft + 4 * cb + 2 * fib + 7 * alc
    sat = (
        ft
        * np.where(
            gi("Dairy and eggs"),
            0.62,
            np.where(gi("Meat and poultry", "Sweets and snacks"), 0.4, 0.15),
        )
        * r.uniform(0.8, 1.2, N)
    )
    pu = (
        ft * np.where(gi("Nuts and seeds", "Fish and seafood"), 0.35, 0.12) * r.uniform(0.7, 1.3, N)
    )
    mu = np.maximum(ft - sat - pu, 0) * 0.93
    P.update(
        {
            "Energy (kcal)": kc,
            "Energy (kJ)": kc * 4.184,
            "Water (g)": np.maximum(100 - pr - ft - cb - 1, 0.5),
            "Protein (g)": pr,
            "Total fat (g)": ft,
            "Saturated fat (g)": sat,
            "Monounsaturated fat (g)": mu,
            "Polyunsaturated fat (g)": pu,
            "Trans fat (g)": ft * r.beta(1, 80, N),
            "Cholesterol (mg)": np.where(
                gi("Dairy and eggs", "Meat and poultry", "Fish and seafood"), r.gamma(4, 18, N), 0
            )
            + 300 * ci("Eggs"),
            "Carbohydrate (g)": cb,
            "Total sugars (g)": sug,
            "Added sugars (g)": sug
            * np.where(
                gi("Sweets and snacks", "Beverages", "Cereals and bakery"),
                r.uniform(0.5, 1, N),
                r.uniform(0, 0.15, N),
            ),
            "Starch (g)": np.maximum(cb - sug, 0) * 0.95,
            "Dietary fibre (g)": fib,
            "Soluble fibre (g)": fib * 0.3,
            "Insoluble fibre (g)": fib * 0.7,
            "Ash (g)": r.gamma(4, 0.3, N),
            "Alcohol (g)": alc,
        }
    )
    na = (
        250
        * r.lognormal(-0.3, 0.8, N)
        * np.where(
            gi("Fruits", "Beverages"),
            0.05,
            np.where(gi("Soups and sauces") | ci("Sausages and cold cuts", "Cheese"), 3, 1),
        )
    )
    P["Salt (g)"] = na * 2.5 / 1000
    for n_ in ("Glucose", "Fructose", "Sucrose", "Lactose", "Maltose", "Galactose"):
        P[n_ + " (g)"] = (
            sug * r.uniform(0, 0.25, N)
            if n_ != "Lactose"
            else sug * (0.8 if False else 1) * np.where(fl["milk"], r.uniform(0.3, 0.8, N), 0)
        )
    boost = {
        "Calcium": ("Dairy and eggs", 5),
        "Iron": ("Meat and poultry", 1.6),
        "Vitamin C": ("Fruits", 8),
        "Beta-carotene": ("Vegetables", 9),
        "Magnesium": ("Nuts and seeds", 5),
        "Vitamin B12": ("Fish and seafood", 5),
        "Vitamin D": ("Fish and seafood", 9),
        "Vitamin E": ("Nuts and seeds", 8),
        "Vitamin K1": ("Vegetables", 8),
        "Iodine": ("Fish and seafood", 6),
        "Selenium": ("Fish and seafood", 4),
        "Folate, DFE": ("Vegetables", 2.5),
        "Potassium": ("Vegetables", 1.5),
        "Lycopene": ("Vegetables", 4),
        "Retinol": ("Dairy and eggs", 3),
        "Zinc": ("Meat and poultry", 3),
    }
    for n_, u, b in MIN + VIT:
        v = b * r.lognormal(-0.25, 0.7, N)
        if n_ in boost:
            v = v * np.where(g == boost[n_][0], boost[n_][1], 1)
        if n_ == "Sodium":
            v = na
        if n_ == "Vitamin B12":
            v = np.where(vegan, v * 0.02, v)
        if n_ == "Vitamin C":
            v = np.where(gi("Meat and poultry", "Fats and oils", "Fish and seafood"), 0, v)
        P[f"{n_} ({u})"] = v
    for i, a in enumerate(AA):
        P[f"{a} (g)"] = (
            pr
            * [
                0.012,
                0.04,
                0.045,
                0.08,
                0.07,
                0.024,
                0.015,
                0.045,
                0.035,
                0.05,
                0.06,
                0.027,
                0.05,
                0.09,
                0.18,
                0.04,
                0.06,
                0.05,
            ][i]
            * r.uniform(0.8, 1.2, N)
        )
    w = {"16:0": 0.2, "18:0": 0.08, "18:1 n-9": 0.35, "18:2 n-6": 0.15, "14:0": 0.04, "12:0": 0.02}
    for f in FA:
        v = ft * w.get(f, 0.006) * r.lognormal(0, 0.3, N)
        if f in ("20:5 n-3", "22:6 n-3", "22:5 n-3"):
            v = (
                ft
                * np.where(cat == "Oily fish", 0.07, np.where(gi("Fish and seafood"), 0.04, 0.0005))
                * r.lognormal(0, 0.3, N)
            )
        P[f"{f} (g)"] = v
    P["Omega-3 fatty acids, total (g)"] = (
        P["18:3 n-3 (g)"]
        + P["20:5 n-3 (g)"]
        + P["22:6 n-3 (g)"]
        + P["22:5 n-3 (g)"]
        + P["18:4 n-3 (g)"]
    )
    P["Omega-6 fatty acids, total (g)"] = (
        P["18:2 n-6 (g)"] + P["18:3 n-6 (g)"] + P["20:4 n-6 (g)"] + P["20:2 n-6 (g)"]
    )
    for n_, u in OTH:
        v = r.lognormal(0.5, 0.9, N) * (r.random(N) < 0.6)
        if n_ == "Caffeine":
            v = np.where(
                ci("Coffee and tea"),
                r.normal(38, 9, N).clip(5),
                np.where(
                    ci("Soft drinks"),
                    r.normal(9, 3, N).clip(0) * (r.random(N) < 0.5),
                    np.where(ci("Chocolate"), r.normal(22, 8, N).clip(1), 0),
                ),
            )
        if n_ == "Mercury":
            v = np.where(gi("Fish and seafood"), r.gamma(3, 12, N), r.gamma(1, 0.4, N))
        if n_ == "Acrylamide":
            v = np.where(
                ci("Crisps and savoury snacks"),
                r.gamma(5, 90, N),
                np.where(gi("Cereals and bakery"), r.gamma(3, 25, N), r.gamma(1, 3, N)),
            )
        P[f"{n_} ({u})"] = v

    def rd(v):
        return np.round(
            v,
            0
            if np.nanmean(v) > 60
            else 1
            if np.nanmean(v) > 6
            else 2
            if np.nanmean(v) > 0.3
            else 3,
        )

    R = {}
    for n_, v in P.items():
        p = (
            0.005
            if n_.startswith(("Energy", "Protein", "Total fat", "Carb"))
            else 0.04
            if any(n_.startswith(m[0]) for m in MACRO + MIN)
            else 0.1
            if any(n_.startswith(m[0]) for m in VIT)
            else 0.2
        )
        v = rd(np.array(v, float))
        v[r.random(N) < p] = np.nan
        R[n_] = v
        C[n_] = v
    for n_, v in R.items():
        if not any(n_.startswith(o[0] + " (") for o in OTH):
            C[f"{n_} per serving"] = np.round(v * ss / 100, 3)
    for n_ in list(R):
        b = n_.rsplit(" (", 1)[0]
        if n_ != "Energy (kJ)":
            C[f"{b}, year of analysis"] = np.where(
                np.isnan(R[n_]), np.nan, r.integers(2004, 2024, N)
            )
    for n_ in list(R):
        b = n_.rsplit(" (", 1)[0]
        if any(b == x[0] for x in MACRO + MIN + VIT) and n_ != "Energy (kJ)":
            C[f"{b}, number of samples"] = np.where(np.isnan(R[n_]), np.nan, r.poisson(4, N) + 1)
            C[f"{b}, method"] = np.where(
                np.isnan(R[n_]),
                None,
                r.choice(
                    ["analysed", "calculated", "from label", "borrowed from other table"],
                    N,
                    p=[0.5, 0.22, 0.18, 0.1],
                ),
            )
    for n_ in list(R):
        b = n_.rsplit(" (", 1)[0]
        if b in AA or b in FA:
            C[f"{b}, number of samples"] = np.where(np.isnan(R[n_]), np.nan, r.poisson(2, N) + 1)
        if any(b == x[0] for x in MACRO + MIN + VIT) and n_ != "Energy (kJ)":
            C[f"{n_}, standard deviation"] = np.where(
                np.isnan(R[n_]) | (r.random(N) < 0.3),
                np.nan,
                np.round(R[n_] * r.uniform(0.03, 0.2, N), 3),
            )
    for n_, ref in (
        ("Energy (kcal)", 2000),
        ("Protein (g)", 50),
        ("Total fat (g)", 70),
        ("Saturated fat (g)", 20),
        ("Carbohydrate (g)", 260),
        ("Total sugars (g)", 90),
        ("Salt (g)", 6),
        ("Calcium (mg)", 800),
        ("Iron (mg)", 14),
        ("Vitamin C (mg)", 80),
        ("Vitamin D (µg)", 5),
        ("Magnesium (mg)", 375),
        ("Potassium (mg)", 2000),
        ("Zinc (mg)", 10),
    ):
        C[f"{n_.rsplit(' (', 1)[0]}, % of daily reference intake per serving"] = np.round(
            C[n_ + " per serving"] / ref * 100, 1
        )
    for q in ("Sweetness", "Saltiness", "Bitterness", "Sourness", "Overall liking"):
        sc = r.normal(5, 1.5, N) + (0.05 * (sug - 15) if q == "Sweetness" else 0)
        C[f"Taste panel: {q} (0-10)"] = np.where(
            r.random(N) < 0.35, np.nan, np.round(sc.clip(0, 10), 1)
        )
    for a in range(2019, 2024):
        C[f"Average price {a} (EUR/kg)"] = np.where(
            r.random(N) < 0.1,
            np.nan,
            np.round(r.lognormal(1.8, 0.6, N) * (1 + 0.05 * (a - 2019)), 2),
        )
    return pd.DataFrame(C)
