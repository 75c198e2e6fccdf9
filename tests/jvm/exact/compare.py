#!/usr/bin/env python3
"""Holds a profile of mode exact against what the oracle saw, node for node.

  compare.py oracle.tsv run.bursar --command build/release/bursar
  compare.py oracle.tsv oracle2.tsv                      another run of the oracle in the place of the profile
  compare.py oracle.tsv run.bursar --other oracle2.tsv   contexts that differ between the runs of the oracle may differ
  compare.py oracle.tsv --folded                         what the oracle saw, as `bursar export --format folded` writes it

The exit status is 1 if anything differs that exceptions.txt does not explain.
"""

import argparse
import pathlib
import sys

from comparison import hold, print_differences, print_rules
from profile_source import open_profile
from rules import Rules, marked_methods, version_of
from truth_tree import Oracle, write_folded

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracle")
    parser.add_argument("profile", nargs="?")
    parser.add_argument("--command", default="bursar", help="the bursar command (default: the one on the search path)")
    parser.add_argument("--other", action="append", default=[], help="another run of the oracle")
    parser.add_argument("--exceptions", default=HERE / "exceptions.txt", help="(default: the file beside this one)")
    parser.add_argument("--jdk", default="/usr/lib/jvm/java-17-openjdk-amd64", help="the JDK it ran on (default: Debian's 17)")
    parser.add_argument("--thread", action="append", help="only threads of this name; may be repeated")
    parser.add_argument("--folded", action="store_true")
    parser.add_argument("--most", type=int, default=50, help="how many differences to print (default: 50)")
    arguments = parser.parse_args()

    oracle = Oracle(arguments.oracle)
    if arguments.folded:
        write_folded(oracle.whole(), sys.stdout)
        return 0
    if arguments.profile is None:
        parser.error("a profile is needed")
    rules = Rules(arguments.exceptions, version_of(arguments.jdk), marked_methods(arguments.jdk))
    others = [Oracle(path) for path in arguments.other]
    verdict = hold(open_profile(arguments.command, arguments.profile), oracle, rules, others, arguments.thread)
    print(verdict.summary())
    print_differences(verdict, arguments.most, sys.stdout)
    print_rules(rules, sys.stdout)
    return 1 if verdict.differences else 0


if __name__ == "__main__":
    sys.exit(main())
