"""Context trees as the tests compare them: read from the oracle's file, from `bursar tree --json` or from folded text.

A frame is `package.Class.method` followed by its descriptor where there is one. Names of classes that the JVM made up at
run time are normalised here once more, independently of the profiler: see normalised().
"""

import json
import re

# The JVM appends a number or an address to the name of a hidden class, behind '/', '+' or (in JVMTI signatures) '.'.
HIDDEN_SUFFIX = re.compile(r"(?<=.)[/+.](0x)?[0-9][0-9a-fA-F]*$|(?<=.)[/+.]0x[0-9a-fA-F]+$")
NUMBERED = re.compile(r"(\$Proxy|GeneratedMethodAccessor|GeneratedConstructorAccessor"
                      r"|GeneratedSerializationConstructorAccessor|\$\$Lambda(?=\$))\$?[0-9]+$")
PROXY_PACKAGE = re.compile(r"^jdk\.proxy[0-9]*\.")


def normalised(name):
    """a.B$$Lambda$14/0x0800 -> a.B$$Lambda, jdk.proxy2.$Proxy17 -> jdk.proxy.$Proxy, a.Hidden/0x0800 -> a.Hidden."""
    while True:
        shorter = HIDDEN_SUFFIX.sub("", name)
        if shorter == name:
            break
        name = shorter
    return PROXY_PACKAGE.sub("jdk.proxy.", NUMBERED.sub(r"\1", name))


def class_name(signature):
    """Lpkg/Name; -> pkg.Name"""
    return normalised(signature[1:-1].replace("/", "."))


def method_name(frame):
    """A frame without its descriptor."""
    return frame.split("(", 1)[0]


class Node:
    __slots__ = ("calls", "children")

    def __init__(self):
        self.calls = 0
        self.children = {}  # frame -> Node

    def child(self, frame):
        node = self.children.get(frame)
        if node is None:
            node = self.children[frame] = Node()
        return node

    def size_and_calls(self):
        """Of the subtree, this node included."""
        size = calls = 0
        pending = [self]
        while pending:
            node = pending.pop()
            size += 1
            calls += node.calls
            pending.extend(node.children.values())
        return size, calls

    def add(self, other):
        """Adds another tree to this one."""
        pending = [(self, other)]
        while pending:
            mine, its = pending.pop()
            mine.calls += its.calls
            for frame, child in its.children.items():
                pending.append((mine.child(frame), child))

    def without(self, projection):
        """A copy whose frames are projection(frame); frames projected to None hand their children to their parent."""
        result = Node()
        pending = [(result, self)]
        while pending:
            mine, its = pending.pop()
            mine.calls += its.calls
            for frame, child in its.children.items():
                seen_as = projection(frame)
                if seen_as is None:
                    spliced = Node()
                    spliced.children = child.children
                    pending.append((mine, spliced))
                else:
                    pending.append((mine.child(seen_as), child))
        return result


class Oracle:
    """What the oracle wrote: a tree for every thread name, and one for all virtual threads together."""

    def __init__(self, path):
        self.threads = {}
        self.virtual = Node()
        self.native = set()
        self.notes = {}
        frames = {}
        trees = {}
        nodes = {}
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                kind, *fields = line.rstrip("\n").split("\t")
                if kind == "node":
                    number, parent, thread, method, calls = fields
                    above = trees[thread] if parent == "-" else nodes[parent]
                    node = above.child(frames[method])
                    node.calls += int(calls)
                    nodes[number] = node
                elif kind == "method":
                    number, native, signature, name, descriptor = fields
                    frames[number] = f"{class_name(unescaped(signature))}.{unescaped(name)}{descriptor}"
                    if native == "native":
                        self.native.add(frames[number])
                elif kind == "thread":
                    number, sort, name = fields
                    nodes.clear()
                    trees[number] = self.virtual if sort == "virtual" else self.threads.setdefault(unescaped(name), Node())
                elif kind == "note":
                    self.notes[unescaped(fields[0])] = int(fields[1])

    def whole(self):
        tree = Node()
        for thread in [*self.threads.values(), self.virtual]:
            tree.add(thread)
        return tree


def unescaped(text):
    return re.sub(r"\\(.)", lambda match: {"t": "\t", "n": "\n"}.get(match[1], match[1]), text)


def read_tree_json(lines):
    """What `bursar tree FILE --json --min-share 0` prints: contexts in pre-order, one a line."""
    tree = Node()
    above = [tree]
    for line in lines:
        text = line.strip().rstrip(",")
        if not text.startswith('{"depth":'):
            continue
        entry = json.loads(text)
        if "left_out" in entry:
            raise ValueError("contexts were left out: --min-share 0 is needed")
        del above[entry["depth"] + 1:]
        node = above[-1].child(entry["method"] + entry.get("descriptor", ""))
        node.calls += entry["own"]
        above.append(node)
    return tree


def read_folded(lines):
    """What `bursar export FILE --format folded` prints."""
    tree = Node()
    for line in lines:
        stack, calls = line.rstrip("\n").rsplit(" ", 1)
        node = tree
        for frame in stack.split(";"):
            node = node.child(frame)
        node.calls += int(calls)
    return tree


def write_folded(tree, out):
    """As `bursar export` does, siblings in order of their names; contexts that were never called are left out."""
    pending = [("", tree.without(method_name))]
    while pending:
        stack, node = pending.pop()
        if node.calls > 0:
            out.write(f"{stack} {node.calls}\n")
        for frame, child in sorted(node.children.items(), reverse=True):
            name = frame.replace(";", "\\x3b")
            pending.append((f"{stack};{name}" if stack else name, child))
