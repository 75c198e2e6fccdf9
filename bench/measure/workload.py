"""The workloads of bench/workloads: names, checksums, java commands. The script `run` there is the authority."""

import hashlib
import os
import re
import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "workloads"


class WorkloadError(Exception):
    """The workloads cannot be run as asked; the message says why."""


def names() -> list[str]:
    return re.findall(r"^([a-z0-9-]+):", (FOLDER / "classpath.txt").read_text(), re.MULTILINE)


def java_command(
    workload: str, harness_options: list[str], jvm_options: list[str], iterations: int, jdk: str | None
) -> list[str]:
    environment = dict(os.environ) | ({"BENCH_JDK": jdk} if jdk else {})
    argv = [str(FOLDER / "run"), "--print", workload, str(iterations), *harness_options, "--", *jvm_options]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise WorkloadError(done.stderr.strip())
    return done.stdout.splitlines()


def jdk_version(java: str) -> str:
    """Of the JDK that `java`, a path to its launcher, belongs to."""
    release = Path(java).parent.parent / "release"
    try:
        match = re.search(r'^JAVA_RUNTIME_VERSION="(.*)"', release.read_text(), re.MULTILINE)
    except OSError as error:
        raise WorkloadError(f"{release}: {error.strerror}; is this a JDK?") from error
    if not match:
        raise WorkloadError(f"{release} does not say which version it is")
    return match[1]


def checksums() -> dict[str, str]:
    """Those known for default seed and threads, for the JDK that checksums_jdk() names."""
    text = (FOLDER / "checksums.txt").read_text()
    return dict(re.findall(r"^([a-z0-9-]+) ([0-9a-f]{16})$", text, re.MULTILINE))


def checksums_jdk() -> str:
    """Major version: some checksums are of what the JDK's own compiler or class library produces."""
    match = re.search(r"\bopenjdk-(\d+)-jdk-headless=", (FOLDER / "checksums.txt").read_text())
    return match[1] if match else ""


def sources_hash() -> str:
    """Changes when the harness or a workload does."""
    digest = hashlib.sha256()
    for file in sorted([FOLDER / "classpath.txt", *(FOLDER / "src").rglob("*")]):
        if file.is_file():
            digest.update(file.relative_to(FOLDER).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]
