"""Rewritten jars, kept in build/cccp and made again when the jars or the rewriter change."""

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build" / "cccp"
ASM = ":".join(f"/usr/share/java/{jar}.jar" for jar in ("asm", "asm-tree", "asm-analysis", "asm-commons"))
SOURCES = sorted((HERE / "src").rglob("*.java"))
VARIANTS = ("table", "table-no-handover", "sites")


@dataclass
class Rewritten:
    java: Path
    tools: Path  # the rewriter, the run-time class, the patched java.base
    folder: Path  # the rewritten jars, methods.txt, packages.txt, growth.txt
    before: list[str]  # the command before its class path
    jars: list[Path]
    after: list[str]

    def command(self, out: str | None) -> list[str]:
        # As for Bursar's own probes: added code must not keep a method from being compiled.
        added = ["--patch-module", f"java.base={self.tools / 'java.base'}", "-XX:-DontCompileHugeMethods"]
        if out:
            added += [f"-Dcccp.out={out}", f"-Dcccp.methods={self.folder / 'methods.txt'}"]
        class_path = ":".join([*(str(self.folder / jar.name) for jar in self.jars), str(self.tools / "runtime")])
        return [str(self.java), *added, *self.before, class_path, *self.after]

    def packages(self) -> list[str]:
        """Prefixes of the rewritten classes' names that no class of the JDK has."""
        return (self.folder / "packages.txt").read_text().split()


def prepare(variant: str, command: list[str]) -> Rewritten:
    java = Path(shutil.which(command[0]) or command[0]).resolve()
    at = command.index("-cp") + 1
    jars = [Path(entry).resolve() for entry in command[at].split(":")]
    tools = _make(f"tools-{_stamp([*SOURCES, java])}", lambda work: _compile(java, work))
    folder = _make(f"{variant}-{_stamp([tools, *jars])}", lambda work: _rewrite(java, tools, variant, jars, work))
    return Rewritten(java, tools, folder, command[1:at], jars, command[at + 1 :])


def _stamp(files: list[Path]) -> str:
    text = "".join(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}\n" for file in files)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _make(name: str, fill: Callable[[Path], None]) -> Path:
    """The folder of this name, filled unless it is there; never seen half filled."""
    folder = BUILD / name
    if not folder.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=BUILD))
        try:
            fill(work)
            work.rename(folder)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return folder


def _compile(java: Path, work: Path) -> None:
    javac = java.parent / "javac"
    rewriter = [file for file in SOURCES if file.parent.name == "rewrite"]
    subprocess.run([javac, "-d", work / "tools", "-cp", ASM, *rewriter], check=True)
    _tool(java, work / "tools", "--thread", work / "java.base")
    patch = f"java.base={work / 'java.base'}"
    runtime = [file for file in SOURCES if file.parent.name != "rewrite"]
    subprocess.run([javac, "--patch-module", patch, "-d", work / "runtime", *runtime], check=True)


def _rewrite(java: Path, tools: Path, variant: str, jars: list[Path], work: Path) -> None:
    (work / "growth.txt").write_text(_tool(java, tools / "tools", variant, work, *jars))


def _tool(java: Path, tools: Path, *arguments: str | Path) -> str:
    argv = [java, "-cp", f"{tools}:{ASM}", "cccp.rewrite.Rewriter", *arguments]
    return subprocess.run(argv, check=True, stdout=subprocess.PIPE, text=True).stdout
