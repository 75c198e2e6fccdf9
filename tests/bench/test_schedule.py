import unittest

import bench_tree  # noqa: F401
from measure.schedule import Slot, latest, remaining, slots

WORKLOADS = ["fop", "xalan", "javac"]
VARIANTS = ["baseline", "a", "b", "c"]


class Schedule(unittest.TestCase):
    def test_every_round_has_every_pair_once(self):
        planned = list(slots(WORKLOADS, VARIANTS, 4, 1))
        self.assertEqual(len(planned), len(set(planned)))
        self.assertEqual(set(planned), {Slot(r, w, v) for r in (1, 2, 3, 4) for w in WORKLOADS for v in VARIANTS})
        self.assertEqual([slot.round for slot in planned], sorted(slot.round for slot in planned))

    def test_a_workloads_variants_stay_together_in_changing_order(self):
        planned = list(slots(WORKLOADS, VARIANTS, 8, 1))
        orders = set()
        for start in range(0, len(planned), len(VARIANTS)):
            group = planned[start : start + len(VARIANTS)]
            self.assertEqual(len({(slot.round, slot.workload) for slot in group}), 1)
            orders.add(tuple(slot.variant for slot in group))
        self.assertGreater(len(orders), 8)

    def test_the_seed_decides(self):
        self.assertEqual(list(slots(WORKLOADS, VARIANTS, 3, 7)), list(slots(WORKLOADS, VARIANTS, 3, 7)))
        self.assertNotEqual(list(slots(WORKLOADS, VARIANTS, 3, 7)), list(slots(WORKLOADS, VARIANTS, 3, 8)))

    def test_more_rounds_or_workloads_leave_the_others_order_alone(self):
        short = list(slots(WORKLOADS, VARIANTS, 2, 1))
        self.assertEqual(list(slots(WORKLOADS, VARIANTS, 5, 1))[: len(short)], short)
        of_fop = [slot for slot in short if slot.workload == "fop"]
        self.assertEqual([slot for slot in slots(["fop"], VARIANTS, 2, 1)], of_fop)

    def test_what_is_done_is_left_out(self):
        planned = list(slots(WORKLOADS, VARIANTS, 2, 1))
        done = {slot: {} for slot in planned[:5]}
        self.assertEqual(list(remaining(planned, done, set())), planned[5:])

    def test_failed_cells_are_not_tried_again_and_a_failed_baseline_ends_its_workload(self):
        planned = list(slots(WORKLOADS, VARIANTS, 2, 1))
        left = list(remaining(planned, {}, {("fop", "a"), ("xalan", "baseline")}))
        expected = [s for s in planned if s.workload != "xalan" and (s.workload, s.variant) != ("fop", "a")]
        self.assertEqual(left, expected)

    def test_a_failure_met_on_the_way_counts_at_once(self):
        planned = list(slots(["fop"], ["baseline", "a"], 3, 1))
        failed: set[tuple[str, str]] = set()
        taken = []
        for slot in remaining(planned, {}, failed):
            taken.append(slot)
            if slot.variant == "a":
                failed.add(("fop", "a"))
        self.assertEqual([slot.round for slot in taken if slot.variant == "a"], [1])
        self.assertEqual(len(taken), 4)

    def test_a_later_run_of_a_slot_replaces_the_earlier_one(self):
        run = {"round": 1, "workload": "fop", "variant": "a"}
        self.assertEqual(latest([run | {"n": 1}, run | {"n": 2}]), {Slot(1, "fop", "a"): run | {"n": 2}})


if __name__ == "__main__":
    unittest.main()
