"""What a client may name and set: folders, addresses, bounds, and the owner's file that says so."""

import sys
from pathlib import Path

import pytest
from langgraph.runtime import Runtime, ServerInfo

from wideleaf.graph.context import Context
from wideleaf.graph.doors.studio import unknown
from wideleaf.graph.serving import server
from wideleaf.graph.serving.policy import ClientPolicy, PolicyError, read_policy, user_folder
from wideleaf.graph.serving.sources import address_within, path_within, source_within
from wideleaf.graph.settings import context_of

SERVED = ServerInfo(assistant_id="a", graph_id="ask")


@pytest.fixture
def rooms(tmp_path):
    """A folder that clients may read, one they may not, and links between them."""
    home, other = tmp_path / "home", tmp_path / "other"
    for folder in (home / "year", other, tmp_path / "home2"):
        folder.mkdir(parents=True)
        (folder / "t.csv").write_text("a\n1\n")
    (home / "linked").mkdir()
    (home / "linked" / "in.csv").symlink_to(home / "year" / "t.csv")
    (home / "out.csv").symlink_to(other / "t.csv")
    (home / "leaky").mkdir()
    (home / "leaky" / "t.csv").symlink_to(other / "t.csv")
    (home / "deep").mkdir()
    (home / "deep" / "more").symlink_to(home / "leaky")
    (home / "a=b.csv").write_text("a\n1\n")
    (home / "f.sqlite").write_bytes(b"SQLite format 3\0")
    return home


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("year/t.csv", "year/t.csv"),
        ("{home}/year/t.csv", "year/t.csv"),
        ("{home}/year/../year/t.csv", "year/t.csv"),
        ("trials={home}/year/t.csv", "year/t.csv"),
        ("{home}/year", "year"),
        ("linked", "linked"),
        ("f.sqlite::plots", "f.sqlite::plots"),
        ("{home}/a=b.csv", "a=b.csv"),
        ("{home}/../other/t.csv", None),
        ("../other/t.csv", None),
        ("{home}/../home2/t.csv", None),
        ("{home}2/t.csv", None),
        ("{home}/out.csv", None),
        ("leaky", None),
        ("deep", None),
        (".", None),
        ("/etc/passwd", None),
        ("x=/etc/passwd", None),
        ("x={home}/../other/t.csv", None),
        ("~/t.csv", None),
        ("nothing.csv", None),
        ("nothing=b.csv", None),
        ("x=y=/etc/passwd", None),
        ("f.sqlite::../../other/t.csv::x", None),
        ("file://{home}/year/t.csv", None),
        ("sqlite:///{home}/f.sqlite", None),
        ("spark:sales", None),
        ("year/t.csv\0", None),
        ("", None),
    ],
)
def test_a_client_reads_what_lies_in_a_folder_of_the_owners(rooms, text, found):
    opened = source_within(text.format(home=rooms), (), [str(rooms)])
    if found is None:
        assert opened is None
    else:
        assert opened.rpartition("trials=")[2] == f"{rooms}/{found}"


def test_a_client_names_the_servers_own_sources_as_they_are_called(tmp_path):
    own = ("sales=postgresql://reader:pw@db.example/sales", "/srv/trials.parquet")
    assert source_within("sales", own, ()) == own[0]
    assert source_within("/srv/trials.parquet", own, ()) == own[1]
    assert source_within("/srv", own, ()) is None
    assert source_within("postgresql://db.example/sales", own, ()) is None


