"""bench/sweep: for each JDK pack, rewrite, verify or run; then what came of it, as text or JSON."""

import json
import shutil
import sys
import time
from argparse import Namespace
from collections import Counter
from pathlib import Path

from sweep import arguments, control, packs, toolchain, verification, workload_runs
from sweep.toolchain import Jdk, SweepError
from sweep.verification import State, Verdicts

NEWEST_WANTED = 25
FAILURES_SHOWN = 20


class Session:
    """One call of the command. Keeps the results of all JDKs, and prints each as it comes."""

    def __init__(self, args: Namespace) -> None:
        self.args = args
        self.results: list[dict] = []
        self.quiet = args.json == "-"
        args.work.mkdir(parents=True, exist_ok=True)

    def run(self) -> int:
        jdks = self._jdks()
        self.workloads = self._workloads()
        if self.args.tool and not self.args.tool.exists():
            raise SweepError(f"no rewriter at {self.args.tool}; make build makes it")
        self.java = toolchain.compile_java(jdks[0], self.args.work)
        self.paths = packs.class_paths(self.args.workloads, self.java.crafted, self.args.jars)
        if "suite" not in self.paths:
            self._say("no bench/workloads/suite.jar: its classes are left out (bench/workloads/setup makes it)")
        self.class_paths = self.args.work / "class-paths.txt"
        packs.write_class_paths(self.paths, self.class_paths)
        for jdk in jdks:
            self._sweep(jdk)
        if not self.args.jdk and jdks[-1].feature < NEWEST_WANTED:
            self._say(f"no JDK {NEWEST_WANTED} here: nothing verified with it")
        self._write_json()
        return 1 if any(r["problems"] for r in self.results) else 0

    def _jdks(self) -> list[Jdk]:
        if not self.args.jdk:
            jdks = toolchain.find_jdks()
            if not jdks:
                raise SweepError(f"no JDK from {toolchain.OLDEST_JDK} on below /usr/lib/jvm, and no JAVA_HOME")
            return jdks
        jdks = []
        for home in self.args.jdk:
            jdk = toolchain.open_jdk(home)
            if jdk is None or jdk.feature < toolchain.OLDEST_JDK:
                raise SweepError(f"{home} is not a JDK from {toolchain.OLDEST_JDK} on")
            jdks.append(jdk)
        return jdks

    def _workloads(self) -> list[str]:
        known = [*workload_runs.workload_names(self.args.workloads), workload_runs.CRAFTED]
        unknown = [name for name in self.args.run if name not in [*known, "all"]]
        if unknown:
            raise SweepError(f"no such workload: {' '.join(unknown)}; there are: {' '.join(known)}")
        return known if "all" in self.args.run else self.args.run

    def _sweep(self, jdk: Jdk) -> None:
        start = time.monotonic()
        folder = self.args.work / f"jdk-{jdk.feature}"
        folder.mkdir(exist_ok=True)
        result: dict = {"jdk": jdk.version, "problems": []}
        self.results.append(result)
        original, rewritten = folder / "original.pack", folder / "rewritten.pack"
        packed = packs.write_pack(jdk, self.java, self.paths, original, self.args.sample, self.args.seed)
        result["packed"] = packed
        self._say(f"JDK {jdk.version}: {packed['classes']} classes, {packed['methods_with_code']} methods with code")
        self._rewrite(original, rewritten, packed, result)
        if self.args.run:
            self._run_workloads(jdk, rewritten, result)
        else:
            self._verify(jdk, original, rewritten, result)
        result["seconds"] = round(time.monotonic() - start, 1)
        self._say(f"  took        {result['seconds']} s")
        for problem in result["problems"]:
            self._say(f"  PROBLEM     {problem}")

    def _rewrite(self, original: Path, rewritten: Path, packed: dict, result: dict) -> None:
        if self.args.tool is None:
            shutil.copyfile(original, rewritten)
            return
        done = packs.rewrite(self.args.tool, original, rewritten, packed, self._kind())
        result["rewrite"] = {**done.report, "changed_classes": done.changed_classes}
        result["problems"] += done.problems
        report = done.report
        if not report["round_trip_failures"]:
            self._say(f"  round trip  all {report['classes']} classes identical")
        share = 100 * report["rewritten"] / max(1, report["methods_with_code"])
        skipped = ", ".join(f"{n} {reason}" for reason, n in sorted(report["skipped"].items(), key=lambda kv: -kv[1]))
        self._say(f"  rewritten   {report['rewritten']} methods ({share:.3f} %); skipped: {skipped or 'none'}")

    def _kind(self) -> str:
        if self.args.paths:
            return "paths"
        return "sample" if self.args.sample else "full"

    def _verify(self, jdk: Jdk, original: Path, rewritten: Path, result: dict) -> None:
        baseline = verification.verify(jdk, self.java, original, self.class_paths)
        problems = control.check(jdk, self.java, original, baseline, self.class_paths)
        result["problems"] += [f"control: {p}" for p in problems]
        if not problems:
            self._say(f"  control     all {len(control.EXPECTED)} broken classes found out")
        try:
            after = verification.verify(jdk, self.java, rewritten, self.class_paths)
        except SweepError as e:  # the JVM died of the rewritten classes: a finding, not a fault of the sweep
            result["problems"].append(str(e))
            return
        verdicts = verification.compare(baseline, after)
        result["verification"] = _by_kind(verdicts)
        counts = Counter(v.state for v in verdicts.values())
        verified = counts[State.VERIFIED] + counts[State.WITH_STAND_INS]
        self._say(f"  verified    {verified} classes, {counts[State.WITH_STAND_INS]} of them with stand-ins")
        for state, words in (
            (State.EXEMPT, "never verified by this JVM"),
            (State.UNMODIFIABLE, "no agent can change"),
            (State.UNLOADABLE, "cannot be loaded unmodified either"),
            (State.NO_CLASS, "module-info"),
        ):
            if counts[state]:
                self._say(f"  not so      {counts[state]} {words}")
        result["not_verified"] = _rows(verdicts, {State.EXEMPT, State.UNMODIFIABLE, State.UNLOADABLE})
        result["failures"] = _rows(verdicts, {State.FAILED})
        if result["failures"]:
            self._show_failures(result["failures"], original, rewritten)
            result["problems"].append(f"{len(result['failures'])} classes failed verification")

    def _show_failures(self, failures: list[dict], original: Path, rewritten: Path) -> None:
        folder = rewritten.with_name("failed")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        before, after = packs.read_pack(original), packs.read_pack(rewritten)
        for row in failures[:FAILURES_SHOWN]:
            self._say(f"  FAILED      {row['origin']} {row['class']}: {row['detail']}")
            key = row["origin"], row["class"]
            name = row["class"].replace("/", ".")
            (folder / f"{name}.original.class").write_bytes(before[key])
            (folder / f"{name}.rewritten.class").write_bytes(after[key])
        self._say(f"  for javap   {folder}/*.class")

    def _run_workloads(self, jdk: Jdk, rewritten: Path, result: dict) -> None:
        result["runs"] = []
        probed = self.args.tool is not None
        for name in self.workloads:
            done = workload_runs.run_workload(jdk, self.java, rewritten, self.args.workloads, name, probed)
            result["runs"].append(vars(done))
            if done.not_run:
                self._say(f"  {name:19} not run: fails on this JDK without probes too")
            else:
                self._say(f"  {name:19} {'FAILED: ' + done.problem if done.problem else 'same result'}")
            if done.probes:
                counts = " ".join(f"{p} {done.probes[p]}" for p in workload_runs.PROBES)
                self._say(f"      {done.probes['classes_with_probes']} classes with probes; {counts}")
            if done.problem:
                result["problems"].append(f"{name} failed")

    def _say(self, line: str) -> None:
        if not self.quiet:
            print(line, flush=True)

    def _write_json(self) -> None:
        if not self.args.json:
            return
        everything = {"sample": self.args.sample, "identity": self.args.tool is None, "jdks": self.results}
        text = json.dumps(everything, indent=2) + "\n"
        if self.quiet:
            sys.stdout.write(text)
        else:
            Path(self.args.json).write_text(text)


def _by_kind(verdicts: Verdicts) -> dict:
    """Counts of each state, for the JDK's modules and for jars."""
    table: dict = {kind: {"classes": 0, **{s.value: 0 for s in State}} for kind in ("modules", "jars")}
    for (origin, _), verdict in verdicts.items():
        row = table["jars" if origin.startswith("jar:") else "modules"]
        row["classes"] += 1
        row[verdict.state.value] += 1
    return table


def _rows(verdicts: Verdicts, states: set[State]) -> list[dict]:
    return [
        {"origin": origin, "class": name, "state": v.state.value, "detail": v.detail}
        for (origin, name), v in verdicts.items()
        if v.state in states
    ]


def main(argv: list[str]) -> int:
    try:
        return Session(arguments.parse(argv)).run()
    except SweepError as e:
        print(f"bench/sweep: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
