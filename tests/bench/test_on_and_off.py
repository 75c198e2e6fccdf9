import math
import random
import unittest

import bench_tree  # noqa: F401
from measure import on_and_off


class Orders(unittest.TestCase):
    def test_each_order_is_as_frequent_as_the_other(self):
        orders = on_and_off.order_of(12, random.Random(1))
        self.assertEqual([orders.count(order) for order in on_and_off.ORDERS], [6, 6])
        self.assertNotEqual(orders, on_and_off.order_of(12, random.Random(2)))
        self.assertEqual(len(on_and_off.order_of(1, random.Random(1))), 1)

    def test_half_of_the_blocks_of_a_unit_are_on(self):
        for order in on_and_off.ORDERS:
            self.assertEqual((len(order), sum(order)), (4, 2))


class Ratios(unittest.TestCase):
    def test_are_on_over_off(self):
        for order in on_and_off.ORDERS:
            self.assertAlmostEqual(on_and_off.log_ratio(order, [103 if on else 100 for on in order]), math.log(1.03))

    def test_a_steady_drift_changes_nothing(self):
        for order in on_and_off.ORDERS:
            drifting = [100 * 0.9**number * (1.03 if on else 1) for number, on in enumerate(order)]
            self.assertAlmostEqual(on_and_off.log_ratio(order, drifting), math.log(1.03))


if __name__ == "__main__":
    unittest.main()
