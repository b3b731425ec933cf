"""Pictures of charts: made without a network, whatever stands in headers and cells."""

import base64
import json
import random
import re
import struct
import subprocess
import sys
import zlib
from datetime import date, datetime, timedelta
from itertools import pairwise
from xml.dom import minidom

import polars as pl
import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st

from wideleaf.tools.charts.channels import has_room
from wideleaf.tools.charts.chart import Chart, draw_chart
from wideleaf.tools.charts.forms import FORMS
from wideleaf.tools.charts.pictures import PictureProcess, press
from wideleaf.tools.errors import SettingsError

AT = random.Random(3)
HOSTILE = (
    "a.b[0]", "a[b", "x:Q", 'say "x"', "it's", '\\"', '\\"+x+\\"', "\\", "a\\nb", "\n", "\u2028",
    "${x}", "datum.y", 'datum["y"]', "<script>", "</text>", "&amp;", "\x00", "\u202e", " ", "",
    "null", "undefined", "__proto__", "constructor", "toString", "x", "y", "color", "NaN", "%s",
    '{"expr": "1"}', "https://example.com/a.png", "量 度", "😀",
)  # fmt: skip


def frame_for(form, name="", cell=""):
    """A frame that a form can be drawn of, with a text in its headers and cells."""
    if form in ("box", "histogram", "scatter"):
        cells = {f"{name}k": [cell, f"{cell}2"] * 9, f"{name} n": [AT.random() for _ in range(18)]}
        return pl.DataFrame(cells)
    if form in ("bar", "line", "area", "pie", "waterfall"):
        return pl.DataFrame({name: [cell, f"{cell}2", f"x{cell}"], f"{name} n": [1.5, 2, 3]})
    return pl.DataFrame(
        [
            {name: f"{cell}{a}", f"{name}2": f"{b}{cell}", f"{name} n": a + b}
            for a in range(3)
            for b in range(3)
        ]
    )


def texts(svg):
    """What is written in a picture; a text in several lines is one."""
    page = minidom.parseString(svg)
    return ["".join(t.data for t in node.childNodes if t.nodeType == 3) for node in
            [*page.getElementsByTagName("text"), *page.getElementsByTagName("tspan")]]  # fmt: skip


