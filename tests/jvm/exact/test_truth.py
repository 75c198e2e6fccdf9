"""The comparison itself: it must find what differs, and explain no more than its rules say."""

import io
import unittest

from differences import compare, unstable_contexts
from expectations import failures, read_expectations
from rules import Rules
from truth_tree import Node, normalised, read_folded, read_tree_json, write_folded

TRUTH = ["a.A.main() 1", "a.A.main();a.A.f(I)V 3", "a.A.main();a.A.f(I)V;java.lang.Math.max(II)I 9", "a.A.main();a.A.g() 2"]


def tree(lines):
    return read_folded(lines)


def rules(*lines, marked=frozenset()):
    found = Rules(marked=marked)
    for line in lines:
        found.add("here", line)
    return found


def differing(truth, ours, known=None):
    found = compare(tree(truth), tree(ours), known or rules()).differences
    return [(difference.place.frames()[-1], difference.truth, difference.ours) for difference in found]


class Comparing(unittest.TestCase):
    def test_equal_trees_have_no_difference(self):
        self.assertEqual(differing(TRUTH, TRUTH[::-1]), [])

    def test_another_count_is_found(self):
        self.assertEqual(differing(TRUTH, TRUTH[:3] + ["a.A.main();a.A.g() 5"]), [("a.A.g()", 2, 5)])

    def test_another_descriptor_is_another_context(self):
        self.assertEqual(sorted(differing(TRUTH, TRUTH[:3] + ["a.A.main();a.A.g()V 2"])), [("a.A.g()", 2, 0), ("a.A.g()V", 0, 2)])

    def test_a_call_in_the_wrong_context_is_found_on_both_sides(self):
        moved = TRUTH[:2] + ["a.A.main();java.lang.Math.max(II)I 9", TRUTH[3]]
        self.assertEqual(sorted(differing(TRUTH, moved)), [("java.lang.Math.max(II)I", 0, 9), ("java.lang.Math.max(II)I", 9, 0)])

    def test_a_missing_subtree_is_one_difference(self):
        self.assertEqual(differing(TRUTH, [TRUTH[0], TRUTH[3]]), [("a.A.f(I)V", 12, 0)])


class Explaining(unittest.TestCase):
    def test_below_a_leaf_less_is_accepted_and_more_is_not(self):
        leaf = rules("leaf a.A.f # why")
        self.assertEqual(differing(TRUTH, TRUTH[:2] + TRUTH[3:], leaf), [])
        more = TRUTH[:2] + [TRUTH[2].replace(" 9", " 10"), TRUTH[3]]
        self.assertEqual(differing(TRUTH, more, leaf), [("java.lang.Math.max(II)I", 9, 10)])

    def test_the_leaf_itself_must_agree(self):
        self.assertEqual(differing(TRUTH, [TRUTH[0], TRUTH[1].replace(" 3", " 2"), *TRUTH[2:]], rules("leaf a.A.f # why")),
                         [("a.A.f(I)V", 3, 2)])

    def test_marked_methods_are_leaves_unless_shown(self):
        ours = TRUTH[:2] + TRUTH[3:]
        marked = frozenset(["a.A.f(I)V"])
        self.assertEqual(differing(TRUTH, ours, rules("leaf @IntrinsicCandidate # why", marked=marked)), [])
        shown = rules("leaf @IntrinsicCandidate # why", "shown a.A.* # why", marked=marked)
        self.assertEqual(len(differing(TRUTH, ours, shown)), 1)

    def test_a_blind_spot_hides_that_method_alone(self):
        ours = TRUTH[:2] + [TRUTH[2].replace(" 9", " 8"), TRUTH[3]]
        self.assertEqual(differing(TRUTH, ours, rules("blind java.lang.Math.max # why")), [])
        self.assertEqual(differing(TRUTH, ours, rules("blind java.lang.Math.max(DD)D # why")), [("java.lang.Math.max(II)I", 9, 8)])

    def test_a_spliced_frame_hands_its_calls_to_its_caller(self):
        ours = TRUTH[:3] + ["a.A.main();a.Glue.x() 7", "a.A.main();a.Glue.x();a.A.g() 2"]
        self.assertEqual(differing(TRUTH, ours, rules("splice a.Glue.x # why")), [])

    def test_skip_of_several_frames_needs_all_of_them(self):
        ours = TRUTH[:2] + TRUTH[3:]
        self.assertEqual(differing(TRUTH, ours, rules("skip a.A.f;java.lang.Math.* # why")), [])
        self.assertEqual(len(differing(TRUTH, ours, rules("skip a.A.g;java.lang.Math.* # why"))), 1)

    def test_only_what_is_named_is_compared(self):
        self.assertEqual(differing(TRUTH, TRUTH[:2] + TRUTH[3:], rules("only a.* # why")), [])
        self.assertEqual(differing(TRUTH, TRUTH[:3] + ["a.A.main();a.A.g() 5"], rules("only a.* # why")), [("a.A.g()", 2, 5)])

    def test_contexts_that_differ_between_runs_of_the_oracle_are_counted_apart(self):
        second = tree(TRUTH[:3] + ["a.A.main();a.A.g() 4"])
        ours = tree([TRUTH[0], TRUTH[1].replace(" 3", " 2"), TRUTH[2], "a.A.main();a.A.g() 5"])
        found = compare(tree(TRUTH), ours, rules(), unstable_contexts(tree(TRUTH), [second]))
        self.assertEqual(found.unstable, 1)
        self.assertEqual([difference.truth for difference in found.differences], [3])

    def test_a_rule_without_a_reason_is_refused(self):
        with self.assertRaises(ValueError):
            rules("skip a.A.f")


