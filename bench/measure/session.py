"""bench/slowdown from its arguments to its exit status: settings, the loop over runs, the report."""

import argparse
import hashlib
import json
import os
import shlex
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import arguments, harness_output, json_report, machine, process
from measure import schedule, summary, table, variant, workload
from measure.progress import Progress
from measure.results_file import ResultsError, ResultsFile, read
from measure.variant import BASELINE, Variant

RESULTS = Path(__file__).resolve().parent.parent / "results"
STDERR_LINES = 15


def main(argv: list[str]) -> int:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader such as head may stop early
    options = arguments.parse(argv)
    try:
        if options.show:
            settings, runs = read(options.show)
            return report(options, settings, runs, options.workloads)
        return measure(options)
    except (ResultsError, workload.WorkloadError, variant.VariantError) as error:
        print(f"bench/slowdown: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def measure(options: argparse.Namespace) -> int:
    variants = {BASELINE: variant.make(BASELINE, ""), **{each.name: each for each in options.variants}}
    cells = [(name, each) for name in options.workloads for each in variants.values()]
    commands = {(name, each.name): _java_command(options, name, each) for name, each in cells}
    settings = _settings(options, variants, java=next(iter(commands.values()))[0])
    path = options.out or _default_path(settings)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, _interrupt)
    with ResultsFile(path, settings) as results:
        retried = summary.failures(results.runs) if options.retry_failed else {}
        kept = [run for run in results.runs if (run["workload"], run["variant"]) not in retried]
        known = _known_checksums(options, settings)
        try:
            _run_all(options, variants, commands, known, results, kept)
        except KeyboardInterrupt:
            sys.stderr.write(
                f"\nstopped; {len(results.runs)} runs are in {path}\nto continue: {shlex.join(sys.argv)}\n"
            )
            return 130
        if sys.stderr.isatty():
            sys.stderr.write(f"the runs are in {path}\n")
        return report(options, settings, results.runs, options.workloads)


def report(
    options: argparse.Namespace, settings: dict[str, Any], runs: list[dict[str, Any]], workloads: list[str] | None
) -> int:
    found = summary.summarise(settings, runs, workloads)
    if options.json:
        text = json.dumps(json_report.as_json(settings, found), indent=2) + "\n"
        if options.json == "-":
            sys.stdout.write(text)
        else:
            Path(options.json).write_text(text)
    if options.json != "-":
        sys.stdout.write(table.render(settings, found))
    return 1 if any(cell.failure for cell in found.cells.values()) else 0


def _run_all(
    options: argparse.Namespace,
    variants: dict[str, Variant],
    commands: dict[tuple[str, str], list[str]],
    known: dict[str, str],
    results: ResultsFile,
    kept: list[dict[str, Any]],
) -> None:
    planned = list(schedule.slots(options.workloads, list(variants), options.runs, options.seed))
    done = schedule.latest(kept)
    failed = set(summary.failures(kept))
    progress = Progress(planned, kept)
    for slot in schedule.remaining(planned, done, failed):
        progress.starting(slot, done, failed)
        run = _run_one(slot.workload, variants[slot.variant], commands[slot.workload, slot.variant], options.timeout)
        run = slot._asdict() | {"expected": known.get(slot.workload)} | run
        results.append(run)
        kept.append(run)
        done[slot] = run
        failed.update(summary.failures(kept))
        progress.finished(slot, run)
    progress.clear()


def _run_one(name: str, how: Variant, java: list[str], timeout_s: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="slowdown-") as folder:
        stdout, stderr = Path(folder, "stdout"), Path(folder, "stderr")
        busy = machine.busy_seconds()
        started = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        try:
            usage = process.run(how.command(java, f"{folder}/out", name), stdout, stderr, timeout_s)
        except OSError as error:
            raise workload.WorkloadError(f"variant {how.name}: {error}") from error
        run: dict[str, Any] = {
            "failure": None,
            "started": started,
            "process_wall_s": round(usage.wall_s, 3),
            "process_cpu_s": round(usage.cpu_s, 6),
            "other_cpu_s": round(max(0.0, machine.busy_seconds() - busy - usage.cpu_s), 2),
            "max_rss_kb": usage.max_rss_kb,
        }
        try:
            run |= vars(harness_output.parse(stdout.read_text(errors="replace")))
            if usage.exit_code or usage.timed_out:
                run["failure"] = _exit_reason(usage, timeout_s)
        except harness_output.WrongResult as error:
            run["failure"] = str(error)
        except harness_output.OutputError as error:
            run["failure"] = _exit_reason(usage, timeout_s) if usage.exit_code or usage.timed_out else str(error)
        if run["failure"]:
            run["messages"] = "\n".join(stderr.read_text(errors="replace").splitlines()[-STDERR_LINES:])
        return run


def _exit_reason(usage: process.Usage, timeout_s: float) -> str:
    if usage.timed_out:
        return f"still running after {timeout_s:g} s"
    if usage.exit_code < 0:
        return f"ended by {signal.Signals(-usage.exit_code).name}"
    return f"exit status {usage.exit_code}"


def _java_command(options: argparse.Namespace, name: str, how: Variant) -> list[str]:
    harness = ["--warmup-iterations", str(options.warmup_iterations), "--warmup-seconds", str(options.warmup_seconds)]
    if options.threads:
        harness += ["--threads", str(options.threads)]
    jvm_options = [*shlex.split(options.jvm), *how.jvm_options]
    return workload.java_command(name, harness, jvm_options, options.iterations, options.jdk)


def _settings(options: argparse.Namespace, variants: dict[str, Variant], java: str) -> dict[str, Any]:
    """Everything that a run depends on, and nothing else: runs with equal settings may be compared."""
    return {
        "variants": {name: each.spec for name, each in variants.items()},
        "fingerprints": {name: variant.fingerprint(each) for name, each in variants.items()},
        "jvm": options.jvm,
        "jdk_version": workload.jdk_version(java),
        "threads": options.threads,
        "warmup_iterations": options.warmup_iterations,
        "warmup_seconds": options.warmup_seconds,
        "iterations": options.iterations,
        "workload_sources": workload.sources_hash(),
        "machine": machine.describe(),
        "cpus": os.cpu_count(),
        "order_seed": options.seed,
    }


def _default_path(settings: dict[str, Any]) -> Path:
    names = "+".join(name for name in settings["variants"] if name != BASELINE)
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
    return RESULTS / f"{names[:60]}-{digest}.jsonl"


def _known_checksums(options: argparse.Namespace, settings: dict[str, Any]) -> dict[str, str]:
    same_jdk = settings["jdk_version"].split(".")[0] == workload.checksums_jdk()
    return workload.checksums() if same_jdk and not options.threads else {}


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
