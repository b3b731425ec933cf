"""Conditions whose value no cell equals: what is meant by it, or that nothing of the column is.

Written before the values of conditions were aligned, of other columns than `alignment_cases`. The
least likeness of spellings (`MIN_SPELLING`) was raised because of them; the rest is held out.
"""

FURNITURE = ("sofa", "armchair", "wardrobe", "desk", "bookcase", "lamp", "rug", "mattress")
DEPARTMENTS = ("Human Resources", "Finance", "Legal", "Customer Support", "Research", "Sales")
COLOURS = ("grey", "crimson", "navy", "beige", "olive", "white", "black")
WEATHER = ("sunny", "overcast", "drizzle", "thunderstorm", "snow", "fog")
NATIONS = ("Australia", "Nigeria", "Slovenia", "Guinea", "Turkey", "Ivory Coast", "Czech Republic")
TRANSPORT = ("car", "bicycle", "tram", "underground", "ferry", "aeroplane")
GENRES = ("comedy", "horror", "documentary", "science fiction", "romance", "western")
PRIORITY = ("urgent", "normal", "low")
PAYMENT = ("credit card", "cash", "bank transfer", "voucher")
ILLNESS = ("hypertension", "diabetes", "influenza", "fracture", "pneumonia")

MEANT: list[tuple[str, tuple[str, ...], str]] = [
    ("couch", FURNITURE, "sofa"),
    ("closet", FURNITURE, "wardrobe"),
    ("bookshelf", FURNITURE, "bookcase"),
    ("carpet", FURNITURE, "rug"),
    ("HR", DEPARTMENTS, "Human Resources"),
    ("customer service", DEPARTMENTS, "Customer Support"),
    ("law department", DEPARTMENTS, "Legal"),
    ("gray", COLOURS, "grey"),
    ("dark blue", COLOURS, "navy"),
    ("cloudy", WEATHER, "overcast"),
    ("light rain", WEATHER, "drizzle"),
    ("thunder storm", WEATHER, "thunderstorm"),
    ("Czechia", NATIONS, "Czech Republic"),
    ("bike", TRANSPORT, "bicycle"),
    ("subway", TRANSPORT, "underground"),
    ("airplane", TRANSPORT, "aeroplane"),
    ("sci-fi", GENRES, "science fiction"),
    ("wire transfer", PAYMENT, "bank transfer"),
    ("high blood pressure", ILLNESS, "hypertension"),
    ("flu", ILLNESS, "influenza"),
]
"""Twenty that mean a value in another spelling or other words."""
NOT_MEANT: list[tuple[str, tuple[str, ...]]] = [
    ("kitchen sink", FURNITURE),
    ("piano", FURNITURE),
    ("Procurement", DEPARTMENTS),
    ("Logistics", DEPARTMENTS),
    ("purple", COLOURS),
    ("yellow", COLOURS),
    ("earthquake", WEATHER),
    ("hail", WEATHER),
    ("Austria", NATIONS),
    ("Niger", NATIONS),
    ("Slovakia", NATIONS),
    ("Guyana", NATIONS),
    ("helicopter", TRANSPORT),
    ("on foot", TRANSPORT),
    ("musical", GENRES),
    ("thriller", GENRES),
    ("cancelled", PRIORITY),
    ("cheque", PAYMENT),
    ("asthma", ILLNESS),
    ("hypotension", ILLNESS),
]
"""Twenty that mean no value of the column, some of them near one in letters or in kind."""
