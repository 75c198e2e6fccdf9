"""What C2 made in one run, from HotSpot's own log (-XX:+LogCompilation): code that is in use at the end, calls inlined in it.

The log is nearly XML: a line holds one element. Compilations are in it one after the other, <task> to </task>; each
leaves an <nmethod>, and what was thrown away later has a <make_not_entrant> with its number.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

OPTIONS = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation"]  # and -XX:LogFile=

NUMBER = re.compile(r" compile_id='(\d+)'")
CODE = re.compile(r" insts_offset='(\d+)' stub_offset='(\d+)'")
FORCED = "force inline by"


@dataclass(frozen=True)
class CompiledCode:
    methods: int
    code_bytes: int  # machine instructions
    inlined_calls: int
    forced_calls: int  # those of them that a directive asked for


def read(lines: Iterable[str]) -> CompiledCode:
    sizes: dict[str, int] = {}
    inlined: dict[str, list[int]] = {}
    gone: set[str] = set()
    task = None
    for line in lines:
        number = match[1] if (match := NUMBER.search(line)) else None
        if line.startswith("<task "):
            task = number if " level='" not in line else None  # C2's have none
        elif line.startswith("</task>"):
            task = None
        elif line.startswith("<inline_success") and task is not None:
            counts = inlined.setdefault(task, [0, 0])
            counts[0] += 1
            counts[1] += FORCED in line
        elif line.startswith("<nmethod") and number and " compiler='c2'" in line and (code := CODE.search(line)):
            sizes[number] = int(code[2]) - int(code[1])
        elif line.startswith("<make_not_entrant") and number:
            gone.add(number)
    kept = [number for number in sizes if number not in gone]
    counts = [inlined.get(number, [0, 0]) for number in kept]
    return CompiledCode(len(kept), sum(sizes[number] for number in kept), sum(c[0] for c in counts),
                        sum(c[1] for c in counts))
