"""Programs of this folder, compiled, and run twice: as they are, and under `bursar record`.

BURSAR in the environment names the command; libbursar.so lies beside it. BURSAR_SLOW=1 asks for everything, BURSAR_MODE for
another mode than exact, with the options in BURSAR_OPTIONS.
"""

import atexit
import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from sweep.toolchain import find_jdks  # noqa: E402

BURSAR = pathlib.Path(os.environ["BURSAR"]).resolve()
AGENT = BURSAR.parent / "libbursar.so"
MODE = os.environ.get("BURSAR_MODE", "exact")
OPTIONS = os.environ.get("BURSAR_OPTIONS", "").split()
SLOW = os.environ.get("BURSAR_SLOW") == "1"
NEWEST_JDK = 25
JDKS = [jdk for jdk in find_jdks() if jdk.feature <= NEWEST_JDK]
OLDEST = JDKS[0]
# Removed by hand once compiled, so that programs find them missing.
REMOVED = ["MissingClass.class"]


@dataclass(frozen=True)
class Outcome:
    status: int
    out: bytes
    err: bytes

    def __str__(self):
        return f"exit status {self.status}\n{self.out.decode(errors='replace')}\n{self.err.decode(errors='replace')}"


@functools.cache
def scratch():
    """A folder of this run, removed at its end."""
    folder = tempfile.TemporaryDirectory(prefix="bursar-transparency-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name).resolve()


@functools.cache
def classes(debug="-g"):
    """The compiled programs; `-g:none` leaves out the names of locals and lines."""
    folder = scratch() / f"classes{debug.replace(':', '-')}"
    sources = sorted((HERE / "programs").glob("*.java"))
    subprocess.run([OLDEST.tool("javac"), "-nowarn", "-XDignore.symbol.file", "-Xlint:none", debug, "-d", folder, *sources],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for name in REMOVED:
        (folder / name).unlink()
    return folder


def environment():
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JAVA_", "JDK_", "BURSAR"))}
    return {**kept, "LC_ALL": "C.UTF-8"}


def launcher(jdk):
    """Without UsePerfData: JVMs that start at the same time may lock each other's hsperfdata file, and say so on stdout."""
    return [jdk.tool("java"), "-XX:-UsePerfData"]


def recording(output, *options):
    return [BURSAR, "record", "--mode", MODE, *OPTIONS, "--quiet", "-o", output, *options, "--"]


def start(command, folder, **more):
    return subprocess.Popen([str(word) for word in command], cwd=folder, env=environment(), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def finish(process, given=None):
    out, err = process.communicate(given, timeout=120)
    # A shell, and `record`, say 128 + N for signal N.
    status = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return Outcome(status, out, err)


class TransparencyCase(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=scratch())
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.profile = self.folder / "profile.bursar"

    def run_both(self, command, given=None):
        """The command as it is and recorded, at the same time, each in a folder of its own."""
        stdin = subprocess.DEVNULL if given is None else subprocess.PIPE
        running = []
        for name, words in (("plain", command), ("recorded", [*recording(self.profile, "--force"), *command])):
            (self.folder / name).mkdir(exist_ok=True)
            running.append(start(words, self.folder / name, stdin=stdin))
        return [finish(process, given) for process in running]

    def assert_same(self, plain, recorded, status=0):
        self.assertEqual(plain.status, status, f"the program itself: {plain}")
        self.assertEqual(recorded.out.decode(errors="replace"), plain.out.decode(errors="replace"))
        self.assertEqual(recorded.err.decode(errors="replace"), plain.err.decode(errors="replace"))
        self.assertEqual(recorded.status, plain.status)

    def assert_profile(self, *names):
        """A sound profile, with these in it, and nothing of ours."""
        subprocess.run([BURSAR, "validate", self.profile], check=True, stdout=subprocess.DEVNULL)
        missing = set(names)
        for line in self.folded():
            missing -= {name for name in missing if name in line}
            self.assertNotIn("bursar", line.lower())
        self.assertEqual(missing, set())

    def folded(self):
        """Line by line: deep recursion makes long ones."""
        command = [BURSAR, "export", self.profile, "--format", "folded"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as export:
            yield from export.stdout
        self.assertEqual(export.returncode, 0)

    def java(self, jdk, *words, folder=None):
        return [*launcher(jdk), "-cp", folder or classes(), *words]


def each_jdk(test):
    """The test once for each JDK."""
    return _for_jdks(JDKS, test)


def each_jdk_if_slow(test):
    """The test on the oldest JDK; on all of them if there is time."""
    return _for_jdks(JDKS if SLOW else [OLDEST], test)


def _for_jdks(jdks, test):
    @functools.wraps(test)
    def run(self):
        for jdk in jdks:
            with self.subTest(jdk=jdk.version):
                test(self, jdk)

    return run