DATABASE = "postgresql://db.example/sales"


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        (DATABASE, True),
        ("s=postgresql://me:pw@db.example/sales#plots", True),
        ("postgres+psycopg://db.example/sales?table=plots", True),
        ("postgresql://db.example/staff", False),
        ("postgresql://evil.example/sales", False),
        ("postgresql://db.example@evil.example/sales", False),
        ("postgresql://db.example/sales?host=evil.example", False),
        ("postgresql://db.example/sales?service=x", False),
        ("postgresql://db.example,evil.example/sales", False),
        ("postgresql://db.example:5433/sales", False),
        ("mysql://db.example/sales", False),
        ("http://db.example/sales", False),
    ],
)
def test_a_client_asks_of_a_database_that_is_listed(text, allowed):
    pytest.importorskip("psycopg")
    assert (source_within(text, (), [DATABASE]) is not None) is allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("https://models.example/v1", True),
        ("https://MODELS.example:443/v1/", True),
        ("https://models.example/v1/deep", True),
        ("https://models.example/v2", False),
        ("https://models.example/v1x", False),
        ("https://models.example/v1/../v2", False),
        ("http://models.example/v1", False),
        ("https://models.example:8443/v1", False),
        ("https://models.example.evil.example/v1", False),
        ("https://models.example@evil.example/v1", False),
        ("https://evil.example/v1?https://models.example/v1", False),
        ("https://evil.example#@models.example/v1", False),
        ("https://evil.example\\@models.example/v1", False),
        ("https://models.example/v1\n", False),
        ("https://models.example:99999/v1", False),
        ("", False),
    ],
)
def test_a_client_has_a_model_asked_at_an_address_that_is_listed(text, allowed):
    assert address_within(text, ["https://models.example/v1"]) is allowed


def settle(policy=None, presets=None, **asked):
    return ClientPolicy(**policy or {}).settle(Context(**asked), presets or {}, "")


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "openai:gpt-4o"},
        {"base_url": "http://127.0.0.1:1/v1"},
        {"sources": ("/etc/passwd.csv",)},
        {"sources": ("t.csv", "/etc/passwd.csv")},
        {"privacy": "samples"},
        {"privacy": "statistics"},
        {"max_steps": 31},
        {"max_seconds": 301.0},
        {"tries": 4},
        {"folder": "/srv"},
        {"audit": "/srv/log"},
        {"api_key_env": "PATH"},
        {"dictionary": "/etc/passwd"},
        {"embedder": "/srv/weights"},
        {"sandbox": "unwalled"},
        {"sandbox_image": "mine"},
        {"chat_model": {"a": 1}},
        {"cache": True},
        {"engine": "spark"},
        {"interactive": True},
        {"prompt_price": 0.1},
    ],
    ids=str,
)
def test_without_a_policy_a_client_sets_nothing_that_matters(asked):
    with pytest.raises(PolicyError, match=f"setting {next(iter(asked))}="):
        settle(presets={"sources": ("t.csv",)}, **asked)


def test_a_client_may_take_less_and_say_what_is_so_anyway():
    own = {"sources": ("a=t.csv", "b=u.csv"), "privacy": "samples", "model": "openai:small"}
    asked = settle(
        presets=own,
        sources=("b",),
        privacy="schema",
        model="openai:small",
        craft="off",
        max_steps=5,
        max_seconds=1.0,
        max_tokens=10,
        denied=("salary",),
    )
    assert (asked.sources, asked.privacy, asked.craft) == (("b=u.csv",), "schema", "off")
    assert (asked.max_steps, asked.max_seconds, asked.max_tokens) == (5, 1.0, 10)
    assert asked.denied == ("salary",)


def test_what_the_owner_denied_stays_denied():
    policy = {"settings": {"sources": ["t.csv"], "denied": ["salary", "name"]}}
    assert settle(policy, denied=()).denied == ("salary", "name")
    assert settle(policy, denied=("age", "name")).denied == ("salary", "name", "age")


