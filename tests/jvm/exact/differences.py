"""Where two context trees differ, and which of that the rules explain."""

from truth_tree import Node, method_name

NOTHING = Node()


class Place:
    """A context as its frame and the place of its caller: costs nothing however deep it lies."""

    __slots__ = ("caller", "frame")

    def __init__(self, caller, frame):
        self.caller = caller
        self.frame = frame

    def frames(self):
        """From the root on."""
        found = []
        place = self
        while place is not None:
            found.append(place.frame)
            place = place.caller
        return found[::-1]

    def last_names(self, how_many):
        names = []
        place = self
        while place is not None and len(names) < how_many:
            names.append(method_name(place.frame))
            place = place.caller
        return names[::-1]


class Difference:
    """One context, or a whole subtree that one side has not."""

    def __init__(self, place, truth, ours, contexts=1):
        self.place = place
        self.truth = truth
        self.ours = ours
        self.contexts = contexts

    def size(self):
        return abs(self.truth - self.ours)


class Comparison:
    def __init__(self):
        self.contexts = 0  # compared
        self.calls = 0  # of the truth, in those
        self.differences = []
        self.unstable = 0  # differences in contexts that two runs of the oracle do not agree on either


def spliced(tree, rules):
    if not any(rule.kind == "splice" for rule in rules.rules):
        return tree

    def projection(frame):
        rule = rules.find("splice", frame)
        if rule is None:
            return frame
        rule.used += 1
        return None

    return tree.without(projection)


def compare(truth, ours, rules, unstable=NOTHING):
    """`unstable`: a tree whose nodes with calls mark the contexts that are not expected to agree."""
    result = Comparison()
    pending = [(spliced(truth, rules), spliced(ours, rules), unstable, None, None)]
    while pending:
        its, mine, shaky, caller, leaf = pending.pop()
        for frame in its.children.keys() | mine.children.keys():
            true_child = its.children.get(frame, NOTHING)
            our_child = mine.children.get(frame, NOTHING)
            shaky_child = shaky.children.get(frame, NOTHING)
            place = Place(caller, frame)
            if rule := rules.find_skip(place):
                rule.used += 1
                continue
            if rules.leaves_out(frame):
                pending.append((true_child, our_child, shaky_child, place, leaf))
                continue
            result.contexts += 1
            result.calls += true_child.calls
            if true_child.calls != our_child.calls:
                if rule := rules.find("blind", frame):
                    rule.used += 1
                elif leaf is not None and our_child.calls < true_child.calls:
                    leaf.used += 1
                elif shaky_child.calls > 0:
                    result.unstable += 1
                elif true_child is NOTHING or our_child is NOTHING:
                    result.differences.append(one_sided_difference(place, true_child, our_child))
                    continue
                else:
                    result.differences.append(Difference(place, true_child.calls, our_child.calls))
            pending.append((true_child, our_child, shaky_child, place, rules.find("leaf", frame) or leaf))
    result.differences.sort(key=Difference.size, reverse=True)
    return result


def one_sided_difference(place, true_child, our_child):
    contexts, truth = true_child.size_and_calls()
    our_contexts, ours = our_child.size_and_calls()
    return Difference(place, truth, ours, contexts if our_child is NOTHING else our_contexts)


def unstable_contexts(one, others):
    """The contexts that runs of the oracle do not agree on, as a tree."""
    marks = Node()
    pending = [(one, other, marks) for other in others]
    while pending:
        its, mine, mark = pending.pop()
        for frame in its.children.keys() | mine.children.keys():
            left = its.children.get(frame, NOTHING)
            right = mine.children.get(frame, NOTHING)
            below = mark.child(frame)
            if left.calls != right.calls:
                below.calls = 1
            pending.append((left, right, below))
    return marks
