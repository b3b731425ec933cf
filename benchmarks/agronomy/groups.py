"""The choices of the trial table, each a group of columns of 0 and 1, as TSO, A.2, has them."""

from __future__ import annotations

from typing import NamedTuple


class OneHot(NamedTuple):
    """A choice among levels, one column of 0 and 1 for each level, as a model matrix has them."""

    stem: str
    levels: tuple[str, ...]
    core: int = 0

    def shown(self, wide: bool) -> tuple[str, ...]:
        """The levels a table of this width has."""
        return self.levels if wide else self.levels[: self.core]


CROPS = {
    "Wheat": -0.6,
    "Barley": -0.4,
    "Canola": 0.3,
    "Field.Pea": 0.7,
    "Fallow": 0.5,
    "Chickpea": 0.6,
    "Lupin": 0.5,
    "Faba.Bean": 0.7,
    "Lentil": 0.4,
    "Oats": -0.3,
    "Pasture": 0.2,
    "Sorghum": -0.2,
    "Cotton": -0.1,
    "Vetch": 0.5,
}
"""Crops of earlier years and what each adds to the yield, in t/ha."""

PREVIOUS = OneHot("METADom_previous_crop_sub_crop", tuple(CROPS), 5)
SAME = "METADom_previous_crop_same_sub_cropTRUE"
BREEDER = OneHot(
    "MANDom_Breeder",
    (
        *("Advanta.Seeds", "Bayer.CropScience", "Harrow.Genetics", "Longfield.Grain"),
        *("Northplain", "Ashby.Cereals", "Blackwood.Plant.Breeding", "Copper.Ridge", "Dunmore"),
        *("Eastmere.Seeds", "Fernhill.Research", "Galah.Genetics", "Highfield", "Ironbark.Seeds"),
        *("Jindara", "Kestrel.Grains", "Lachlan.Breeders", "Mallee.Crop.Science", "Nullarbor"),
        *("Oakvale.Institute", "Pinnacle.Wheat", "Quandong.Seeds", "Redgum.Genetics", "Saltbush"),
    ),
    5,
)
SERIES_NAME = OneHot(
    "MANDom_Series_name",
    (
        *("Durum", "Early.Conventional", "Late.IMI", "ITAdvMainLEP", "Early.Conventional.Main"),
        *("Early.IMI", "Early.Triazine.Tolerant", "Mid.Conventional", "Mid.IMI", "Main.North"),
        *("Early.Conventional.Irrigated", "Late.Conventional", "Mid.Triazine.Tolerant"),
        *("Main.South", "Main.East", "Main.West", "Long.Season", "Short.Season", "Hay", "Grazing"),
        *("ITAdvMainSEQ", "ITAdvMainWAS", "ITAdvEarlyNNS", "ITAdvEarlyLEP", "ITPrelimMainLEP"),
        *("High.Rainfall", "Low.Rainfall", "Irrigated.Main", "Acid.Soils", "Sodic.Soils"),
        *("Stage.Three", "Stage.Four", "National.Variety", "Feed", "Malt", "Noodle", "Soft"),
        *("Desi", "Kabuli", "Narrow.Leaf", "Broad.Leaf", "Red.Lentil", "Semi.Leafless"),
    ),
    4,
)
ORIENTATION = OneHot("MANDom_Orientation_sub_crop", ("North", "East", "South", "West"), 4)