def test_a_policy_lets_a_client_choose_within_its_bounds(rooms):
    policy = {
        "settings": {"sources": ["t=t.csv"], "max_steps": 10},
        "clients": {
            "sources": [str(rooms)],
            "model": ["openai:small", "openai:large"],
            "privacy": "statistics",
            "max_steps": 20,
            "max_tokens": 1000,
            "strategy": True,
            "interactive": False,
            "dictionary": [str(rooms)],
        },
    }
    good = settle(
        policy,
        sources=("t", "year/t.csv"),
        model="openai:large",
        privacy="statistics",
        max_steps=20,
        max_tokens=1000,
        strategy="pandas",
        dictionary="year/t.csv",
    )
    assert good.sources == ("t=t.csv", f"{rooms}/year/t.csv")
    assert good.dictionary == f"{rooms}/year/t.csv"
    assert (good.model, good.max_steps, good.strategy) == ("openai:large", 20, "pandas")
    for bad in (
        {"model": "openai:huge"},
        {"privacy": "samples"},
        {"max_steps": 21},
        {"max_tokens": 1001},
        {"interactive": True},
        {"dictionary": "../other/t.csv"},
    ):
        with pytest.raises(PolicyError):
            settle(policy, **bad)


def test_a_limit_of_the_owners_cannot_be_lifted():
    policy = {"settings": {"sources": ["t.csv"], "max_tokens": 1000}}
    with pytest.raises(PolicyError, match="max_tokens=None"):
        settle(policy, max_tokens=None)
    bounded = {"settings": {"sources": ["t.csv"]}, "clients": {"max_tokens": 1000, "tries": 1}}
    assert (settle(bounded).max_tokens, settle(bounded).tries) == (1000, 1)
    with pytest.raises(PolicyError, match="max_tokens=None"):
        settle(bounded, max_tokens=None)


def test_each_key_goes_to_its_own_host():
    policy = {
        "settings": {"sources": ["t.csv"], "model": "m", "base_url": "http://one.example/v1"},
        "clients": {"base_url": ["https://two.example:8000"], "model": ["m", "groq:x"]},
        "keys": {"one.example": "ONE", "two.example:8000": "TWO"},
    }
    assert settle(policy).api_key_env == "ONE"
    assert settle(policy, base_url="https://two.example:8000/v1").api_key_env == "TWO"
    own = {**policy, "settings": {**policy["settings"], "api_key_env": "MINE"}, "keys": {}}
    assert settle(own).api_key_env == "MINE"
    assert settle(own, base_url="https://two.example:8000/v1").api_key_env == ""
    assert settle(own, model="groq:x").api_key_env == ""


def test_a_password_is_not_repeated_to_whoever_tries_it():
    with pytest.raises(PolicyError) as caught:
        settle(sources=("postgresql://me:hidden@db.example/staff",))
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("settings = 5", "settings"),
        ("[clients]\nmodle = true", "there is no setting 'modle'"),
        ("[clients]\nfolder = true", "'folder' cannot be left to clients"),
        ("[clients]\nsandbox = true", "'sandbox' cannot be left to clients"),
        ("[clients]\nsources = true", "clients.sources must be a list"),
        ('[clients]\nprivacy = "everything"', "clients.privacy must be one of"),
        ('[settings]\nprivacy = "everything"', "privacy"),
        ("[server]\n", "server"),
        ("[clients", "Expected"),
    ],
)
def test_a_policy_that_cannot_be_used_serves_nobody(tmp_path, monkeypatch, text, words):
    file = tmp_path / "policy.toml"
    file.write_text(text)
    monkeypatch.setenv("WIDELEAF_POLICY", str(file))
    with pytest.raises(PolicyError, match="the file that WIDELEAF_POLICY names") as caught:
        context_of(Runtime(context=Context(), server_info=SERVED))
    assert words in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_policy_is_read_again_where_it_changed(tmp_path, monkeypatch):
    file = tmp_path / "policy.toml"
    monkeypatch.setenv("WIDELEAF_POLICY", str(file))
    with pytest.raises(PolicyError, match="cannot be read: No such file"):
        read_policy()
    for number in (5, 50):
        file.write_text(f"[clients]\nmax_steps = {number}")
        assert read_policy().clients == {"max_steps": number}


