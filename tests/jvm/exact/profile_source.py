"""Profiles that are held against the oracle: one that `bursar record` wrote, or another run of the oracle."""

import json
import subprocess

from truth_tree import Node, Oracle, read_folded, read_tree_json


class Profile:
    """A .bursar file, read through the command."""

    def __init__(self, command, path):
        self.command = str(command)
        self.path = str(path)

    def thread(self, name):
        """The tree of the threads of this name; empty if there are none."""
        return self._tree("--thread", name, may_fail=True)

    def whole(self):
        return self._tree()

    def trust_lost(self):
        report = subprocess.run([self.command, "report", "--json", self.path], stdout=subprocess.PIPE, check=True)
        return json.loads(report.stdout)["counters"]["trust_lost"] != 0

    def folded(self):
        """Line by line: the lines of a deep recursion are long."""
        command = [self.command, "export", self.path, "--format", "folded"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as running:
            tree = read_folded(running.stdout)
        if running.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} ended with status {running.returncode}")
        return tree

    def _tree(self, *options, may_fail=False):
        command = [self.command, "tree", self.path, "--json", "--min-share", "0", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace") as running:
            tree = read_tree_json(running.stdout)
            message = running.stderr.read()
        if running.returncode != 0:
            if may_fail and "no thread" in message:
                return Node()
            raise RuntimeError(f"{' '.join(command)}: {message.strip()}")
        return tree


class OtherRun:
    """A second run of the oracle in the place of a profile."""

    def __init__(self, path):
        self.oracle = Oracle(path)

    def thread(self, name):
        return self.oracle.threads.get(name, Node())

    def whole(self):
        return self.oracle.whole()


def open_profile(command, path):
    with open(path, "rb") as file:
        is_oracle = file.read(7) == b"method\t"
    return OtherRun(path) if is_oracle else Profile(command, path)
