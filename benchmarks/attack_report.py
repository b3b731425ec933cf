"""Carries out the attack suite on this machine and prints, by family, what held it."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from attack_arena import Bare, arena_in, written_for  # type: ignore[import-not-found]
from attack_cases import FAMILIES  # type: ignore[import-not-found]
from attack_suite import ATTACKS, carried_out, refused  # type: ignore[import-not-found]

from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.sandbox.registry import WallSandbox


def main() -> None:
    """Print the table; ends with 1 if anything got through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", default="".join(FAMILIES), help="letters, such as ABC")
    parser.add_argument("--bare", action="store_true", help="show what gets through unwalled, too")
    given = parser.parse_args()
    if not protection().wall:
        sys.exit(f"no wall on this machine: {protection().why_not}")
    chosen = [one for one in ATTACKS if one.family in given.families and written_for(one)]
    counts: dict[str, Counter[str]] = {what: Counter() for what in ("both", "list", "wall", "bare")}
    total = Counter(one.family for one in chosen)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, arena_in(Path(folder) / "arena") as arena:
        sandbox = WallSandbox()
        sandbox.zygote.start()
        sandbox.library_zygote.start()
        for done, one in enumerate(chosen, 1):
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{done} of {len(chosen)}")
            listed = refused(arena, one)
            counts["list"][one.family] += listed
            for mode in ("both", "wall"):
                if mode == "both" and listed:  # refused before anything is run
                    counts[mode][one.family] += 1
                    continue
                ending = carried_out(arena, sandbox, one, checked=mode == "both")
                counts[mode][one.family] += not ending.evidence
                if ending.evidence:
                    print(f"{one}, {mode}: {ending.evidence}")
                    arena.clear()
        sandbox.stop()
        if given.bare:
            bare = Bare()
            live = [one for one in chosen if one.live]
            counts["bare"] = Counter(one.family for one in live if bare.run(arena, one))
            bare.close()
    print("| family | cases | both layers | allow-list alone refuses | wall alone |")
    print("|---|---|---|---|---|")
    for letter, name in FAMILIES.items():
        if total[letter]:
            parts = [counts[mode][letter] for mode in ("both", "list", "wall")]
            print(f"| {letter} {name} | {total[letter]} | {' | '.join(map(str, parts))} |")
    sums = [counts[mode].total() for mode in ("both", "list", "wall")]
    print(f"| all | {total.total()} | {' | '.join(map(str, sums))} |")
    if given.bare:
        tried = sum(one.live for one in chosen)
        print(f"Without a wall {counts['bare'].total()} of {tried} that were tried got through.")
    print(f"{time.monotonic() - started:.0f} s")
    if min(sums[0], sums[2]) < total.total():
        sys.exit(1)


if __name__ == "__main__":
    main()
