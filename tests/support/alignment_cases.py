"""Words beside the values of a column: what is meant by them, or that nothing is."""

PLACES = ("Ames", "Arlington", "Aurora", "Champaign", "College Station", "Columbia", "Waseca")
CROPS = ("corn", "soybean", "winter wheat", "sorghum", "cotton", "fallow", "lima beans")
SOILS = ("clay loam", "sandy loam", "silt loam", "peat", "gravel")
TILLAGE = ("no-till", "conventional", "chisel plow", "disc", "strip tillage")
STATES = ("resistant", "moderately resistant", "moderately susceptible", "susceptible")
SITES = ("DEH1", "NEH1", "NEH2", "NEH3", "ONH1", "NEH1_2022", "NEH2_2022")
WATER = ("irrigated", "unirrigated", "rainfed")
SEXES = ("male", "female")
JOBS = ("physician", "nurse", "attorney", "carpenter", "teacher", "farmer")
COUNTRIES = ("United States", "United Kingdom", "Germany", "Netherlands", "South Korea")
STATUS = ("shipped", "cancelled", "pending", "refunded")
AMOUNTS = ("1200", "1500", "12", "120")
YEARS = ("2014", "2015", "2016")

SPELT: list[tuple[str, tuple[str, ...], str]] = [
    ("Ames", PLACES, "Ames"),
    ("ames", PLACES, "Ames"),
    ("  college   STATION ", PLACES, "College Station"),
    ("Colege Station", PLACES, "College Station"),
    ("Champain", PLACES, "Champaign"),
    ("Arlingtn", PLACES, "Arlington"),
    ("soyabean", CROPS, "soybean"),
    ("soybeans", CROPS, "soybean"),
    ("sorgum", CROPS, "sorghum"),
    ("no till", TILLAGE, "no-till"),
    ("chisel-plow", TILLAGE, "chisel plow"),
    ("1,200", AMOUNTS, "1200"),
    ("1200.0", AMOUNTS, "1200"),
    ("neh2_2022", SITES, "NEH2_2022"),
    ("Moderately resistent", STATES, "moderately resistant"),
    ("canceled", STATUS, "cancelled"),
    ("Netherland", COUNTRIES, "Netherlands"),
]
"""Variants of spelling."""
MEANT: list[tuple[str, tuple[str, ...], str]] = [
    ("maize", CROPS, "corn"),
    ("soya", CROPS, "soybean"),
    ("unplanted field", CROPS, "fallow"),
    ("doctor", JOBS, "physician"),
    ("lawyer", JOBS, "attorney"),
    ("woodworker", JOBS, "carpenter"),
    ("school teacher", JOBS, "teacher"),
    ("America", COUNTRIES, "United States"),
    ("Britain", COUNTRIES, "United Kingdom"),
    ("Holland", COUNTRIES, "Netherlands"),
    ("Korea", COUNTRIES, "South Korea"),
    ("woman", SEXES, "female"),
    ("money given back", STATUS, "refunded"),
    ("called off", STATUS, "cancelled"),
    ("zero tillage", TILLAGE, "no-till"),
    ("plough", TILLAGE, "chisel plow"),
    ("sand", SOILS, "sandy loam"),
    ("silty soil", SOILS, "silt loam"),
    ("watered by rain", WATER, "rainfed"),
]
"""Variants of meaning, which no spelling gives away."""
NOT_MEANT: list[tuple[str, tuple[str, ...]]] = [
    ("Paris", PLACES),
    ("Dubuque", PLACES),
    ("banana", CROPS),
    ("tractor", CROPS),
    ("barley", ("corn", "cotton", "fallow")),
    ("asphalt", SOILS),
    ("NEH4", SITES),
    ("NEH3_2022", SITES),
    ("TXH1", SITES),
    ("1400", AMOUNTS),
    ("2017", YEARS),
    ("immune", ("early", "late")),
    ("pilot", JOBS),
    ("astronaut", JOBS),
    ("Brazil", COUNTRIES),
    ("France", COUNTRIES),
    ("North Korea", ("Germany", "Netherlands")),
    ("delivered by drone", ("pending", "refunded")),
    ("AML", ("ALL", "CLL")),
    ("not irrigated", ("irrigated", "drip")),
    ("infertile", ("fertile", "waterlogged")),
    ("x", PLACES),
    ("", PLACES),
]
"""What no value of the column means."""
