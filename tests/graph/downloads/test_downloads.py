"""The whole table of a served answer as a file: whose it is gets it, and nobody else."""

import io
import json
import re

import pandas as pd
import pytest
from dev_server import NEEDS, ROOT, dev_server

pytestmark = NEEDS

ROWS = 60
MEANS = "What is the mean weight for each name?"
PICTURE = re.compile(r"!\[([^\]]*)\]\((\S+)\)")
AUTH = """
from langgraph_sdk import Auth

auth = Auth()


@auth.authenticate
async def who(authorization: str | None):
    name = (authorization or "").removeprefix("Bearer ")
    if not name:
        raise Auth.exceptions.HTTPException(status_code=401, detail="say who you are")
    return {"identity": name}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("downloads")
    rows = "\n".join(f"n{number},{number / 7}" for number in range(ROWS))
    for name in ("cars", "vans"):
        (place / f"{name}.csv").write_text(f"name,weight\n{rows}\n")
    return place


@pytest.fixture(scope="module")
def trusting(place):
    """A server of one's own machine."""
    (place / "trusting").mkdir()
    env = {"WIDELEAF_SOURCES": str(place / "cars.csv")}
    with dev_server(place / "trusting", env) as url:
        yield url


@pytest.fixture(scope="module")
def guarded(place):
    """A server whose clients are told apart, and may choose among some tables."""
    folder = place / "guarded"
    folder.mkdir()
    (folder / "auth.py").write_text(AUTH)
    policy = f"[clients]\nsources = [{json.dumps(str(place / 'vans.csv'))}]\n"
    (folder / "policy.toml").write_text(policy)
    env = {
        "WIDELEAF_CLIENTS": None,
        "WIDELEAF_SOURCES": str(place / "cars.csv"),
        "WIDELEAF_POLICY": str(folder / "policy.toml"),
    }
    with dev_server(folder, env, auth={"path": "./auth.py:auth"}) as url:
        yield url


def answer(url, user="", asked=MEANS, **settings):
    """The message that answers a question, and what asks for files as the same user."""
    import httpx
    from langgraph_sdk import get_sync_client

    headers = {"authorization": f"Bearer {user}"} if user else {}
    with get_sync_client(url=url, headers=headers) as client:
        thread = client.threads.create()["thread_id"]
        for one in [asked] if isinstance(asked, str) else asked:
            said = {"messages": [{"role": "user", "content": one}]}
            told = client.runs.wait(thread, "chat", input=said, context=settings or None)
    get = httpx.Client(base_url=url, headers=headers, timeout=300)
    return told["messages"][-1], get


def test_the_link_in_the_message_gives_every_row_in_full(trusting):
    message, get = answer(trusting)
    link = message["additional_kwargs"]["artifact"]["url"]
    assert link.startswith(f"{trusting}/wideleaf/frames/") and f"]({link})" in message["content"]
    with get:
        reply = get.get(link)
        parquet = get.get(link.replace(".csv", ".parquet"))
    frame = pd.read_csv(io.StringIO(reply.text))
    total = message["additional_kwargs"]["artifact"]["total"]
    assert len(frame) == total == ROWS
    means = dict(zip(frame["name"], frame["mean of weight"], strict=True))
    assert means == pytest.approx({f"n{number}": number / 7 for number in range(ROWS)}, abs=1e-12)
    assert pd.read_parquet(io.BytesIO(parquet.content)).shape == frame.shape
    assert "attachment" in reply.headers["content-disposition"]
    assert reply.headers["cache-control"] == "private, no-store"


def test_a_link_leads_to_the_tables_and_folder_that_the_client_chose(trusting, place):
    settings = {"sources": [str(place / "vans.csv")], "folder": str(place / "mine")}
    message, get = answer(trusting, **settings)
    with get:
        reply = get.get(message["additional_kwargs"]["artifact"]["url"])
    assert (place / "mine").is_dir()
    assert reply.status_code == 200 and reply.text.startswith("name,mean of weight")
    assert "vans" not in str(reply.request.url)


