"""The file of finished runs: JSON lines, the first with the settings, then one for each JVM run.

Invariant: every line but perhaps the last is complete. A last line without its newline is that of a writer which was
killed; it is cut off when the file is opened for writing. One writer at a time (flock). Runs with other settings are
refused.
"""

import fcntl
import json
import os
from pathlib import Path
from typing import Any

FORMAT = 1
ALWAYS = {"round", "workload", "variant", "failure", "process_wall_s", "other_cpu_s"}
WHEN_MEASURED = {"checksum", "warm_after", "cpu_ms", "wall_ms", "process_cpu_s", "max_rss_kb"}


class ResultsError(Exception):
    """The file cannot be used; the message says why and what to do."""


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Settings and runs of an existing file, without changing it."""
    try:
        settings, runs, _ = _parse(path, path.read_bytes())
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from error
    if settings is None:
        raise ResultsError(f"{path} is empty")
    return settings, runs


class ResultsFile:
    """Open for appending; continues an existing file with equal settings."""

    def __init__(self, path: Path, settings: dict[str, Any]):
        self.path = path
        self.runs: list[dict[str, Any]] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            self._continue(settings)
        except BaseException:
            os.close(self._fd)
            raise

    def _continue(self, settings: dict[str, Any]) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ResultsError(f"{self.path} is being written by another bench/slowdown") from error
        found, self.runs, complete_bytes = _parse(self.path, self.path.read_bytes())
        if found is not None:
            if differences := _differences(found, settings):
                raise ResultsError(
                    f"{self.path} holds runs with other settings, and the two must not be mixed:\n"
                    + "".join(f"  {line}\n" for line in differences)
                    + "Give another --out, or remove the file."
                )
        os.ftruncate(self._fd, complete_bytes)
        if found is None:
            self._write({"format": FORMAT, "settings": settings})

    def append(self, run: dict[str, Any]) -> None:
        self._write(run)
        self.runs.append(run)

    def _write(self, value: dict[str, Any]) -> None:
        os.write(self._fd, (json.dumps(value) + "\n").encode())
        os.fsync(self._fd)

    def close(self) -> None:
        os.close(self._fd)

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _parse(path: Path, data: bytes) -> tuple[dict[str, Any] | None, list[dict[str, Any]], int]:
    """Settings (None if the file has no complete line), runs, and the length of the complete lines in bytes."""
    complete = data[: data.rfind(b"\n") + 1]
    values = []
    for number, line in enumerate(complete.splitlines(), 1):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise ResultsError(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(value, dict):
            raise ResultsError(f"{path}, line {number}: not an object")
        values.append(value)
    if not values:
        return None, [], 0
    header = values[0]
    if header.get("format") != FORMAT or not isinstance(header.get("settings"), dict):
        raise ResultsError(f"{path}, line 1: not a results file of this version of bench/slowdown (format {FORMAT})")
    for number, run in enumerate(values[1:], 2):
        needed = ALWAYS if run.get("failure") else ALWAYS | WHEN_MEASURED
        if missing := needed - run.keys():
            raise ResultsError(f"{path}, line {number}: a run without {', '.join(sorted(missing))}")
    return header["settings"], values[1:], len(complete)


def _differences(old: Any, new: Any, name: str = "") -> list[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        names = list(dict.fromkeys([*old, *new]))
        prefix = f"{name}." if name else ""
        return [line for key in names for line in _differences(old.get(key), new.get(key), prefix + key)]
    return [] if old == new else [f"{name}: {_shown(old)} in the file, {_shown(new)} now"]


def _shown(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value)
