package cccp.rewrite;

/**
 * callSiteSlots: the caller also passes the number of its call site, and the callee looks into that slot of the
 * caller's node first; else children are found in a table by method. handover: the node is stored in the thread before
 * calls of code that is not rewritten, so that callbacks are in context; else they hang under the thread's root.
 */
record Options(boolean callSiteSlots, boolean handover) {
    static Options parse(String variant) {
        return switch (variant) {
            case "table" -> new Options(false, true);
            case "table-no-handover" -> new Options(false, false);
            case "sites" -> new Options(true, true);
            default -> throw new IllegalArgumentException("variants: table, table-no-handover, sites; not " + variant);
        };
    }
}