MANAGEMENT = (
    SERIES_NAME,
    BREEDER,
    ORIENTATION,
    OneHot(
        "MANDom_Operator",
        (
            *("Ag.Trials", "Brookton.Field.Services", "Central.West.Farming", "Darling.Research"),
            *("Esperance.Agronomy", "Field.Systems", "Gulf.Agriculture", "Horsham.Trials"),
            *("Inland.Services", "Kalannie.Group", "Riverine.Plots", "Southern.Downs"),
        ),
    ),
    OneHot(
        "MANDom_Seeder",
        ("Cone.Seeder", "Disc.Drill", "Tyne.Drill", "Air.Seeder", "Precision.Planter", "Combine"),
    ),
    OneHot(
        "MANDom_Harvester",
        ("Plot.Harvester", "Small.Header", "Large.Header", "Hand.Harvest", "Stripper.Front"),
    ),
    OneHot(
        "MANDom_Variety",
        (
            *(
                "Amber",
                "Banjo",
                "Cascade",
                "Dover",
                "Ember",
                "Falcon",
                "Gauntlet",
                "Hammer",
                "Ibis",
            ),
            *("Jade", "Kite", "Lancer", "Magnet", "Noble", "Orion", "Piper", "Quartz", "Rocket"),
            *("Scepter.Two", "Tungsten", "Ultra", "Viking", "Warden", "Xenon", "Yarra", "Zephyr"),
            *("Anvil", "Beacon", "Comet", "Delta", "Echo", "Flint", "Granite", "Harbour", "Ivory"),
            "Jasper",
        ),
    ),
    OneHot(
        "MANDom_State",
        ("NSW", "Queensland", "South.Australia", "Tasmania", "Victoria", "Western.Australia"),
    ),
    OneHot(
        "MANDom_Region",
        (
            *("Central.West", "Darling.Downs", "Eyre.Peninsula", "Great.Southern", "Gippsland"),
            *("Lower.North", "Mallee", "Mid.North", "Murray", "North.East", "North.West"),
            *("Riverina", "South.East", "Upper.North", "Western.District", "Wheatbelt"),
            *("Wimmera", "Yorke.Peninsula"),
        ),
    ),
)


def _rotation(year: int) -> OneHot:
    return OneHot(f"METADom_Crop_rotation_minus_{year}_sub_crop", tuple(CROPS), 5)


def _chemicals(year: int) -> OneHot:
    groups = ("Group.A", "Group.B", "Group.C", "Group.D", "Group.G", "Group.I", "Group.M", "None")
    return OneHot(f"METADom_Chemical_rotation_minus_{year}_sub_crop", groups)


FIELD = (
    PREVIOUS,
    *(_rotation(year) for year in range(1, 6)),
    *(_chemicals(year) for year in range(1, 4)),
    OneHot(
        "METADom_Soil_texture",
        ("Clay", "Clay.Loam", "Loam", "Sandy.Loam", "Sand", "Silt", "Gravel", "Duplex"),
    ),
    OneHot(
        "METADom_Fertiliser_product",
        (
            *("Urea", "MAP", "DAP", "Superphosphate", "Ammonium.Sulphate", "Potash", "UAN"),
            *("Gypsum", "Lime", "Zinc.Sulphate", "Manure", "None"),
        ),
    ),
    OneHot(
        "METADom_Herbicide",
        (
            *("Glyphosate", "Paraquat", "Trifluralin", "Atrazine", "Simazine", "Diuron", "MCPA"),
            *("Clethodim", "Imazamox", "Metribuzin", "Pyroxasulfone", "Triallate", "Dicamba"),
            *("Bromoxynil", "None"),
        ),
    ),
    OneHot(
        "METADom_Fungicide",
        (
            *("Tebuconazole", "Propiconazole", "Azoxystrobin", "Epoxiconazole", "Flutriafol"),
            *("Prothioconazole", "None"),
        ),
    ),
    OneHot("METADom_Insecticide", ("Bifenthrin", "Chlorpyrifos", "Dimethoate", "None")),
    OneHot("METADom_Tillage", ("No.Till", "Minimum.Till", "Conventional.Till", "Strip.Till")),
    OneHot("METADom_Irrigation", ("Dryland", "Flood", "Sprinkler", "Drip")),
    OneHot(
        "METADom_Seed_treatment",
        (
            *("Carboxin", "Fluquinconazole", "Imidacloprid", "Ipconazole", "Sedaxane"),
            *("Thiram", "Triticonazole", "None"),
        ),
    ),
    OneHot("METADom_Inoculant", ("Group.E", "Group.F", "Group.N", "None")),
    OneHot("METADom_Stubble", ("Burnt", "Grazed", "Incorporated", "Retained")),
    OneHot("METADom_Landform", ("Flat", "Hill", "Slope", "Valley")),
)
