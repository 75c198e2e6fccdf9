"""The command line of bench/sweep."""

import argparse
from pathlib import Path

EXAMPLES = """examples:
  bench/sweep
      every class of every JDK here and of the workloads' jars: round trip, rewrite, verify; a few minutes
  bench/sweep --sample 1500
      the same for 1,500 of them, the tricky ones first; under a minute
  bench/sweep --paths
      every class with the path register that modes paths and exact-paths put in
  bench/sweep --run fop xalan crafted
      do programs compute the same with a probe at every entry, exit, handler, branch, loop and unwind of theirs and the JDK's?
  bench/sweep --jdk /usr/lib/jvm/java-17-openjdk-amd64 --json sweep.json --jars lib/*.jar
      one JDK only, with further jars, and everything that failed as JSON
"""

METHOD = """For each JDK, all class files of its modules and of the jars are packed into one file. bursar-sweep must
reproduce each class without edits, and then puts probes into every method. A JVM of that JDK with -Xverify:all gets
the rewritten classes from an agent, loads and links each without running it, and must verify it, as its own log
shows. The same is done with the unmodified classes: what fails there in the same way does not count. A few classes
broken on purpose show that the verification notices. Classes that mention others which are not installed are
verified with empty stand-ins.

exit status: 0 all is well, 1 something failed, 2 wrong usage or something is missing
"""

ROOT = Path(__file__).resolve().parents[3]


class _Parser(argparse.ArgumentParser):
    def format_help(self) -> str:
        return EXAMPLES + "\n" + super().format_help()


def parse(argv: list[str]) -> argparse.Namespace:
    parser = _Parser(
        prog="bench/sweep",
        usage="bench/sweep [--sample N | --run WORKLOAD...] [--paths] [options]",
        description="Rewrites very many real classes and has real JVMs verify or run them.",
        epilog=METHOD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_argument_group("what to sweep")
    what.add_argument("--sample", type=_positive, default=0, metavar="N", help="only about N classes, chosen by hash")
    what.add_argument("--seed", type=int, default=1, help="another sample (default 1)")
    what.add_argument("--paths", action="store_true", help="the path register, not a probe at every place")
    what.add_argument("--jars", nargs="+", type=Path, default=[], metavar="JAR", help="further jars")
    what.add_argument(
        "--run",
        nargs="+",
        default=[],
        metavar="WORKLOAD",
        help="run workloads instead of verifying; crafted is a jar of hand-made classes; all means all",
    )
    using = parser.add_argument_group("with what")
    using.add_argument("--jdk", action="append", type=Path, default=[], help="only this JDK; may be given again")
    using.add_argument("--tool", type=Path, help="the rewriter (default build/release/bursar-sweep)")
    using.add_argument("--identity", action="store_true", help="no rewriter: tests the sweep itself")
    using.add_argument("--workloads", type=Path, default=ROOT / "bench/workloads", metavar="DIR", help=argparse.SUPPRESS)
    output = parser.add_argument_group("output")
    output.add_argument("--work", type=Path, default=ROOT / "build/sweep", metavar="DIR", help="work files (build/sweep)")
    output.add_argument("--json", metavar="FILE", help="all results as JSON; - is standard output, instead of the text")
    args = parser.parse_args(argv)
    if args.run and args.sample:
        parser.error("--run runs with all classes rewritten; it does not go with --sample")
    if args.tool and args.identity:
        parser.error("--tool does not go with --identity")
    args.tool = None if args.identity else (args.tool or ROOT / "build" / "release" / "bursar-sweep")
    args.workloads = args.workloads.resolve()
    args.work = args.work.resolve()
    return args


def _positive(text: str) -> int:
    if int(text) <= 0:
        raise argparse.ArgumentTypeError("must be above 0")
    return int(text)
