"""Packs: collecting classes into one file, having them rewritten, telling what changed. Pack.java defines the format."""

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from sweep.toolchain import JavaSide, Jdk, SweepError, run

DEBIAN_JARS = Path("/usr/share/java")
# A sample always holds the largest methods there are, so the share is lower there.
LEAST_REWRITTEN_PERCENT = {"full": 99.9, "sample": 99.0, "paths": 30}  # paths: more than a third of all methods branch
LEAST_CHANGED_PART = {"full": 0.95, "sample": 0.95, "paths": 0.4}


@dataclass
class Rewrite:
    """What the rewriter reports, and what is wrong with that."""

    report: dict
    changed_classes: int = 0
    problems: list[str] = field(default_factory=list)


def class_paths(workloads: Path, crafted: Path, more_jars: list[Path]) -> dict[str, list[Path]]:
    """Each class path by name: those of the workloads, the suite with all of them, one for each further jar before all others."""
    paths: dict[str, list[Path]] = {}
    for line in (workloads / "classpath.txt").read_text().splitlines():
        name, colon, jars = line.partition(":")
        if colon and not line.startswith("#") and jars.split():
            paths[name] = [DEBIAN_JARS / f"{jar}.jar" for jar in jars.split()]
    everything = list(dict.fromkeys(jar for jars in paths.values() for jar in jars))
    if (workloads / "suite.jar").exists():
        paths["suite"] = [workloads / "suite.jar", *everything]
    paths["crafted"] = [crafted]
    known = {jar.resolve() for jar in everything}  # jars in Debian have several names
    more = {jar.resolve(): jar.absolute() for jar in more_jars if jar.resolve() not in known}
    for jar in more.values():
        paths[jar.stem] = [jar, *(other for other in more.values() if other != jar), *everything]
    missing = sorted({str(jar) for jars in paths.values() for jar in jars if not jar.exists()})
    if missing:
        raise SweepError(f"missing: {' '.join(missing)}; bench/workloads/setup installs the jars of the workloads")
    return paths


def write_class_paths(paths: dict[str, list[Path]], file: Path) -> None:
    file.write_text("".join(f"{name}: {' '.join(map(str, jars))}\n" for name, jars in paths.items()))


def write_pack(jdk: Jdk, java: JavaSide, paths: dict[str, list[Path]], out: Path, sample: int, seed: int) -> dict:
    """Packs the JDK's modules and every jar once. What ClassPack says of them: classes, methods_with_code, ..."""
    jars = dict.fromkeys(jar for jars in paths.values() for jar in jars)
    options = ["--sample", sample, "--seed", seed] if sample else []
    command = [jdk.tool("java"), "-Xmx2g", "-cp", java.classes, "bursar.sweep.ClassPack", out, *options, *jars]
    return json.loads(run(command, "packing classes"))


def rewrite(tool: Path, pack: Path, out: Path, packed: dict, kind: str) -> Rewrite:
    """Runs the rewriter over a pack, and holds its report against what ClassPack counted."""
    report_file = out.with_suffix(".json")
    report_file.unlink(missing_ok=True)
    command = [str(tool), str(pack), "--rewrite", str(out), "--json", str(report_file)]
    if kind == "paths":
        command += ["--probes", "paths", "--placement", "at-end"]  # as the agent does it
    done = subprocess.run(command, capture_output=True, text=True)
    if not report_file.exists():
        raise SweepError(f"{tool.name} failed (exit status {done.returncode}):\n{done.stderr.strip()}")
    report = json.loads(report_file.read_text())
    result = Rewrite(report)
    if done.returncode != 0:
        result.problems.append(f"{tool.name} ended with exit status {done.returncode}: {done.stderr.strip()}")
    for key in ("classes", "methods_with_code"):
        if report[key] != packed[key]:
            result.problems.append(f"{key}: the rewriter counts {report[key]}, the pack has {packed[key]}")
    failures = report["round_trip_failures"]
    count = len(failures) if isinstance(failures, list) else failures
    if count:
        result.problems.append(f"{count} classes are not the same after a round trip without edits")
    least = LEAST_REWRITTEN_PERCENT[kind]
    if report["rewritten"] * 100 < least * report["methods_with_code"]:
        result.problems.append(f"fewer than {least} % of the methods with code are rewritten")
    result.changed_classes = changed_classes(pack, out)
    if result.changed_classes < packed["classes_with_code"] * LEAST_CHANGED_PART[kind]:
        result.problems.append(f"only {result.changed_classes} of {packed['classes_with_code']} classes with code changed")
    return result


def changed_classes(before: Path, after: Path) -> int:
    """How many classes differ between two packs, which must hold the same ones."""
    old, new = read_pack(before), read_pack(after)
    if old.keys() != new.keys():
        raise SweepError(f"{after} does not hold the same classes as {before}")
    return sum(old[key] != new[key] for key in old)


def read_pack(file: Path) -> dict[tuple[str, str], memoryview]:
    data = memoryview(file.read_bytes())
    if data[:4] != b"BPK1":
        raise SweepError(f"{file} is not a pack")
    classes: dict[tuple[str, str], memoryview] = {}
    at = 4

    def take(length: int) -> memoryview:
        nonlocal at
        if at + length > len(data):
            raise SweepError(f"{file} is cut short")
        at += length
        return data[at - length : at]

    def number(length: int) -> int:
        return int.from_bytes(take(length), "big")

    while (origin_length := number(2)) != 0xFFFF:
        origin = str(take(origin_length), "utf-8")
        name = str(take(number(2)), "utf-8")
        classes[origin, name] = take(number(4))
    return classes
