"""Holds a profile against the oracle, thread by thread, and says what differs."""

from differences import compare, unstable_contexts
from truth_tree import Node, method_name

# Threads of the JVM: what they do depends on its collectors and on time.
SYSTEM_THREADS = {"Reference Handler", "Finalizer", "Signal Dispatcher", "Service Thread", "Monitor Deflation Thread",
                  "C1 CompilerThread0", "C2 CompilerThread0", "Common-Cleaner", "Notification Thread", "Attach Listener",
                  "Sweeper thread", "DestroyJavaVM", "process reaper", "SIGTERM handler", "SIGINT handler",
                  "VirtualThread-unparker", "VirtualThread-unblocker", "Read-Poller", "Write-Poller", "Master-Poller"}
VIRTUAL_ROOT = "java.lang.VirtualThread.run"


class Verdict:
    def __init__(self):
        self.contexts = 0
        self.calls = 0
        self.differences = []  # (thread, Difference)
        self.unstable = 0

    def add(self, thread, compared):
        self.contexts += compared.contexts
        self.calls += compared.calls
        self.unstable += compared.unstable
        self.differences += [(thread, difference) for difference in compared.differences]

    def summary(self):
        text = f"{self.contexts:,} contexts, {self.calls:,} calls"
        if self.unstable:
            text += f", {self.unstable:,} contexts differ between runs of the oracle too"
        return text + (f", {len(self.differences):,} DIFFERENCES" if self.differences else ", equal")


def hold(profile, oracle, rules, others=(), threads=None):
    """`others`: more runs of the oracle. `threads`: names; without, all that are not the JVM's own."""
    verdict = Verdict()
    names = threads or [name for name in oracle.threads if name not in SYSTEM_THREADS and not is_carrier(name)]
    for name in names:
        truth = oracle.threads.get(name, Node())
        shaky = unstable_contexts(truth, [other.threads.get(name, Node()) for other in others])
        verdict.add(name, compare(truth, profile.thread(name), rules, shaky))
    if oracle.virtual.children and not threads:
        hold_virtual(profile, oracle, rules, others, verdict)
    verdict.differences.sort(key=lambda pair: pair[1].size(), reverse=True)
    return verdict


def is_carrier(name):
    return name.startswith("ForkJoinPool-1-worker-")


def hold_virtual(profile, oracle, rules, others, verdict):
    """Virtual threads have no trees of their own in a profile: they are looked for in the whole, from run() on."""
    truth = below(oracle.virtual, VIRTUAL_ROOT)
    shaky = unstable_contexts(truth, [below(other.virtual, VIRTUAL_ROOT) for other in others])
    verdict.add("(virtual threads)", compare(truth, below(profile.whole(), VIRTUAL_ROOT), rules, shaky))


def below(tree, method):
    """What the outermost frames of this method called, whoever called them."""
    found = Node()
    pending = [tree]
    while pending:
        for frame, child in pending.pop().children.items():
            if method_name(frame) == method:
                found.add(child)
            else:
                pending.append(child)
    return found


def print_differences(verdict, how_many, out):
    for thread, difference in verdict.differences[:how_many]:
        frames = difference.place.frames()
        names = [method_name(frame) for frame in frames]
        shown = names if len(names) <= 12 else names[:3] + [f"… {len(names) - 9} frames …"] + names[-6:]
        kind = f" (the whole subtree, {difference.contexts:,} contexts)" if difference.contexts > 1 else ""
        out.write(f"  oracle {difference.truth:,}, profile {difference.ours:,}{kind}  [{thread}]\n")
        out.write(f"    {';'.join(shown[:-1])}\n    ;{frames[-1]}\n")
    if len(verdict.differences) > how_many:
        out.write(f"  … and {len(verdict.differences) - how_many:,} more\n")


def print_rules(rules, out):
    """Which rules explained something."""
    for rule in rules.rules:
        if rule.used:
            out.write(f"  explained {rule.used:,} times: {rule.kind} {rule.pattern} ({rule.reason})\n")