def pixels(png):
    """The bytes of a PNG's pixels before they are pressed, and its width and height."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, size = 8, b"", None
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        body = png[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", png, at + 8 + length)
        assert zlib.crc32(name + body) == checksum
        size = struct.unpack_from(">II", body) if name == b"IHDR" else size
        data += body if name == b"IDAT" else b""
        at += length + 12
    assert name == b"IEND"
    return zlib.decompress(data), size


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_of_each_form(form):
    made = draw_chart(frame_for(form, "site", "Roma"), form, "How much was it?")
    assert "How much was it?" in texts(made.svg())
    data, (width, height) = pixels(made.png())
    assert len({*data}) > 10 and width > 300 and height > 200


@pytest.mark.parametrize(
    ("odd", "form"), [(odd, form) for at, odd in enumerate(HOSTILE) for form in FORMS[at % 7 :: 7]]
)
def test_headers_and_cells_are_shown_and_never_run(odd, form):
    made = draw_chart(frame_for(form, odd, odd), form, odd)
    assert isinstance(made, Chart)
    told = "".join(texts(made.svg()))
    plain = "".join(odd.split())
    if plain.isprintable():
        told = "".join(told.split())
        assert plain in told and plain.replace("\\", "/") in told


@settings(max_examples=25)
@given(st.text(max_size=8), st.text(max_size=8), st.sampled_from(FORMS))
def test_any_header_and_any_cell_make_a_picture(name, cell, form):
    minidom.parseString(draw_chart(frame_for(form, name, cell), form).svg())


@pytest.mark.parametrize("name", ["^$", "^.*$", "*"])
def test_a_header_that_reads_as_a_pattern_is_a_header(name):
    made = draw_chart(frame_for("bar", name, "Roma"), "bar")
    assert "Roma" in "".join(texts(made.svg()))


def test_nothing_is_fetched():
    made = draw_chart(frame_for("bar", "site", "https://127.0.0.1:1/a.png"), "bar")
    assert "url" not in json.dumps(made.spec).replace("https://127.0.0.1:1/a.png", "")
    fetching = Chart(form="bar", x="x", y=("y",), spec={
        **made.spec, "data": {"url": "http://127.0.0.1:1/data.json"},
    })  # fmt: skip
    with pytest.raises(ValueError, match="External data url not allowed"):
        fetching.svg()


def test_a_pressed_picture_is_the_same_and_smaller():
    made = draw_chart(frame_for("bar", "site", "Roma"))
    plain = vl_convert.vegalite_to_png(made.spec, scale=2)
    assert pixels(press(plain)) == pixels(plain)
    assert len(press(plain)) < len(plain) / 2


def test_pictures_are_written_by_the_ending_of_their_name(tmp_path):
    made = draw_chart(frame_for("bar", "site", "Roma"))
    assert pixels(made.save(tmp_path / "new" / "a.png").read_bytes())
    assert (made.save(tmp_path / "a.SVG")).read_text().startswith("<svg")
    assert json.loads(made.save(tmp_path / "a.json").read_text()) == made.spec
    with pytest.raises(SettingsError, match=r"end it in .png, .svg or .json"):
        made.save(tmp_path / "a.gif")


def test_a_notebook_gets_the_spec_and_the_picture():
    made = draw_chart(frame_for("bar", "site", "Roma"))
    bundle = made._repr_mimebundle_()
    assert bundle["application/vnd.vegalite.v6+json"] == made.spec
    assert pixels(bundle["image/png"])
    assert bundle["text/plain"] == "<Chart bar: 'site n by site', 3 points>"
    assert base64.b64encode(bundle["image/png"])


def test_bars_begin_at_zero_and_lines_where_they_are():
    bars = draw_chart(pl.DataFrame({"site": ["a", "b"], "n": [1000, 1001]}))
    assert bars.spec["encoding"]["y"]["scale"]["zero"] is True
    line = pl.DataFrame({"year": range(2000, 2010), "n": range(1000, 1010)})
    assert draw_chart(line).spec["encoding"]["y"]["scale"]["zero"] is False
    low = line.with_columns(n=pl.col("n") - 1000)
    assert draw_chart(low).spec["encoding"]["y"]["scale"]["zero"] is True


def test_large_numbers_are_in_millions_and_years_have_no_comma():
    sales = pl.DataFrame({"year": range(2000, 2010), "sum of sales (AUD)": [2_500_000] * 10})
    told = texts(draw_chart(sales.with_columns(pl.all().cast(pl.Int64))).svg())
    assert "sum of sales (AUD) (in millions)" in told
    assert "2.5" in told and "2002" in told
    assert not [text for text in told if "2,00" in text or "000,000" in text]


def test_small_numbers_have_short_labels():
    told = texts(draw_chart(pl.DataFrame({"site": ["a", "b"], "rate": [1.2e-7, 3.4e-7]})).svg())
    assert "0" in told and max(len(text) for text in told if "e-" in text) <= 7


def test_an_axis_of_moments_says_what_all_of_them_are_of():
    hours = [datetime(2024, 5, 1, hour) for hour in range(24)]
    told = texts(draw_chart(pl.DataFrame({"at": hours, "load": [*range(24)]})).svg())
    assert "at (2024-05-01)" in told and "06:00" in told
    days = [date(2024, 3, 1) + timedelta(day) for day in range(90)]
    assert "day (2024)" in texts(draw_chart(pl.DataFrame({"day": days, "n": [*range(90)]})).svg())


def places(svg, texts_wanted):
    """Where some texts stand: left end, right end, by how wide an n is."""
    found = re.findall(
        r'<text text-anchor="middle" transform="translate\(([\d.]+),([\d.]+)\)"[^>]*>([^<]*)<', svg
    )
    return sorted(
        (float(x) - 3 * len(text), float(x) + 3 * len(text))
        for x, _, text in found
        if text in texts_wanted
    )


@pytest.mark.parametrize("count", [2, 5, 9, 14])
@pytest.mark.parametrize("length", [3, 8, 30])
def test_labels_of_bars_never_stand_in_one_another(count, length):
    keys = [f"{place:02d}" + "n" * (length - 2) for place in range(count)]
    made = draw_chart(pl.DataFrame({"site": keys, "n": range(1, count + 1)}))
    upright = made.spec["encoding"]["x"]["field"] == "x"
    assert upright == has_room(keys)
    svg = made.svg()
    assert {*keys} <= {*texts(svg)}
    if upright:
        spans = places(svg, keys)
        assert len(spans) == count
        assert all(one[1] < other[0] for one, other in pairwise(spans))


def test_a_chart_is_plain_data_and_frozen():
    made = draw_chart(frame_for("bar", "site", "Roma"))
    assert Chart.model_validate_json(made.model_dump_json()) == made
    with pytest.raises(ValueError, match="frozen"):
        made.title = "other"


def test_a_fork_that_would_wait_for_ever_is_told_so():
    code = (
        "import multiprocessing, polars as pl\n"
        "from wideleaf.tools.charts.chart import draw_chart\n"
        "made = draw_chart(pl.DataFrame({'site': ['a', 'b'], 'n': [1, 2]}))\n"
        "made.svg()\n"
        "def draw():\n"
        "    try: made.png()\n"
        "    except Exception as error: print(type(error).__name__, error)\n"
        "child = multiprocessing.get_context('fork').Process(target=draw)\n"
        "child.start(); child.join()\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True
    )
    assert "SettingsError" in run.stdout and "was forked off" in run.stdout, run.stderr


def test_a_picture_made_in_a_process_beside_is_the_same_and_outlives_its_end():
    pictures = PictureProcess()
    chart = draw_chart(pl.DataFrame({"site": ["a", "b"], "n": [1, 2]}))
    try:
        first = pictures.png(chart.spec, 1.0)
        assert press(first) == chart.png(1.0)
        pictures.close()
        assert pictures.png(chart.spec, 1.0) == first
        with pytest.raises(OSError, match="ended"):
            pictures.png({"mark": 7}, 1.0)
        assert pictures.png(chart.spec, 1.0) == first
    finally:
        pictures.close()
