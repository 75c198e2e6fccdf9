"""The JDKs of this machine, and the Java side of the sweep, compiled."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

JAVA_SOURCES = Path(__file__).resolve().parent / "bursar"
OLDEST_JDK = 17
ASM = Path("/usr/share/java/asm.jar")
MANIFEST = "Premain-Class: bursar.sweep.VerifyAgent\nCan-Retransform-Classes: true\nBoot-Class-Path: probe.jar\n"


class SweepError(Exception):
    """The sweep cannot go on; the message says why."""


@dataclass(frozen=True)
class Jdk:
    home: Path
    version: str

    @property
    def feature(self) -> int:
        return int(self.version.split(".")[0])

    def tool(self, name: str) -> str:
        return str(self.home / "bin" / name)


@dataclass(frozen=True)
class JavaSide:
    classes: Path  # the compiled classes, with ASM beside them for those that craft classes
    agent: Path  # verify.jar; probe.jar lies beside it
    crafted: Path  # the jar of crafted classes


def open_jdk(home: Path) -> Jdk | None:
    release = home / "release"
    if not release.is_file() or not (home / "bin" / "javac").is_file():
        return None
    match = re.search(r'^JAVA_VERSION="([^"]+)"', release.read_text(), re.MULTILINE)
    return Jdk(home.resolve(), match[1]) if match else None


def find_jdks() -> list[Jdk]:
    """Every JDK from 17 on below /usr/lib/jvm, and JAVA_HOME; the newest of each feature release, oldest first."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    found: dict[int, Jdk] = {}
    for jdk in filter(None, map(open_jdk, homes)):
        known = found.get(jdk.feature)
        if jdk.feature >= OLDEST_JDK and (known is None or _key(jdk) > _key(known)):
            found[jdk.feature] = jdk
    return [found[feature] for feature in sorted(found)]


def _key(jdk: Jdk) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", jdk.version)]


def run(command: list, what: str) -> str:
    """The standard output of a command that must succeed."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SweepError(f"{what} failed (exit status {done.returncode}):\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def compile_java(jdk: Jdk, work: Path) -> JavaSide:
    """Compiles only if a source is newer than what there is."""
    side = JavaSide(work / "classes", work / "verify.jar", work / "crafted.jar")
    sources = sorted(JAVA_SOURCES.rglob("*.java"))
    if side.crafted.exists() and side.crafted.stat().st_mtime > max(s.stat().st_mtime for s in [*sources, Path(__file__)]):
        return side
    if not ASM.exists():
        raise SweepError(f"{ASM} is missing; bench/workloads/setup installs it")
    side.classes.mkdir(parents=True, exist_ok=True)
    # Inline concatenation, because the agent must not spin classes while it replaces one.
    javac = [jdk.tool("javac"), "--release", "17", "-Xlint:all,-options", "-XDstringConcat=inline"]
    run([*javac, "-cp", ASM, "-d", side.classes, *sources], "javac")
    manifest = work / "manifest.txt"
    manifest.write_text(MANIFEST)
    run([jdk.tool("jar"), "cf", work / "probe.jar", "-C", side.classes, "bursar/probe"], "jar")
    run([jdk.tool("jar"), "cfm", side.agent, manifest, "-C", side.classes, "bursar/sweep"], "jar")
    run([jdk.tool("java"), "-cp", f"{side.classes}:{ASM}", "bursar.sweep.CraftedClasses", side.crafted], "crafting classes")
    return side