def test_a_table_that_changed_is_not_given_for_the_one_that_was_asked(trusting, place):
    table = place / "changing.csv"
    table.write_text((place / "cars.csv").read_text())
    message, get = answer(trusting, sources=[str(table)], folder=str(place / "mine"))
    link = message["additional_kwargs"]["artifact"]["url"]
    with get:
        assert get.get(link).status_code == 200
        table.write_text("name,weight\nother,9\nanother,8\n")
        reply = get.get(link)
    assert reply.status_code == 404
    assert "others by now" in reply.text


@pytest.mark.parametrize(
    "name",
    [
        "0" * 24 + ".csv",  # an id that nobody made
        "0" * 24 + ".xlsx",
        "0" * 24,
        "langgraph.json",
        "..%2F..%2F..%2Fetc%2Fpasswd",
        "..%2Frecipes.jsonl",
        "%2e%2e%2frecipes.csv",
        "*.csv",
        "0" * 24 + ".csv%00.parquet",
    ],
)
def test_what_is_no_frame_is_not_there(trusting, name):
    import httpx

    reply = httpx.get(f"{trusting}/wideleaf/frames/{name}", timeout=300)
    assert reply.status_code == 404


def test_a_page_of_another_site_gets_none(trusting):
    message, get = answer(trusting)
    link = message["additional_kwargs"]["artifact"]["url"]
    with get:
        assert get.get(link, headers={"origin": "https://evil.example"}).status_code == 403
        assert get.get(link).headers["cross-origin-resource-policy"] == "same-origin"


def test_a_frame_is_its_users_alone(guarded, place):
    message, ada = answer(guarded, "ada")
    other, bob = answer(guarded, "bob", sources=[str(place / "vans.csv")])
    link = message["additional_kwargs"]["artifact"]["url"]
    with ada, bob:
        assert ada.get(link).status_code == 200
        assert bob.get(link).status_code == 404
        assert ada.get(other["additional_kwargs"]["artifact"]["url"]).status_code == 404
        del ada.headers["authorization"]
        assert ada.get(link).status_code == 401


def test_a_chart_is_a_picture_in_the_text_that_any_page_may_show(trusting):
    message, get = answer(trusting, asked="Draw a line chart of the mean weight for each name")
    ((title, link),) = PICTURE.findall(message["content"])
    assert title == "Mean weight for each name"
    assert link.startswith(f"{trusting}/wideleaf/frames/")
    assert message["additional_kwargs"]["artifact"]["type"] == "wideleaf.chart/1"
    with get:
        reply = get.get(link)
        assert reply.content.startswith(b"\x89PNG") and reply.headers["content-type"] == "image/png"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cross-origin-resource-policy"] == "cross-origin"
        assert reply.headers["content-disposition"].startswith("inline")
        # The table of the same answer is no page's to embed, and other frames are no pictures.
        assert get.get(link.replace(".png", ".csv")).status_code == 200
        table, _ = answer(trusting)
        plain = table["additional_kwargs"]["artifact"]["url"].replace(".csv", ".png")
        assert get.get(plain).status_code == 404
        assert get.get(link, headers={"origin": "https://evil.example"}).status_code == 403


def test_a_picture_is_its_users_alone_and_comes_in_the_message(guarded):
    message, ada = answer(
        guarded, "ada", asked="Draw a line chart of the mean weight for each name"
    )
    text, picture = message["content"]
    # A page's picture brings no token along, so the text has no address that would show nothing.
    assert not PICTURE.search(text["text"])
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")
    link = f"/wideleaf/frames/{message['response_metadata']['frame']}.png"
    _, bob = answer(guarded, "bob")
    with ada, bob:
        assert ada.get(link).content.startswith(b"\x89PNG")
        assert bob.get(link).status_code == 404
        del ada.headers["authorization"]
        assert ada.get(link).status_code == 401


