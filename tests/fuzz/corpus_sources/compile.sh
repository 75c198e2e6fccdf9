#!/bin/sh
# Makes the class files of corpus/classfile from these sources: three versions of the format, with and without debug
# tables. Run it again when a source changes; the classes that no compiler makes come from make_class_corpus.cpp.
set -eu
sources=$(cd "$(dirname "$0")" && pwd)
corpus=$sources/../corpus/classfile
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() { # prefix, options
    prefix=$1
    shift
    rm -rf "$work/out"
    mkdir "$work/out"
    javac -nowarn -Xlint:none -d "$work/out" "$@"
    find "$work/out" -name '*.class' | while read -r class; do
        cp "$class" "$corpus/$prefix-$(basename "$class")"
    done
}

rm -f "$corpus"/java*.class "$corpus"/module*.class
cd "$sources"
old="Loops.java Switches.java ManyLocals.java"
# shellcheck disable=SC2086
compile java7 -g:none --release 7 $old
compile java8 -g:lines --release 8 Switches.java Constructors.java
compile java17 -g --release 17 ./*.java
compile module -g --release 17 module/module-info.java module/corpus/Exported.java
