"""The justified differences between the oracle and a profile: exceptions.txt.

Each line is `kind pattern # reason` or `kind pattern jdkN # reason`; * in a pattern stands for any text. Patterns are
methods (package.Class.method, with the descriptor or for all of that name), for `skip` also several without descriptors
that follow each other, separated by ';'.

  blind   the oracle gets no event for this method: its own count is not compared
  leaf    the profile shows this method, but need not show what it calls: there, less than the oracle saw is accepted
          (pattern @IntrinsicCandidate: all methods that the class library marks so)
  shown   not a leaf, although marked so
  splice  a frame that one side has and the other has not: it is left out, what it calls goes to its caller
  skip    the subtree of such a context is not compared
  only    (in programs) nothing but such contexts is compared
"""

import fnmatch
import pathlib
import re
import subprocess

from truth_tree import method_name

KINDS = ("blind", "leaf", "splice", "skip", "only", "shown")
MARK = "@IntrinsicCandidate"


class Rule:
    def __init__(self, kind, pattern, reason):
        self.kind = kind
        self.pattern = pattern
        self.reason = reason
        self.used = 0  # how many differences it explained

    def is_for(self, frame):
        return matches(self.pattern, frame if "(" in self.pattern else method_name(frame))


class Rules:
    def __init__(self, path=None, jdk=None, marked=frozenset()):
        """Of `path`, the rules that hold for this JDK (17, 25 …; None: all). `marked`: see marked_methods()."""
        self.rules = []
        self.marked = marked
        self.has_only = False
        self.known = {}  # (kind, method) -> rule or None
        if path is not None:
            with open(path, encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip() and not line.startswith("#"):
                        self.add(f"{path}:{number}", line, jdk)

    def add(self, where, line, jdk=None):
        rule, _, reason = line.partition(" # ")
        words = rule.split()
        if len(words) == 3 and re.fullmatch(r"jdk[0-9]+", words[2]):
            if jdk is not None and words[2] != f"jdk{jdk}":
                return
            words.pop()
        if len(words) != 2 or words[0] not in KINDS or not reason.strip():
            raise ValueError(f"{where}: not `kind pattern [jdkN] # reason`")
        self.has_only |= words[0] == "only"
        self.rules.append(Rule(words[0], words[1], reason.strip()))

    def find(self, kind, frame):
        """The rule of this kind for a method, or None."""
        key = kind, frame
        if key not in self.known:
            self.known[key] = next((rule for rule in self.rules if rule.kind == kind and self.is_for(rule, frame)), None)
        return self.known[key]

    def is_for(self, rule, frame):
        if rule.pattern == MARK:
            return frame in self.marked and self.find("shown", frame) is None
        return rule.is_for(frame)

    def leaves_out(self, frame):
        """Are there contexts that alone are to be compared, and is this none of them?"""
        return self.has_only and self.find("only", frame) is None

    def find_skip(self, place):
        """The rule to leave out the context at `place`, or None."""
        if (rule := self.find("skip", place.frame)) is not None:
            return rule
        name = method_name(place.frame)
        for rule in self.rules:
            if rule.kind != "skip" or ";" not in rule.pattern:
                continue
            patterns = rule.pattern.split(";")
            if matches(patterns[-1], name):
                names = place.last_names(len(patterns))
                if len(names) == len(patterns) and all(map(matches, patterns, names)):
                    return rule
        return None


def marked_methods(jdk):
    """The methods that the class library of the JDK in this folder marks as ones that the JIT may replace."""
    command = [pathlib.Path(jdk) / "bin" / "java", "--add-exports", "java.base/jdk.internal.vm.annotation=ALL-UNNAMED",
               pathlib.Path(__file__).resolve().parent / "ListIntrinsics.java"]
    return frozenset(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split())


def version_of(jdk):
    """17, 25 …"""
    return int(re.search(r'JAVA_VERSION="([0-9]+)', (pathlib.Path(jdk) / "release").read_text())[1])


def matches(pattern, name):
    return pattern == name or fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))
