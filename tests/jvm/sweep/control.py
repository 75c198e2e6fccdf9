"""The negative control: classes broken on purpose, one for each way of being verified, must all be found out."""

from pathlib import Path

from sweep.toolchain import JavaSide, Jdk, run
from sweep.verification import State, Verdicts, compare, verify

EXPECTED = {
    "code-redefined": "VerifyError",
    "code-loaded": "VerifyError",
    "code-jar": "VerifyError",
    "code-inferred": "VerifyError",
    "frames-jar": "VerifyError",
    "frames-fail-over": "fell over to its old verifier",
    "truncated": "ClassFormatError",
}


def check(jdk: Jdk, java: JavaSide, pack: Path, baseline: Verdicts, class_paths: Path) -> list[str]:
    """What is wrong with the verification itself; empty if it can be trusted."""
    broken_pack = pack.with_name("control.pack")
    command = [jdk.tool("java"), "-Xmx2g", "-cp", java.classes, "bursar.sweep.BreakClasses", pack, broken_pack]
    broken: dict[tuple[str, str], str] = {}
    for line in run(command, "breaking classes").splitlines():
        how, origin, name = line.split("\t")
        broken[origin, name] = how
    verdicts = verify(jdk, java, broken_pack, class_paths)
    verdicts = compare({key: baseline[key] for key in verdicts}, verdicts)
    problems = [f"no class is broken by {how}" for how in EXPECTED if how not in broken.values()]
    for key, verdict in verdicts.items():
        how = broken.get(key)
        if how is None:
            if verdict.state is State.FAILED:
                problems.append(f"{key[1]} is not broken, and yet: {verdict.detail}")
        elif verdict.state is not State.FAILED or EXPECTED[how] not in verdict.detail:
            problems.append(f"{key[1]} ({how}) was not found out: {verdict.state.value} {verdict.detail}")
    return problems
