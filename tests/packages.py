#!/usr/bin/env python3
"""Fails unless packages.txt accounts for every tool and library the project uses.

A machine that happens to have a package installed would hide that the list lacks it. So each thing below is traced to
the package that owns its file, and that package, or one that depends on it, must be in the list by name.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

COMMANDS = ["g++", "cmake", "ninja", "pkg-config", "clang++", "clang-format", "clang-tidy", "python3", "git",
            "node", "npm", "chromium", "go", "callgrind_annotate", "xmllint"]
FILES = [
    "/usr/include/fmt/format.h",
    "/usr/include/CLI/CLI.hpp",
    "/usr/include/nlohmann/json.hpp",
    "/usr/include/boost/unordered/unordered_flat_map.hpp",
    "/usr/include/zstd.h",
    "/usr/include/zlib.h",
    "/usr/include/xxhash.h",
    "/usr/include/expat.h",
    "/usr/include/gtest/gtest.h",
    "/usr/lib/jvm/java-17-openjdk-amd64/bin/javac",
    "/usr/lib/jvm/openjdk-17/lib/src.zip",
    "/usr/lib/clang/14/lib/linux/libclang_rt.fuzzer-x86_64.a",
]


def listed():
    names = set()
    for line in (ROOT / "packages.txt").read_text().splitlines():
        match = re.match(r"[a-z]+: (.*)", line)
        if match:
            names.update(match.group(1).split())
    return names


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def installed():
    """Names of installed packages, and what they stand in for (a newer nodejs brings npm along)."""
    names = set()
    for line in run("dpkg-query", "-W", "-f", "${db:Status-Abbrev}|${Package}, ${Provides}\n").splitlines():
        status, _, provided = line.partition("|")
        if status.startswith("ii"):
            names.update(re.findall(r"[a-z0-9][a-z0-9.+-]+", re.sub(r"\([^)]*\)", "", provided)))
    return names


def owner(path):
    """The package that owns a file; links are followed one at a time, because alternatives belong to nobody."""
    path = pathlib.Path(path)
    for _ in range(10):
        candidates = {str(path), str(path.parent.resolve() / path.name)}
        for candidate in list(candidates):
            if candidate.startswith("/usr/"):
                candidates.add(candidate.removeprefix("/usr"))
        for candidate in sorted(candidates):
            found = run("dpkg-query", "-S", candidate)
            if found:
                return found.split(":")[0].split(",")[0]
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def closure(packages):
    """The packages and everything they depend on."""
    seen = set()
    queue = list(packages)
    while queue:
        batch = [p for p in queue if p not in seen]
        seen.update(batch)
        queue = []
        if batch:
            text = run("dpkg-query", "-W", "-f", "${Depends}, ${Pre-Depends}\n", *batch)
            queue = [name for name in re.findall(r"[a-z0-9][a-z0-9.+-]+", re.sub(r"\([^)]*\)|:any", "", text))]
    return seen


def main():
    problems = []
    names = listed()
    present = installed()
    for name in sorted(names):
        if name not in present:
            problems.append(f"packages.txt lists {name}, which is not installed (tools/install_packages installs it)")
    covered = closure(names)
    for command in COMMANDS:
        # Debian's own, whatever else comes first on the PATH.
        path = shutil.which(command, path="/usr/bin:/bin")
        package = owner(path) if path else None
        if package not in covered:
            problems.append(f"{command} ({path}, of package {package}) is in no package that packages.txt lists")
    for path in FILES:
        package = owner(path) if pathlib.Path(path).exists() else None
        if package not in covered:
            problems.append(f"{path} (of package {package}) is in no package that packages.txt lists")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
