"""Files in messages, in every form that pages and models send, and what is wrong with others."""

import base64

import pytest

from wideleaf.graph.attachments.blocks import (
    AttachmentError,
    has_files,
    read_attachments,
    read_text,
    without_files,
)

CSV = "site,yield\nA,1\nB,2\n"
DATA = base64.b64encode(CSV.encode()).decode()
URL = f"data:text/csv;base64,{DATA}"
FORMS = {
    "LangChain 0.3": {
        "type": "file",
        "source_type": "base64",
        "mime_type": "text/csv",
        "data": DATA,
        "filename": "trials.csv",
    },
    "LangChain 1": {
        "type": "file",
        "base64": DATA,
        "mime_type": "text/csv",
        "extras": {"filename": "trials.csv"},
    },
    "Agent Chat UI": {
        "type": "file",
        "mimeType": "text/csv",
        "data": DATA,
        "metadata": {"filename": "trials.csv"},
    },
    "Agent Chat UI, a name": {
        "type": "file",
        "mimeType": "text/csv",
        "data": DATA,
        "metadata": {"name": "trials.csv"},
    },
    "OpenAI chat": {"type": "file", "file": {"filename": "trials.csv", "file_data": URL}},
    "OpenAI responses": {"type": "input_file", "filename": "trials.csv", "file_data": URL},
    "Anthropic": {
        "type": "document",
        "title": "trials.csv",
        "source": {"type": "base64", "media_type": "text/csv", "data": DATA},
    },
    "Anthropic, plain": {
        "type": "document",
        "title": "trials.csv",
        "source": {"type": "text", "media_type": "text/csv", "data": CSV},
    },
    "Google": {"type": "media", "mime_type": "text/csv", "data": DATA, "name": "trials.csv"},
    "plain text": {
        "type": "text-plain",
        "mime_type": "text/csv",
        "text": CSV,
        "title": "trials.csv",
    },
    "a text with a source type": {
        "type": "file",
        "source_type": "text",
        "mime_type": "text/csv",
        "text": CSV,
        "filename": "trials.csv",
    },
    "an address that holds it": {"type": "file", "url": URL, "filename": "trials.csv"},
    "without padding": {
        "type": "file",
        "mime_type": "text/csv",
        "data": DATA.rstrip("="),
        "filename": "trials.csv",
    },
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_a_file_is_read(form):
    content = [{"type": "text", "text": "How many rows?"}, FORMS[form]]
    assert has_files(content)
    assert read_text(content) == "How many rows?"
    (one,) = read_attachments(content, 1000)
    assert (one.name, one.data.decode()) == ("trials.csv", CSV)
    assert one.kind in ("text/csv", "text/plain")


WORDS = [
    "How many rows?",
    ["How many rows?"],
    [{"type": "text", "text": "How many"}, {"type": "text", "text": "rows?"}],
    [{"type": "text-plain", "text": "How many rows?", "mime_type": "text/plain"}],
    [{"type": "input_text", "text": "How many rows?"}],
    [{"text": "How many rows?"}],
]


@pytest.mark.parametrize("content", WORDS)
def test_words_are_no_file(content):
    assert not has_files(content)
    assert read_text(content).split() == ["How", "many", "rows?"]
    assert list(read_attachments(content, 1000)) == []


def file(**fields):
    return {"type": "file", "mime_type": "text/csv", "filename": "trials.csv", **fields}


@pytest.mark.parametrize(
    ("block", "told"),
    [
        (file(data="%%%"), "'trials.csv' is not base64"),
        (file(data=DATA * 200), "has 0.0 MiB, and 0 may be attached"),
        (file(), "without its content"),
        (file(url="https://example.org/trials.csv"), "addresses and ids of other places"),
        (file(file_id="file-1"), "addresses and ids of other places"),
        (file(data={"0": 65}), "no text of base64"),
        (file(data=7), "no text of base64"),
        ({"type": "image", "mimeType": "image/png", "data": DATA}, "is image/png, which is no"),
        ({"type": "image_url", "image_url": {"url": URL}}, "is image_url, which is no table"),
        ({"type": "audio", "base64": DATA, "mime_type": "audio/wav"}, "is audio/wav"),
        ({"type": "whatever"}, "type 'whatever'"),
        (7, "is int, no object"),
        (file(data="%%%", filename="a\x1b[31m\n" * 99), "is not base64"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(block, told):
    with pytest.raises(AttachmentError) as error:
        list(read_attachments([block], 1000))
    assert told in str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 300


def test_where_none_is_taken_it_says_so():
    with pytest.raises(AttachmentError, match="this server takes no tables with messages"):
        list(read_attachments([file(data=DATA)], 0))


def test_a_thread_keeps_words_in_the_place_of_files():
    content = ["How", file(data=DATA), {"type": "text", "text": "many?"}, file(data=DATA)]
    kept = without_files(content, ["[the first]"])
    assert kept == [
        "How",
        {"type": "text", "text": "[the first]"},
        {"type": "text", "text": "many?"},
        {"type": "text", "text": "[file not taken: trials.csv]"},
    ]
