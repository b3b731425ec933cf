"""Legacy encodings: what they are read as, how sure that is, and what stays as it was."""

import ast
from pathlib import Path

import polars as pl
import pytest

import wideleaf
from wideleaf.tools.cells.code_pages import guess_encodings
from wideleaf.tools.dictionary.text import read_text
from wideleaf.tools.sources.normalise import normalise_file

CITIES = {
    "cp1251": "город,население,река|Москва,12,Москва|Санкт-Петербург,5,Нева|Казань,1,Волга|"
    "Самара,1,Волга|Пермь,1,Кама|Томск,0,Томь|Омск,1,Иртыш",
    "koi8_r": "город,население,река|Москва,12,Москва|Санкт-Петербург,5,Нева|Казань,1,Волга",
    "cp1250": "miasto,ludność,rzeka|Łódź,700,Łódka|Kraków,760,Wisła|Gdańsk,470,Motława|"
    "Poznań,540,Warta|Wrocław,640,Odra|Częstochowa,220,Warta|Świdnica,55,Bystrzyca",
    "iso8859_2": "město,kraj|Plzeň,Plzeňský|České Budějovice,Jihočeský|Šumperk,Olomoucký|"
    "Ústí nad Labem,Ústecký|Třebíč,Vysočina|Žďár,Vysočina|Kroměříž,Zlínský",
    "shift_jis": "都市,人口,川|東京,1396,隅田川|大阪,275,淀川|名古屋,232,庄内川|札幌,197,豊平川",
    "gbk": "城市,人口,省|北京,2154,北京|上海,2424,上海|广州,1490,广东|深圳,1303,广东|成都,1,四川",
    "big5": "城市,人口,河|臺北,260,淡水河|高雄,277,愛河|臺中,281,大甲溪|臺南,188,曾文溪",
    "euc_kr": "도시,인구,강|서울,970,한강|부산,340,낙동강|대구,240,금호강|광주,140,영산강",
    "iso8859_7": "πόλη,πληθυσμός,νομός|Αθήνα,664,Αττική|Θεσσαλονίκη,325,Θεσσαλονίκη|"
    "Πάτρα,168,Αχαΐα|Ηράκλειο,173,Κρήτη|Λάρισα,144,Θεσσαλία|Βόλος,86,Μαγνησία",
    "cp1256": "مدينة,سكان|القاهرة,900|الرياض,700|بغداد,600|دمشق,200",
    "cp874": "เมือง,ประชากร|กรุงเทพ,900|เชียงใหม่,130|ขอนแก่น,110",
}
WESTERN = [
    "ville,population|Orléans,116|Besançon,117|Nîmes,148|Île-d’Yeu,4",
    "name,age|Zoé,1|Bob,2",
    "Größe,Straße|3,Müllerstraße|4,Königsallee|5,Übersee",
    "city,pop|Málaga,5|Córdoba,3|A Coruña,2|Logroño,1",
    "price|£5|€7",
    "temp|at 20°C|at 30°C",
    "µm,share|5,½|6,±5",
    "name|O’Brien|“quoted”|– dash",
    "land,by|Danmark,København|Norge,Tromsø|Sverige,Malmö|Åland,Mariehamn",
    "cidade|São Paulo|Goiânia|Brasília|Florianópolis",
    "palavra|Informação|Ação|Educação|Gestões",
    "grade|ä|ö|ü",
    "DÉPARTEMENT|LOZÈRE|RHÔNE|HÉRAULT|PYRÉNÉES",
    "nafn|Þór|Guðrún|Ægir|Ásta|Höskuldur",
    "kaupunki|Äänekoski|Jyväskylä|Hämeenlinna",
    "eesti|Põlva|Võru|Jõgeva",
    "città|Forlì|Canicattì|perché",
    "city|São Paulo|Zürich|Malmö|København|Málaga|Nîmes|Łeba".replace("Ł", "L"),
    "word|ÄÖÜ",
]


def rows(text: str) -> str:
    return text.replace("|", "\n") + "\n"