class Reading(unittest.TestCase):
    def test_names_of_generated_classes_lose_their_numbers(self):
        for name, expected in {
                "a.B$$Lambda$14/0x0000000800c03000": "a.B$$Lambda", "a.B$$Lambda.0x0000000800c03000": "a.B$$Lambda",
                "java.lang.invoke.LambdaForm$MH/0x00ab": "java.lang.invoke.LambdaForm$MH", "jdk.proxy2.$Proxy17": "jdk.proxy.$Proxy",
                "jdk.internal.reflect.GeneratedMethodAccessor9": "jdk.internal.reflect.GeneratedMethodAccessor",
                "a.B$1": "a.B$1", "a.Proxy2": "a.Proxy2", "a.B2": "a.B2"}.items():
            self.assertEqual(normalised(name), expected)

    def test_the_tree_that_bursar_prints(self):
        lines = ['{"metric": "calls",', '"contexts": [', '{"depth":0,"method":"a.A.main","descriptor":"()V","own":1,"subtree":4},',
                 '{"depth":1,"method":"a.A.f","own":3,"subtree":3},', '{"depth":0,"method":"a.B.run","own":2,"subtree":2}', "]}"]
        out = io.StringIO()
        write_folded(read_tree_json(lines), out)
        self.assertEqual(out.getvalue(), "a.A.main 1\na.A.main;a.A.f 3\na.B.run 2\n")

    def test_a_tree_of_any_depth(self):
        deep = Node()
        node = deep
        for _ in range(20_000):
            node = node.child("a.A.f()")
            node.calls = 1
        self.assertEqual(compare(deep, deep, rules()).contexts, 20_000)
        self.assertEqual(deep.size_and_calls(), (20_000 + 1, 20_000))


class Expecting(unittest.TestCase):
    def test_contexts_with_that_end_are_summed_up(self):
        expected = read_expectations("// expect 9 a.A.f;java.lang.Math.max\n  // expect >=2 a.A.g\nexpect 12 a.A.main;a.A.*")
        self.assertEqual([(str(e), found) for e, found in failures(expected, tree(TRUTH))], [("12 a.A.main;a.A.*", 5)])


if __name__ == "__main__":
    unittest.main()
