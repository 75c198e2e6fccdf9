#!/usr/bin/env python3
"""Fails if a folder of src/ includes one that it must not know, or is not in the table below.

The table is the architecture: data flows down it, and a folder may include only what its row names.
"""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "base": set(),
    "classfile": {"base"},
    "profile": {"base"},
    "core": {"base", "profile"},
    "schemes": {"base"},
    "trace": {"base", "profile"},
    "simulation": {"base", "profile", "schemes", "trace"},
    "agent": {"base", "classfile", "profile", "core", "schemes", "trace"},
    "analysis": {"base", "profile"},
    "export": {"base", "profile", "core", "analysis"},
    "evaluation": {"base", "profile", "analysis", "export"},
    "cli": {"base", "profile", "core", "schemes", "trace", "simulation", "analysis", "export", "evaluation"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def violations(src):
    found = []
    for folder in sorted(p.name for p in src.iterdir() if p.is_dir()):
        if folder not in MAY_INCLUDE:
            found.append(f"src/{folder} is not in the table of tests/include_directions.py")
    for path in sorted(src.rglob("*")):
        if path.suffix not in {".h", ".cpp", ".in"}:
            continue
        folder = path.relative_to(src).parts[0]
        for included in INCLUDE.findall(path.read_text()):
            target = included.split("/")[0]
            if "/" not in included or target == folder:
                continue
            if target not in MAY_INCLUDE.get(folder, set()):
                found.append(f"{path.relative_to(src.parent)} includes {included}: {folder} must not know {target}")
    return found


def main():
    src = pathlib.Path(__file__).resolve().parents[1] / "src"
    problems = violations(src)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
