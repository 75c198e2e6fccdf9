module bursar.corpus {
    exports corpus;
    uses java.lang.Runnable;
}
