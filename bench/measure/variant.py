"""A variant: one way to run a workload's JVM, given as NAME=SPEC.

SPEC is split like a shell command line. Where it contains {java}, the words before it are a command that is put in
front of the java command, and those after it are JVM options; without {java}, all of it is JVM options. {out}, anywhere
in a word, is a file name in a temporary folder that is removed after the run; {workload} is the name of the workload.
The baseline is the variant with an empty SPEC.
"""

import hashlib
import os
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

BASELINE = "baseline"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
AGENT_OPTION = re.compile(r"-(?:agentpath|javaagent):([^=]+)(?:=.*)?")


class VariantError(Exception):
    """The specification makes no sense; the message says why."""


@dataclass(frozen=True)
class Variant:
    name: str
    spec: str
    prefix: tuple[str, ...]
    jvm_options: tuple[str, ...]

    def command(self, java: list[str], out: str, workload: str) -> list[str]:
        """`java` is the complete java command, with this variant's options in it."""
        return [word.replace("{out}", out).replace("{workload}", workload) for word in (*self.prefix, *java)]


def parse(text: str) -> Variant:
    name, equals, spec = text.partition("=")
    if not equals or not NAME.fullmatch(name):
        raise VariantError(f"{text!r} is not NAME=SPEC, such as int=-Xint")
    return make(name, spec)


def make(name: str, spec: str) -> Variant:
    try:
        words = shlex.split(spec)
    except ValueError as error:
        raise VariantError(f"variant {name}: {error} in {spec!r}") from error
    if words.count("{java}") > 1:
        raise VariantError(f"variant {name}: {{java}} stands for the java command and can be given once")
    if "{java}" in words:
        cut = words.index("{java}")
        prefix, options = words[:cut], words[cut + 1 :]
    else:
        prefix, options = [], words
    for word in words:
        if unknown := set(re.findall(r"\{[^}]*\}", word)) - {"{java}", "{out}", "{workload}"}:
            raise VariantError(
                f"variant {name}: {sorted(unknown)[0]} in {word!r}; only {{java}} (as a word), {{out}} and {{workload}} are "
                "replaced"
            )
        if "{java}" in word and word != "{java}":
            raise VariantError(f"variant {name}: {{java}} must be a word of its own, not part of {word!r}")
    if not prefix and options and not options[0].startswith(("-", "@")):
        raise VariantError(f"variant {name}: {options[0]!r} is no JVM option; a command needs {{java}} after it")
    if prefix and shutil.which(prefix[0]) is None:
        raise VariantError(f"variant {name}: no such command: {prefix[0]}")
    return Variant(name, spec, tuple(prefix), tuple(options))


def fingerprint(variant: Variant) -> str:
    """Changes when the profiler does: a hash of the files that SPEC names and of the libraries beside its command."""
    files = []
    if variant.prefix:
        command = Path(shutil.which(variant.prefix[0]) or variant.prefix[0]).resolve()
        files += [command, *(sorted(command.parent.glob("*.so")) if "/" in variant.prefix[0] else [])]
    for word in (*variant.prefix[1:], *variant.jvm_options):
        match = AGENT_OPTION.fullmatch(word)
        files.append(Path(match[1] if match else word))
    digest = hashlib.sha256()
    for file in files:
        if os.path.isfile(file):  # unlike Path.is_file, false for any word that is no file name
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