@pytest.fixture
def bare(monkeypatch):
    for name in ("WIDELEAF_POLICY", "WIDELEAF_CLIENTS", "LANGGRAPH_API_URL", "WIDELEAF_SOURCES"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_in_process_a_caller_sets_what_it_likes(bare):
    given = Context(sources=("/etc/passwd.csv",), folder="/srv")
    assert context_of(Runtime(context=given)) is given


@pytest.mark.parametrize(
    "given",
    [
        Context(sources=("/etc/passwd.csv",)),
        {"sources": ["/etc/passwd.csv"], "of_a_graph_around": 1},
    ],
    ids=["settings", "a mapping of a graph around"],
)
@pytest.mark.parametrize("sign", ["server's word", "its package", "the owner's word"])
def test_whatever_tells_of_a_server_makes_a_caller_a_client(bare, given, sign):
    info = SERVED if sign == "server's word" else None
    if sign == "its package":
        bare.setitem(sys.modules, server.SERVER, server)
    if sign == "the owner's word":
        bare.setenv("WIDELEAF_CLIENTS", "untrusted")
    with pytest.raises(PolicyError, match="sources"):
        context_of(Runtime(context=given, server_info=info))


def test_settings_that_code_of_the_process_gives_are_the_owners(bare):
    own = Context.of_code(sources=("/etc/passwd.csv",), folder="/srv")
    assert context_of(Runtime(context=own, server_info=SERVED)) is own
    assert own.model_copy(update={"engine": "polars"}).is_of_code
    with pytest.raises(ValueError, match="_of_code"):
        Context(_of_code=True)


@pytest.mark.parametrize(
    ("address", "trusted"),
    [
        ("http://127.0.0.1:2024", True),
        ("http://localhost:2024", True),
        ("http://[::1]:2024", True),
        ("http://0.0.0.0:2024", False),
        ("http://192.168.0.5:2024", False),
        ("https://some-words.trycloudflare.com", False),
        ("http://127.0.0.1.evil.example", False),
        ("", False),
    ],
)
def test_trust_holds_where_the_server_listens_on_this_machine_alone(bare, address, trusted):
    bare.setenv("WIDELEAF_CLIENTS", "trusted")
    bare.setenv("LANGGRAPH_API_URL", address)
    runtime = Runtime(context=Context(sources=("t.csv",), privacy="samples"), server_info=SERVED)
    if trusted:
        assert context_of(runtime) is runtime.context
        return
    with pytest.raises(PolicyError, match="listens on this machine alone"):
        context_of(runtime)


def test_a_policy_is_the_narrower_word_of_the_two(bare, tmp_path):
    bare.setenv("WIDELEAF_CLIENTS", "trusted")
    bare.setenv("LANGGRAPH_API_URL", "http://127.0.0.1:2024")
    (tmp_path / "policy.toml").write_text("")
    bare.setenv("WIDELEAF_POLICY", str(tmp_path / "policy.toml"))
    with pytest.raises(PolicyError):
        context_of(Runtime(context=Context(privacy="samples"), server_info=SERVED))


class Somebody:
    def __init__(self, identity):
        self.identity = identity


def test_each_user_has_a_folder_whatever_the_identity_holds(bare):
    bare.setenv("WIDELEAF_SOURCES", "t.csv")
    folders = set()
    for name in ("alice", "bob", "../bob", "anonymous", "/etc", "a" * 5000, ""):
        info = ServerInfo(assistant_id="a", graph_id="ask", user=Somebody(name) if name else None)
        folder = Path(context_of(Runtime(server_info=info)).folder)
        assert folder.parent == Path(".wideleaf/clients")
        folders.add(folder)
    assert len(folders) == 7
    assert user_folder(Path("x"), "") == Path("x/clients/anonymous")


def test_names_of_langgraphs_own_are_no_unknown_settings():
    assert unknown(["model", "thread_id", "__pregel_x", "langgraph_auth_user"]) == []
    assert unknown(["modle", "chat_model", "_of_code"]) == ["modle", "chat_model", "_of_code"]


def test_a_folder_without_a_way_out_is_found_from_any_root(rooms):
    assert path_within("year", ["/nowhere", str(rooms)]) == f"{rooms}/year"
