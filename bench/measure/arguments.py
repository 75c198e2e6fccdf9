"""The command line of bench/slowdown."""

import argparse
from pathlib import Path

from measure import interval, variant, workload

EXAMPLES = """examples:
  bench/slowdown --workloads fop,xalan --with c1=-XX:TieredStopAtLevel=1
      how much slower are FOP and Xalan without the optimising compiler?
  bench/slowdown --with 'exact=build/release/bursar record --mode exact -o {out} -- {java}' \\
                 --with 'jfr=-XX:StartFlightRecording:settings=profile,filename={out}.jfr'
      two profilers on all workloads; about 1 minute for each JVM run
  bench/slowdown --quick --workloads call-density-bias --with null=
      does it work? A few seconds, and no figures to keep
  bench/slowdown --show bench/results/exact+jfr-1a2b3c4d5e6f.jsonl --json -
      what has been measured so far, as JSON
"""

METHOD = f"""
Every round runs each workload once with the baseline and each variant, in fresh JVMs and in a random order. A run lets
the program warm up, then measures; its value is the median CPU time of an iteration, all threads of the JVM included.
The slowdown is the median over rounds of variant / baseline in the same round. Its 95 % interval is an expanded
percentile bootstrap (Hesterberg 2015) over rounds, and needs {interval.MIN_ROUNDS} of them. The geometric mean is
taken over the workloads' slowdowns, its interval from the same resamples. The whole-process ratio is over equal work:
start, the first iterations (as many as every run makes) and end. CPU time and memory are those of the process and of
the children it waited for.

Every run's checksum must be the one in bench/workloads/checksums.txt, or, where that does not apply (--threads, another
JDK), the baseline's: else the cell has failed and has no number. A failed cell is not run again in later rounds; the
others go on.

Each finished run is appended to a file; the same command continues where it stopped. More --runs and --workloads may be
asked for later; any other change of settings is refused, because the runs would not be comparable.

exit status: 0 measured, 1 something failed (see the table), 2 wrong usage, 130 interrupted"""


class _Parser(argparse.ArgumentParser):
    def format_help(self) -> str:
        return EXAMPLES + "\n" + super().format_help()


def parse(argv: list[str]) -> argparse.Namespace:
    parser = _Parser(
        prog="bench/slowdown",
        usage="bench/slowdown --with NAME=SPEC [--with NAME=SPEC ...] [options]",
        description="Measures how much slower the workloads run under one or more variants of the java command.",
        epilog=METHOD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_argument_group("what to run")
    what.add_argument(
        "--with",
        dest="variants",
        action="append",
        default=[],
        metavar="NAME=SPEC",
        help="a variant: JVM options, or a command with {java} where the java command goes (then JVM options may "
        "follow it); {out} is the name of a temporary file, {workload} the workload; an empty SPEC runs the baseline once more",
    )
    what.add_argument("--workloads", metavar="A,B", help="default: all in bench/workloads")
    what.add_argument("--runs", type=_positive, default=5, metavar="N", help="rounds (default 5)")
    what.add_argument("--jvm", default="", metavar="OPTIONS", help="JVM options for the baseline and all variants")
    what.add_argument("--jdk", metavar="DIR", help="default: $BENCH_JDK, or Debian's JDK 17")
    what.add_argument("--threads", type=_positive, metavar="N", help="worker threads, where a workload has several")
    length = parser.add_argument_group("length of a run")
    length.add_argument("--warmup-iterations", type=_not_negative, metavar="N", help="at least N (default 20)")
    length.add_argument("--warmup-seconds", type=_seconds, metavar="S", help="and S, of CPU time too (default 30)")
    length.add_argument("--iterations", type=_positive, metavar="N", help="measured iterations (default 20)")
    length.add_argument("--quick", action="store_true", help="1 round, 1 iteration to warm up, 2 measured")
    length.add_argument("--timeout", type=_seconds, default=1800, metavar="S", help="for one run (default 1800)")
    results = parser.add_argument_group("results")
    results.add_argument("--json", metavar="FILE", help="also write JSON; - prints it instead of the table")
    results.add_argument("--out", type=Path, metavar="FILE", help="default: bench/results/VARIANTS-HASH.jsonl")
    results.add_argument("--show", type=Path, metavar="FILE", help="run nothing, show what a results file holds")
    results.add_argument("--retry-failed", action="store_true", help="run failed cells again")
    results.add_argument("--seed", type=int, default=1, metavar="N", help="of the order and the resampling (default 1)")
    options = parser.parse_args(argv)
    if options.show:
        if options.variants or options.out:
            parser.error("--show runs nothing: no --with or --out beside it")
    elif not options.variants:
        parser.error("nothing to compare with the baseline: give --with NAME=SPEC")
    _complete(options, parser, argv)
    return options


def _complete(options: argparse.Namespace, parser: argparse.ArgumentParser, argv: list[str]) -> None:
    defaults = {"warmup_iterations": 20, "warmup_seconds": 30.0, "iterations": 20}
    if options.quick:
        defaults = {"warmup_iterations": 1, "warmup_seconds": 0.0, "iterations": 2}
        if not any(word.split("=")[0] == "--runs" for word in argv):
            options.runs = 1
    for name, value in defaults.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    try:
        options.variants = [variant.parse(text) for text in options.variants]
        if "{" in options.jvm or variant.make("--jvm", options.jvm).prefix:
            parser.error("--jvm takes JVM options only, without {java} or {out}")
    except variant.VariantError as error:
        parser.error(str(error))
    seen = {variant.BASELINE}
    for each in options.variants:
        if each.name in seen:
            parser.error(f"two variants named {each.name}")
        seen.add(each.name)
    known = workload.names()
    if options.workloads is None:
        options.workloads = None if options.show else known
        return
    options.workloads = list(dict.fromkeys(name for name in options.workloads.split(",") if name))
    for name in options.workloads:
        if name not in known:
            parser.error(f"no such workload: {name}; there are {', '.join(known)}")
    if not options.workloads:
        parser.error("--workloads names none")


def _positive(text: str) -> int:
    if int(text) < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return int(text)


def _not_negative(text: str) -> int:
    if int(text) < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return int(text)


def _seconds(text: str) -> float:
    if not 0 <= float(text) < float("inf"):
        raise argparse.ArgumentTypeError("must be a number of seconds")
    return float(text)
