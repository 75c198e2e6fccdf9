#!/usr/bin/env python3
"""Fails if a link in the documentation leads to a file or a heading that is not there."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchors(text):
    """As GitHub makes them: lower case, blanks to dashes, everything else but letters, digits, - and _ left out."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def pages():
    """Does not go into folders of generated files: other tests add and remove folders there meanwhile."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("node_modules", "build", ".git")]
        yield from (pathlib.Path(folder, name) for name in files if name.endswith(".md"))


def main():
    problems = []
    for page in sorted(pages()):
        for target in LINK.findall(page.read_text()):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                problems.append(f"{page.relative_to(ROOT)}: {target}: no such file")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                problems.append(f"{page.relative_to(ROOT)}: {target}: no such heading")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
