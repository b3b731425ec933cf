"""The users of a server: their file, their tokens, and what holds where the file cannot be used."""

import asyncio
import json
import os

import pytest

from wideleaf.graph.serving.auth import authenticate
from wideleaf.graph.serving.users import USERS, add_user, find_user, read_users, remove_user
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import SettingsError

Auth = pytest.importorskip("langgraph_sdk").Auth


def test_a_token_is_kept_as_a_hash_alone_and_readable_by_the_owner_alone(tmp_path, monkeypatch):
    path = tmp_path / "users.json"
    monkeypatch.setenv(USERS, str(path))
    first, other = add_user(path, "ada"), add_user(path, "bob")
    assert first not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    assert (find_user(first), find_user(other), find_user(""), find_user("x")) == (
        *("ada", "bob", "", ""),
    )
    again = add_user(path, "ada")
    os.utime(path, (2e9, 2e9))
    assert (find_user(first), find_user(again)) == ("", "ada")
    remove_user(path, "ada")
    os.utime(path, (2.1e9, 2.1e9))
    assert find_user(again) == ""
    with pytest.raises(SettingsError, match=r"no user 'ada' in .*there are: 'bob'"):
        remove_user(path, "ada")


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 200])
def test_a_name_that_can_be_none_is_refused(tmp_path, name):
    with pytest.raises(SettingsError, match="is no name of a user"):
        add_user(tmp_path / "users.json", name)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"form": "wideleaf.users/1", "users": {"ada": "secret"}}', '{"users": {}}']
)
def test_a_file_of_users_that_is_none_serves_nobody(tmp_path, monkeypatch, text):
    path = tmp_path / "users.json"
    path.write_text(text)
    monkeypatch.setenv(USERS, str(path))
    with pytest.raises(Auth.exceptions.HTTPException) as refused:
        asyncio.run(authenticate({b"authorization": b"Bearer x"}))
    assert refused.value.status_code == 403
    path.unlink()
    with pytest.raises(Auth.exceptions.HTTPException):
        asyncio.run(authenticate({b"authorization": b"Bearer x"}))


def test_where_no_users_are_named_everybody_is_nobody(monkeypatch):
    monkeypatch.delenv(USERS, raising=False)
    user = asyncio.run(authenticate({b"authorization": b"Bearer x"}))
    assert (user["identity"], user["is_authenticated"]) == ("", False)


@pytest.mark.parametrize(
    ("path", "is_open"),
    [
        ("/", True),
        ("/wideleaf/", True),
        ("/wideleaf/page/page.js", True),
        ("/wideleaf/tables", False),
        ("/wideleaf/page/", False),
        ("/wideleaf/page/../tables", False),
        ("/wideleaf/frames/0.csv", False),
        ("/threads", False),
    ],
)
def test_the_page_alone_is_opened_without_a_token(tmp_path, monkeypatch, path, is_open):
    monkeypatch.setenv(USERS, str(tmp_path / "users.json"))
    add_user(tmp_path / "users.json", "ada")
    if is_open:
        assert not asyncio.run(authenticate({}, path))["is_authenticated"]
    else:
        with pytest.raises(Auth.exceptions.HTTPException):
            asyncio.run(authenticate({}, path))


def test_the_shell_adds_lists_and_removes(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv(USERS, raising=False)
    path = tmp_path / "users.json"
    assert main(["users", "list"]) == 2
    assert "right would be --users FILE" in capsys.readouterr().err
    assert main(["users", "add", "ada", "--users", str(path), "--json"]) == 0
    token = json.loads(capsys.readouterr().out)["token"]
    assert len(token) >= 40
    assert main(["users", "--users", str(path), "--json"]) == 0
    (user,) = json.loads(capsys.readouterr().out)["users"]
    assert (user["name"], user["folder"].startswith("clients")) == ("ada", True)
    assert main(["users", "remove", "ada", "--users", str(path)]) == 0
    assert read_users(path) == {}
