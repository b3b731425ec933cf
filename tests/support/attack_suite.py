"""All attacks, and how one is carried out in a mode: what the tests and the report share."""

from __future__ import annotations

import attack_cases_bombs
import attack_cases_files
import attack_cases_language
import attack_cases_libraries
import attack_cases_sciences
import attack_cases_sql
import attack_cases_system
import attack_cases_words
from attack_arena import Arena, Ending, attack, attack_on_duckdb
from attack_cases import Attack

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.program import Sandbox

_WRITTEN = (
    *attack_cases_language.ATTACKS,
    *attack_cases_libraries.ATTACKS,
    *attack_cases_sciences.ATTACKS,
    *attack_cases_files.ATTACKS,
    *attack_cases_sql.ATTACKS,
    *attack_cases_bombs.ATTACKS,
    *attack_cases_system.ATTACKS,
    *attack_cases_words.ATTACKS,
)


def _whole(one: Attack) -> Attack:
    """With a result, so that the lack of one is no reason to refuse it."""
    if one.family in "FIK" or "result" in one.code:
        return one
    return one._replace(code=one.code.rstrip() + "\nresult = 1\n")


ATTACKS: tuple[Attack, ...] = tuple(map(_whole, _WRITTEN))


def refused(arena: Arena, one: Attack) -> bool:
    """Whether the allow-list alone refuses it, before anything runs."""
    if one.family == "I":
        return _refused_by_duckdb(arena, one)
    from wideleaf.tools.sandbox.syntax.check import check_code

    try:
        check_code(arena.code(one.code), columns=set(arena.frame.columns))
    except ActionError as error:
        assert error.kind == "code refused", error.kind
        return True
    return False


def _refused_by_duckdb(arena: Arena, one: Attack) -> bool:
    import duckdb

    from wideleaf.tools.engines.duckdb_lock import need_select

    with duckdb.connect() as connection:
        try:
            need_select(connection, arena.code_of_sql(one.code))
        except ActionError:
            return True
    return False


def carried_out(arena: Arena, sandbox: Sandbox, one: Attack, *, checked: bool) -> Ending:
    """Carry out an attack with both layers, or past the allow-list on the wall alone."""
    if one.family == "I":
        return attack_on_duckdb(arena, one, checked=checked)
    return attack(arena, sandbox, one, checked=checked)