def read(path: Path, folder: Path) -> tuple[list[list[str]], str]:
    normal = normalise_file(path, folder / "tables")
    frame = pl.read_parquet(normal.path)
    cells = [list(frame.columns), *(list(map(str, row)) for row in frame.rows())]
    return cells, " ".join(repair.sentence() for repair in normal.repairs)


@pytest.mark.parametrize("encoding", CITIES)
def test_a_file_in_a_legacy_encoding_is_read_right_and_the_encoding_is_told(encoding, tmp_path):
    path = tmp_path / "cities.csv"
    path.write_bytes(rows(CITIES[encoding]).encode(encoding))
    cells, told = read(path, tmp_path)
    assert cells == [line.split(",") for line in CITIES[encoding].split("|")]
    assert "Read as " in told and " text" in told and "cp1252" not in told


@pytest.mark.parametrize("text", WESTERN, ids=lambda text: text.split("|")[1][:12])
def test_what_was_read_as_windows_1252_stays_so(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(rows(text).encode("cp1252"))
    cells, told = read(path, tmp_path)
    assert "Read as cp1252 text" in told
    assert [str(cell) for line in cells for cell in line] == [
        cell for line in text.split("|") for cell in line.split(",")
    ]


def test_a_weak_guess_is_said_to_be_one(tmp_path):
    for text, encoding, weak in [
        (rows("id,x|1,да|2,нет"), "cp1251", True),  # too little to leave cp1252 for
        (rows("ciudad,año|León,20"), "cp1252", True),  # Polish has the same two letters elsewhere
        (rows("name|Zoé|Bob"), "cp1252", False),
        (rows(CITIES["cp1251"]), "cp1251", False),
    ]:
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode(encoding))
        assert ("; it may be in another encoding" in read(path, tmp_path)[1]) is weak


def test_words_far_down_and_across_blocks_count(tmp_path, monkeypatch):
    monkeypatch.setattr("wideleaf.tools.sources.text.plain_text.BLOCK_BYTES", 7)
    path = tmp_path / "t.csv"
    cities = [line.rsplit(",", 1)[0] for line in CITIES["cp1251"].split("|")[1:]]
    lines = ["city,n", *(f"plain,{n}" for n in range(500)), *cities, ""]
    path.write_bytes("\n".join(lines).encode("cp1251"))
    assert "Read as cp1251 text." in read(path, tmp_path)[1]


def test_no_page_of_mac_or_dos_is_guessed_and_any_bytes_end_in_a_page():
    for first in range(128, 256):
        data = bytes((first + 7 * place) % 128 + 128 for place in range(60))
        for guess in guess_encodings([b"a,b\n", data[:20], b"\n", data[20:]]):
            assert not guess.name.startswith(("mac", "cp4", "cp7", "cp8"))
    assert guess_encodings([]) and guess_encodings([b"plain\n"])[0].name == "cp1252"


def test_a_data_dictionary_is_read_in_its_encoding_and_told(tmp_path):
    path = tmp_path / "d.csv"
    path.write_bytes(rows("column,description|t,температура воздуха|p,давление").encode("cp1251"))
    text, notes = read_text(path)
    assert "температура воздуха" in text and len(notes) == 1
    assert notes[0].startswith("The data dictionary is not UTF-8; it was read as cp1251")


def opens_text_without_encoding(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = getattr(getattr(call.func, "value", None), "id", "")
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if any(key.arg == "encoding" for key in call.keywords) or "utf-8" in texts:
        return False
    if name in ("read_text", "write_text"):  # our own `write_text` writes UTF-8
        return isinstance(call.func, ast.Attribute)
    if name == "fdopen" or (name == "open" and not isinstance(call.func, ast.Attribute)):
        return not any("b" in text for text in texts[-1:])
    if name == "open" and owner != "os":
        return any(text in ("r", "w", "a", "x") for text in texts)
    return False


def test_no_text_is_opened_without_an_encoding():
    face = Path(wideleaf.__file__).parent
    folders = [face, *(face / name for name in ("agents", "graph", "retrieval", "tools"))]
    if not folders[1].exists():  # a working tree: the folders stand beside src
        folders = [face, *(face.parents[1] / f.name for f in folders[1:])]
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and opens_text_without_encoding(node):
                found.append(f"{path.name}:{node.lineno}")
    assert not found
