"""Object stores, Delta and Iceberg tables: what is read, what stays, what is refused."""

import os
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from marks import need_mark
from work import comes_true

import wideleaf
from wideleaf.graph.serving.sources import source_within
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources import lakes, opening
from wideleaf.tools.sources.common_types import share_types
from wideleaf.tools.sources.lakes import clear_errors, find_lake, lake_stem
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.sources.spec import parse_source
from wideleaf.tools.sources.stamps import stamps_of
from wideleaf.tools.steps import store as frame_store
from wideleaf.tools.steps.damage import damage

PLOTS = pl.DataFrame({"plot": ["a", "b", "c"], "yield": [1.5, 2.5, 4.0], "owner": ["x", "y", "z"]})
STORE = {
    "AWS_ACCESS_KEY_ID": "nobody",
    "AWS_SECRET_ACCESS_KEY": "never-told",
    "AWS_REGION": "us-east-1",
    "AWS_ALLOW_HTTP": "true",
}


@pytest.fixture
def delta(tmp_path: Path) -> Path:
    pytest.importorskip("obstore", reason="needs wideleaf[lakes]")
    pytest.importorskip("deltalake", reason="needs wideleaf[lakes]")
    PLOTS.write_delta(tmp_path / "lake" / "plots")
    return tmp_path / "lake" / "plots"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a bucket of a simulated S3."""
    need_mark("servers")
    pytest.importorskip("obstore", reason="needs wideleaf[lakes]")
    if (server := shutil.which("moto_server")) is None:
        pytest.skip("needs moto[server]")
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    place = f"http://127.0.0.1:{port}"
    for name, value in {**STORE, "AWS_ENDPOINT_URL": place}.items():
        monkeypatch.setenv(name, value)
    with subprocess.Popen(
        [server, "-H", "127.0.0.1", "-p", str(port)], stdout=-3, stderr=-3
    ) as running:
        try:
            made = urllib.request.Request(f"{place}/orchard", method="PUT")
            assert comes_true(lambda: _is_answered(made))
            yield "s3://orchard"
        finally:
            running.terminate()


def _is_answered(request: urllib.request.Request) -> bool:
    try:
        urllib.request.urlopen(request).close()
    except OSError:
        return False
    return True


def put(folder: str, **frames: pl.DataFrame) -> None:
    for name, frame in frames.items():
        frame.write_parquet(f"{folder}/{name}.parquet", credential_provider=None)


def test_a_small_delta_table_is_copied_without_what_is_denied(delta: Path, tmp_path: Path) -> None:
    catalog = open_catalog(str(delta), tmp_path / "run", denied=["owner"])
    (source,) = catalog.all
    assert (source.name, source.place, source.rows) == ("plots", "parquet", 3)
    assert pl.read_parquet(source.path).columns == ["plot", "yield"]
    assert source.withheld == ("owner",)


def test_a_large_delta_table_stays_and_a_new_version_is_another_table(
    delta: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MAX_COPIED", 0)
    text, folder = f"p={delta}", tmp_path / "run"
    before, stamps = open_catalog(text, folder), stamps_of([text])
    (source,) = before.all
    assert (source.place, source.address) == ("lake", text)
    assert not list((folder / "tables").glob("*.parquet"))
    assert before.table("p").remote and before.table("p").count() == 3
    assert not damage(before, folder)
    assert open_catalog(source.address, folder).all[0].fingerprint == source.fingerprint

    PLOTS.write_delta(delta, mode="append")

    assert stamps_of([text]) != stamps
    assert pl.from_dicts(before.table("p").rows(9)).height == 3  # of one state
    assert "written to since" in damage(before, folder)
    after = open_catalog(text, folder)
    assert after.table("p").count() == 6
    assert after.all[0].fingerprint != source.fingerprint


def test_another_engine_reads_a_copy(
    delta: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MAX_COPIED", 0)
    catalog = open_catalog(str(delta), tmp_path / "run", engine="duckdb")
    assert catalog.all[0].place == "parquet"
    assert catalog.table("plots").count() == 3


def test_columns_that_a_question_does_not_need_are_not_fetched(
    delta: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, path = 120_000, tmp_path / "table.parquet"
    crops = pl.Series("crop", ["wheat", "rye", "oats"]).sample(rows, with_replacement=True, seed=1)
    regions = pl.Series("region", ["north", "south"]).sample(rows, with_replacement=True, seed=2)
    others = [pl.int_range(rows).cast(pl.Float64).alias(f"m{n}") for n in range(20)]
    frame = pl.select(pl.int_range(rows).alias("yield"), *others).with_columns(crops, regions)
    frame.write_parquet(path, row_group_size=rows // 2)
    break_columns(path, {one.meta.output_name() for one in others})
    monkeypatch.setattr(lakes, "_scan", lambda address, found: pl.scan_parquet(path))
    monkeypatch.setattr(opening, "MAX_COPIED", 0)
    monkeypatch.setattr(frame_store, "SLOW_SECONDS", 0.0)

    question = "What is the mean yield of wheat per region?"
    answer = wideleaf.ask(question, str(delta), folder=tmp_path / "run")

    wanted = frame.filter(pl.col("crop") == "wheat").group_by("region").agg(pl.col("yield").mean())
    given = answer.frame.set_index("region")["mean of yield"].to_dict()
    assert given == pytest.approx(dict(wanted.iter_rows()))


def break_columns(path: Path, names: set[str]) -> None:
    """Damage columns behind the first row group, so that whoever reads them there fails."""
    group = pq.read_metadata(path).row_group(1)
    with path.open("r+b") as file:
        for place in range(group.num_columns):
            column = group.column(place)
            if column.path_in_schema in names:
                file.seek(column.dictionary_page_offset or column.data_page_offset)
                file.write(bytes(column.total_compressed_size))
    with pytest.raises(pl.exceptions.PolarsError):
        pl.scan_parquet(path).select(names).collect()


def test_an_iceberg_table_is_its_newest_metadata(tmp_path: Path) -> None:
    pytest.importorskip("obstore", reason="needs wideleaf[lakes]")
    sql = pytest.importorskip("pyiceberg.catalog.sql", reason="needs wideleaf[lakes]")
    home = tmp_path / "home"
    home.mkdir()
    kept = sql.SqlCatalog("c", uri=f"sqlite:///{home}/c.db", warehouse=home.as_uri())
    kept.create_namespace("orchard")
    table = kept.create_table("orchard.plots", schema=PLOTS.to_arrow().schema)
    table.append(PLOTS.to_arrow())
    first = table.metadata_location.removeprefix("file://")
    table.append(PLOTS.to_arrow())
    kept.engine.dispose()

    for place, rows in ((table.location().removeprefix("file://"), 6), (first, 3)):
        catalog = open_catalog(place, tmp_path / "run")
        assert catalog.names == ("plots",)
        assert catalog.table("plots").count() == rows


@pytest.mark.servers
def test_a_file_a_folder_and_a_pattern_of_a_store(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(f"{store}/plots", part_1=PLOTS, part_2=PLOTS, other=PLOTS)
    monkeypatch.setattr(opening, "MAX_COPIED", 0)
    sizes = {"plots/part_1.parquet": 3, "plots": 9, "plots/": 9, "plots/part_*.parquet": 6}
    for key, rows in sizes.items():
        catalog = open_catalog(f"p={store}/{key}", tmp_path / "run")
        assert catalog.table("p").count() == rows
        assert catalog.all[0].address == f"p={store}/{key}"
    stamps = stamps_of([f"{store}/plots/"])
    put(f"{store}/plots", other=PLOTS.head(1))
    assert stamps_of([f"{store}/plots/"]) != stamps


@pytest.mark.servers
def test_what_a_store_refuses_is_one_sentence_without_keys(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import obstore

    obstore.put(obstore.store.from_url(store), "text.parquet", b"a text, and no table at all")
    told = {
        f"{store}/none.parquet": "no table",
        f"{store}/text.parquet": "no Parquet",
        "s3://nowhere/x.parquet": "bucket",
    }
    for address, why in told.items():
        with pytest.raises(SourceError, match=why) as error:
            open_catalog(address, tmp_path / "run")
        assert "never-told" not in str(error.value) and "\n" not in str(error.value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(SourceError, match="cannot be reached"):
        find_lake(f"{store}/none.parquet")


def test_causes_are_told_without_the_words_of_the_store() -> None:
    told = {
        "PUT http://169.254.169.254/latest/api/token": "no credentials",
        "GET http://h/b?X-Amz-Signature=abc - status code: 403 Forbidden": "may not be read",
    }
    for text, why in told.items():
        with pytest.raises(SourceError, match=why) as error, clear_errors("s3://b/x.parquet"):
            raise OSError(text)
        assert "abc" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "https://me:secret@host/x.parquet",
        "https://secret@host/x.parquet",
        "https://host/x.parquet?sig=secret",
        "p=s3://bucket/x.parquet#secret",
        "s3://key:secret@bucket/x.parquet",
    ],
)
def test_an_address_with_a_key_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match="environment") as error:
        parse_source(text)
    assert "secret" not in str(error.value)


def test_tables_are_called_as_their_files_or_folders() -> None:
    stems = {
        "s3://bucket/a/plots.parquet": "plots",
        "s3://bucket/plots/": "plots",
        "gs://bucket/plots/*.parquet": "plots",
        "abfss://box@account.dfs.core.windows.net/plots": "plots",
        "/lake/plots/metadata/v3.metadata.json": "plots",
        "iceberg:prod.orchard.plots": "plots",
    }
    for address, stem in stems.items():
        assert parse_source(address).kind == "lake" or address.startswith("/")
        assert lake_stem(address) == stem


def test_a_client_names_only_parquet_below_a_listed_store(tmp_path: Path) -> None:
    (tmp_path / "plots" / "_delta_log").mkdir(parents=True)
    roots = [str(tmp_path), "s3://orchard/open"]
    assert (
        source_within("p=s3://orchard/open/x.parquet", [], roots) == "p=s3://orchard/open/x.parquet"
    )
    refused = (
        "s3://orchard/x.parquet",
        "s3://orchard/open/../x.parquet",
        "s3://other/open/x.parquet",
        "s3://orchard/open/plots",
        "gs://orchard/open/x.parquet",
        "https://orchard/open/x.parquet",
        "http://169.254.169.254/x.parquet",
        "iceberg:prod.orchard.plots",
        "plots",
        str(tmp_path / "plots"),
    )
    assert not [text for text in refused if source_within(text, [], roots)]


def test_a_missing_package_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.sys.modules, "obstore", None)  # type: ignore[attr-defined]
    with pytest.raises(SourceError, match=r"wideleaf\[lakes\]"):
        open_catalog("s3://bucket/x.parquet", tmp_path)


def test_types_are_shared_without_a_look_at_cells() -> None:
    frame = pl.LazyFrame(
        {"id": [1], "paid": ["2.50"], "at": [date(2020, 1, 2)], "raw": [b"x"]},
    ).with_columns(
        pl.col("id").cast(pl.UInt64),
        pl.col("paid").cast(pl.Decimal(18, 2)),
        pl.col("at").cast(pl.Datetime("ns")),
    )

    def never(_: pl.DataFrame) -> pl.DataFrame:
        raise AssertionError("cells were looked at")

    schema = frame.collect_schema()
    shared, told = share_types(frame.map_batches(never, schema=schema), look=False)
    assert shared.collect_schema() == {
        "id": pl.Int64(),
        "paid": pl.Float64(),
        "at": pl.Datetime("us"),
    }
    assert {column for repair in told for column in repair.columns} == {"paid", "at", "raw"}
