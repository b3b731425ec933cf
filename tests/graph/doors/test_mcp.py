"""The MCP server, asked by a real client over both transports."""

import json
import os
import subprocess
import sys
import threading
from functools import partial

import anyio
import httpx
import pandas as pd
import pytest
from mcp_client import TRANSPORTS, WIDELEAF, connected, http_server, talk_over, talk_to
from openai_server import Answer, OpenAIServer
from work import comes_true

from wideleaf.graph.doors.mcp.tools import tool_forms

pytestmark = pytest.mark.slow

BY_SITE = {"question": "What is the mean yield for each site?"}
CELLS = ("Zqa", "Zqb", "7001", "7003", "7002", "7006")


def with_table(place):
    """A folder with a table whose cells are known anywhere: means 7002 and 7006."""
    rows = {"site": ["Zqa", "Zqa", "Zqb", "Zqb"], "yield": [7001, 7003, 7005, 7007]}
    pd.DataFrame(rows).to_csv(place / "trials.csv", index=False)
    return place


@pytest.fixture
def place(tmp_path):
    return with_table(tmp_path)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A folder and the HTTP server over its table, for whatever does not change how it starts."""
    place = with_table(tmp_path_factory.mktemp("served"))
    with http_server(words(place, "--shares", "samples")) as url:
        yield place, url


@pytest.fixture(params=TRANSPORTS)
def sharing(request):
    """A folder and what talks to a server that shares the cells of its table."""
    if request.param == "stdio":
        place = request.getfixturevalue("place")
        return place, partial(talk_to, words(place, "--shares", "samples"))
    place, url = request.getfixturevalue("served")
    return place, partial(talk_over, url)


def words(place, *more):
    return [str(place / "trials.csv"), "--folder", str(place / "w"), *more]


def code_of(result):
    return result.structured_content["error"]["code"]


def test_a_client_lists_asks_looks_replays_and_reads(sharing):
    place, talk_with = sharing

    async def talk(session):
        before = {one.title for one in (await session.list_resources()).resources}
        listed = (await session.list_tools()).tools
        assert [tool.name for tool in listed] == ["ask", "columns", "describe", "replay"]
        assert all(tool.annotations.read_only_hint for tool in listed)
        steps = []

        async def told(progress, total, message):
            steps.append(message)

        answer = await session.call_tool("ask", BY_SITE, progress_callback=told)
        reply = answer.structured_content
        assert not answer.is_error
        assert (reply["status"], reply["rows"], reply["columns"]) == ("answered", 2, 2)
        assert reply["preview"][0] == {"site": "Zqa", "mean of yield": 7002.0}
        assert "action T1" in steps
        assert json.loads(answer.content[0].text) == reply
        link = reply["resource"]

        frames = [reply["frame"]]
        asked = {"question": "What is the highest mean of yield?", "frames": frames}
        again = (await session.call_tool("ask", asked)).structured_content
        assert "7006" in again["answer"]

        found = (await session.call_tool("columns", {"question": "mean yield"})).structured_content
        meant = [pick["column"] for pick in found["picks"] if pick["meant"]]
        assert meant == ["yield"]
        tables = (await session.call_tool("describe", {})).structured_content["tables"]
        assert tables == [{"name": "trials", "columns": 2}]
        one = {"table": "trials", "first": 1, "limit": 1}
        told_of = (await session.call_tool("describe", one)).structured_content
        assert told_of["columns"] == [{"name": "yield", "kind": "number", "about": ""}]
        assert (told_of["tables"][0]["rows"], told_of["left"]) == (4, 0)

        text = (place / "trials.csv").read_text()
        (place / "trials.csv").write_text(text.replace("7001", "7002"))
        replayed = (await session.call_tool("replay", {"frame": frames[0]})).structured_content
        assert replayed["preview"][0] == {"site": "Zqa", "mean of yield": 7002.5}
        assert replayed["frame"] != frames[0]
        asked_anew = (await session.call_tool("ask", BY_SITE)).structured_content
        assert asked_anew["frame"] == replayed["frame"]
        (place / "trials.csv").write_text(text)

        listed = (await session.list_resources()).resources
        asked_here = {BY_SITE["question"], asked["question"]}
        assert before | asked_here == {one.title for one in listed}
        (template,) = (await session.list_resource_templates()).resource_templates
        assert template.uri_template == "wideleaf://frames/{id}{?first,rows}"
        (part,) = (await session.read_resource(link)).contents
        assert part.text.splitlines()[1] == '"Zqa",7002'
        (part,) = (await session.read_resource(f"{link}?first=0&rows=1")).contents
        assert (part.mime_type, part.meta["wideleaf/total"]) == ("text/csv", 2)
        (rest,) = (await session.read_resource(part.meta["wideleaf/next"])).contents
        assert rest.text.splitlines()[1:] == ['"Zqb",7006']
        assert "wideleaf/next" not in rest.meta

    talk_with(talk)


WRONG = [
    ("ask", {}),
    ("ask", {"quest": "x"}),
    ("ask", {"question": 5}),
    ("ask", {"question": ""}),
    ("ask", {"question": "x", "frames": ["../../secret"]}),
    ("ask", {"question": "x", "frames": "no list"}),
    ("columns", {"question": "x", "limit": 0}),
    ("columns", {"question": " "}),
    ("describe", {"first": -1}),
    ("describe", {"limit": 10**9}),
    ("replay", {}),
    ("replay", {"frame": "0" * 24}),
    ("replay", {"frame": "../" * 8}),
]


def test_what_is_wrong_is_told_by_its_code_and_the_server_goes_on(sharing):
    from mcp.shared.exceptions import MCPError

    place, talk_with = sharing

    async def talk(session):
        for name, given in WRONG:
            result = await session.call_tool(name, given)
            assert result.is_error, (name, given)
            assert code_of(result) == "settings", (name, given)
            assert result.content[0].text
        assert code_of(await session.call_tool("describe", {"table": "trails"})) == "source"
        lost = {"question": "how many?", "frames": ["0" * 24]}
        assert code_of(await session.call_tool("ask", lost)) == "source"
        for wrong in ("wideleaf://frames/abc", "wideleaf://frames/x?rows=-1", "file:///etc/passwd"):
            with pytest.raises(MCPError) as refused:
                await session.read_resource(wrong)
            assert refused.value.error.data["code"] == "settings"
        with pytest.raises(MCPError) as refused:
            await session.read_resource("wideleaf://frames/" + "0" * 24)
        assert refused.value.error.data["code"] == "source"
        with pytest.raises(MCPError) as refused:
            await session.call_tool("drop", {})
        assert "there are ask, columns, describe, replay" in str(refused.value)

        text = (place / "trials.csv").read_text()
        (place / "trials.csv").unlink()
        for name, given in (("ask", BY_SITE), ("columns", BY_SITE), ("describe", {})):
            result = await session.call_tool(name, given)
            assert (result.is_error, code_of(result)) == (True, "source"), name
            assert "trials.csv" in result.structured_content["error"]["message"]
        (place / "trials.csv").write_text(text)
        assert not (await session.call_tool("ask", BY_SITE)).is_error

    talk_with(talk)


@pytest.mark.parametrize("more", [[], ["--shares", "schema", "--privacy", "samples"]])
def test_no_cell_leaves_where_none_is_shared(more, place):
    from mcp.shared.exceptions import MCPError

    async def talk(session):
        seen = []
        for name, given in (
            ("ask", BY_SITE),
            ("ask", {"question": "which site is Zqa?"}),
            ("ask", {"question": "list the site and yield"}),
            ("columns", {"question": "yield of Zqa"}),
            ("describe", {"table": "trials"}),
        ):
            result = await session.call_tool(name, given)
            seen.append(json.dumps(result.structured_content))
            seen += [part.text for part in result.content]
        frame = json.loads(seen[0])["frame"]
        seen.append(str(await session.call_tool("replay", {"frame": frame})))
        with pytest.raises(MCPError) as refused:
            await session.read_resource(f"wideleaf://frames/{frame}")
        assert refused.value.error.data["code"] == "privacy"
        seen.append(str(refused.value.error))
        asked = ("Zqa",)  # the client's own word
        told = " ".join(seen).replace(frame, "")
        assert "wideleaf://" not in " ".join(seen[:-1])  # nothing that could not be read
        assert [cell for cell in CELLS if cell in told and cell not in asked] == []

    talk_to(words(place, *more), talk)


def test_calls_at_once_cross_nothing(sharing):
    _, talk_with = sharing
    wanted = {"mean": "7004", "max": "7007", "min": "7001", "sum": "28016"}
    told = {}

    async def talk(session):
        async def ask(word, number):
            question = f"What is the {word} of yield?"
            result = await session.call_tool("ask", {"question": question})
            told[word, number] = result.structured_content["answer"]

        async with anyio.create_task_group() as tasks:
            for number in range(3):
                for word in wanted:
                    tasks.start_soon(ask, word, number)

    talk_with(talk)
    assert len(told) == 12
    assert {word: answer.split()[-1] for (word, _), answer in told.items()} == wanted


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_call_that_is_called_off_ends_at_its_next_step(transport, place):

    released = threading.Event()

    asked = []

    def choose(request):
        asked.append(request)
        released.wait()
        return Answer(calls=(("Describe", {"table": "trials"}),))

    with OpenAIServer(choose=choose) as model:

        async def talk():
            given = words(place, "--base-url", model.url, "--model", "m", "--max-steps", "9")
            async with connected(transport, given) as session:

                async def cancel_when_asked(scope):
                    await anyio.to_thread.run_sync(comes_true, lambda: asked)
                    scope.cancel()

                async with anyio.create_task_group() as tasks:
                    with anyio.CancelScope() as scope:
                        tasks.start_soon(cancel_when_asked, scope)
                        await session.call_tool("ask", BY_SITE)
                        pytest.fail("it was to wait for the model")
                # The call is over for the client, and others are answered meanwhile.
                listed = await session.call_tool("describe", {})
                assert not listed.is_error
                released.set()
                assert not (await session.call_tool("describe", {"table": "trials"})).is_error

        anyio.run(talk)
        released.set()
    assert len(asked) == 1


def test_nothing_but_the_protocol_is_on_standard_output(place):
    wide = pd.DataFrame({f"rain_day_{day}": range(3) for day in range(200)})
    wide.to_csv(place / "wide.csv", index=False)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "raw", "version": "1"}
    lines = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": BY_SITE}},
    ]
    command = [sys.executable, "-c", WIDELEAF, "mcp", str(place / "wide.csv"), *words(place)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    said = []
    with subprocess.Popen(command, text=True, env=os.environ, **pipes) as process:
        for line in lines:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
        process.stdin.write("this is no JSON\n")
        process.stdin.flush()
        for line in process.stdout:
            said.append(json.loads(line))
            if said[-1].get("id") == 2:
                break
        out, _ = process.communicate()
    said += map(json.loads, out.splitlines())
    assert {one["jsonrpc"] for one in said} == {"2.0"}
    assert said[1]["result"]["structuredContent"]["status"] == "answered"
    assert process.returncode == 0


def test_pages_of_other_sites_do_not_reach_it(served):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    for headers, status in (
        ({"origin": "https://evil.example"}, 403),
        ({"host": "evil.example"}, 421),
    ):
        reply = httpx.post(served[1], json=body, headers={**accept, **headers}, timeout=300)
        assert reply.status_code == status, headers


def test_a_port_that_is_taken_is_told(served, place):
    port = served[1].split(":")[2].split("/")[0]
    command = [sys.executable, "-c", WIDELEAF, "mcp", *words(place), "--http", "--port", port]
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (second.returncode, second.stdout) == (2, "")
    assert f"port {port} cannot be had" in second.stderr


def test_the_forms_of_the_tools_are_what_their_versions_were(golden):
    import jsonschema

    forms = {form.name: {"takes": form.takes, "gives": form.gives} for form in tool_forms()}
    for form in forms.values():
        for schema in form.values():
            jsonschema.Draft202012Validator.check_schema(schema)
    golden("forms/mcp_tools.json", json.dumps(forms, indent=1, sort_keys=True) + "\n")
