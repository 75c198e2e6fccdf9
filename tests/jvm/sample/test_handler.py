"""The signal handler calls nothing that allocates, locks or formats: by the code that was built."""

import collections
import re
import subprocess
import unittest

from runs import AGENT

# All that it may ask of others. None of them takes a lock or allocates; clocks and process ids are the kernel's.
ALLOWED = {"__errno_location", "clock_gettime", "getpid", "memcpy", "memmove", "sigaction", "syscall"}
# What it calls through pointers: AsyncGetCallTrace, GetEnv, and the second handler from the first.
CALLERS_BY_POINTER = ("on_signal(int", "walk_stack(", "ActivationWalker::walk", "SampleMode::walk")
ENTRIES = ("(anonymous namespace)::on_signal(int, siginfo_t*, void*)",
           "(anonymous namespace)::on_signal(unsigned long, void*)")


def functions(library):
    """By name: what each calls or jumps to, and whether it calls through pointers."""
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", library], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    calls, by_pointer, name = collections.defaultdict(set), set(), None
    for line in text.splitlines():
        if head := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            name = head[1]
            calls[name] = set()
        elif jump := re.match(r"^\s+[0-9a-f]+:\s+(?:bnd )?(?:call|jmp|j[a-z]+)\s+(.*)$", line):
            if target := re.match(r"^[0-9a-f]+ <(.*?)(?:\+0x[0-9a-f]+)?>$", jump[1]):
                if target[1] != name:
                    calls[name].add(target[1])
            else:
                by_pointer.add(name)
    return calls, by_pointer


class HandlerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.calls, cls.by_pointer = functions(AGENT)

    def reached(self, entries):
        seen, left = set(), [name for name in self.calls if name.endswith(entries)]
        self.assertEqual(len(left), len(entries), left)
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            if not name.endswith("@plt"):
                self.assertIn(name, self.calls)
                left += self.calls[name]
        return seen

    def test_it_calls_nothing_that_allocates_locks_or_formats(self):
        reached = self.reached(ENTRIES)
        self.assertTrue(any("SeenStacks::look" in name for name in reached), "the walk is part of it")
        foreign = {name.removesuffix("@plt") for name in reached if name.endswith("@plt")}
        self.assertEqual(foreign - ALLOWED, set())
        own = {name for name in reached if not name.endswith("@plt")}
        self.assertEqual([name for name in own if "bursar::" not in name and not name.startswith("std::")], [])
        self.assertEqual([name for name in own & self.by_pointer if not any(part in name for part in CALLERS_BY_POINTER)],
                         [])

    def test_the_test_would_notice(self):
        foreign = {name for name in self.reached(("::SampleMode::drain(JNIEnv_*)",)) if name.endswith("@plt")}
        self.assertTrue(any("pthread_mutex_lock" in name for name in foreign), foreign)


if __name__ == "__main__":
    unittest.main()