def test_the_tree_is_a_picture_of_frames_that_are_the_users_own(trusting, guarded):
    asked = (MEANS, "and only for n1 and n2?", "show me the tree")
    message, get = answer(trusting, asked=asked)
    ((title, link),) = PICTURE.findall(message["content"])
    assert title == "Tree of frames" and "{" not in message["content"].replace(link, "")
    with get:
        reply = get.get(link)
        assert reply.content.startswith(b"\x89PNG") and reply.headers["content-type"] == "image/png"
        stranger = link.replace("cars=", "cars=" + "0" * 24 + "&else=")
        for wrong in (link.partition("?")[0], stranger, link + "&cars=" + "1" * 24, link + "&=x"):
            assert get.get(wrong).status_code == 404, wrong
    message, ada = answer(guarded, "ada", asked=asked)
    assert not PICTURE.search(message["content"]) and "```text\n" in message["content"]
    _, bob = answer(guarded, "bob")
    with ada, bob:
        mine = link.removeprefix(trusting)
        assert ada.get(mine).status_code == 200  # the same table, so the same ids
        assert bob.get(mine).status_code == 404


def test_what_the_policy_forbids_by_now_is_not_given(guarded, place):
    vans = str(place / "vans.csv")
    message, get = answer(guarded, "eve", sources=[vans])
    link = message["additional_kwargs"]["artifact"]["url"]
    policy = place / "guarded" / "policy.toml"
    kept = policy.read_text()
    with get:
        assert get.get(link).status_code == 200
        policy.write_text("[clients]\nsources = []\n")
        assert get.get(link).status_code == 403
        policy.write_text(kept)


def test_the_route_is_named_where_the_server_looks_for_it():
    http = json.loads((ROOT / "langgraph.json").read_text())["http"]
    assert http["enable_custom_route_auth"] is True


def frames(url):
    """The frames behind the means, by label, and what asks of the answer's."""
    import httpx
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=url) as client:
        thread = client.threads.create()["thread_id"]
        said = {"messages": [{"role": "user", "content": MEANS}]}
        client.runs.wait(thread, "chat", input=said)
        values = client.threads.get_state(thread)["values"]
    nodes = {label: node["id"] for label, node in values["conversation"]["nodes"].items()}

    def look(kind, query=()):
        path = f"{url}/wideleaf/frames/{values['frame']}.{kind}"
        return httpx.get(path, params=query, timeout=300)

    return nodes, look


def test_a_part_of_a_frame_is_sorted_and_keeps_the_numbers_of_its_rows(trusting):
    nodes, look = frames(trusting)
    whole, part = look("json").json(), look("json", {"sort": "-mean of weight", "first": 1}).json()
    assert [one["name"] for one in part["columns"]] == ["name", "mean of weight"]
    assert (part["total"], part["width"], len(part["rows"])) == (ROWS, 2, ROWS - 1)
    assert part["rows"][0] == ["n58", pytest.approx(58 / 7)]
    assert [whole["rows"][number] for number in part["numbers"]] == part["rows"]
    leaf = look("json", {"node": nodes["cars"]}).json()
    assert [one["name"] for one in leaf["columns"]] == ["name", "weight"]
    for query, words in (
        ({"first": "-1"}, "'-1' is no number"),
        ({"node": "0" * 24}, "not on the way"),
        ({"node": "../x"}, "not on the way"),
    ):
        refused = look("json", query)
        assert refused.status_code == 404 and words in refused.text


def test_a_cell_leads_to_the_rows_behind_it(trusting):
    nodes, look = frames(trusting)
    tree = [("tree", f"{label}={key}") for label, key in nodes.items()]
    whole = look("json").json()
    row = next(number for number, row in enumerate(whole["rows"]) if row[0] == "n3")
    trace = look("trace.json", [*tree, ("row", row), ("column", "mean of weight")]).json()
    assert trace["reproduced"] and trace["value"] == pytest.approx(3 / 7)
    assert trace["samples"] == [
        {"leaf": "cars", "columns": ["row", "name", "weight"], "rows": [[3, "n3", 3 / 7]]}
    ]
    for query, words in (
        ([*tree, ("row", ROWS)], f"no row {ROWS}"),
        ([*tree, ("column", "colour")], "no column 'colour'"),
        (tree[1:], "not here"),
    ):
        refused = look("trace.json", query)
        assert refused.status_code == 404 and words in refused.text
    drawn = look("tree.svg", list(nodes.items()))
    assert drawn.headers["content-type"] == "image/svg+xml" and 'data-frame="1"' in drawn.text
    assert look("vega.json").status_code == 404
