"""Counts that follow from a program's text alone, whatever any agent says.

A program states them in comments of its source or prints them, one a line:

  // expect 300 Calls.main;Calls.twice        contexts that end with these frames were called 300 times in all
  expect >=1 Calls.after
  // expect 20 Calls.lambda$main$*             * is any text
"""

import re

from rules import matches
from truth_tree import method_name

LINE = re.compile(r"^\s*(?://\s*)?expect (>=)?([0-9]+) (\S.*?)\s*$")


class Expectation:
    def __init__(self, at_least, calls, frames):
        self.at_least = at_least
        self.calls = calls
        self.frames = frames

    def holds(self, calls):
        return calls >= self.calls if self.at_least else calls == self.calls

    def __str__(self):
        return f"{'>=' if self.at_least else ''}{self.calls} {';'.join(self.frames)}"


def read_expectations(*texts):
    found = []
    for text in texts:
        for line in text.splitlines():
            if match := LINE.match(line):
                found.append(Expectation(match[1] is not None, int(match[2]), match[3].split(";")))
    return found


def failures(expectations, tree):
    """[(expectation, calls found)] of those that do not hold in the whole tree."""
    calls = {id(expectation): 0 for expectation in expectations}
    longest = max((len(expectation.frames) for expectation in expectations), default=0)
    ending_with = {}  # method -> expectations whose last frame it is
    pending = [(tree, ())]
    while pending:
        node, path = pending.pop()
        for frame, child in node.children.items():
            name = method_name(frame)
            where = (path + (name,))[-longest:]
            if name not in ending_with:
                ending_with[name] = [e for e in expectations if matches(e.frames[-1], name)]
            for expectation in ending_with[name]:
                frames = expectation.frames
                if len(frames) <= len(where) and all(map(matches, frames, where[-len(frames):])):
                    calls[id(expectation)] += child.calls
            pending.append((child, where))
    return [(e, calls[id(e)]) for e in expectations if not e.holds(calls[id(e)])]
