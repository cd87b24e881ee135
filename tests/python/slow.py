"""Runs the tests that are marked slow, and no others: the quick ones are a test of their own."""
import os
import sys
import unittest


def each(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from each(item)
        else:
            yield item


os.environ["KLINGEL_SLOW"] = "1"
found = unittest.defaultTestLoader.discover(os.path.dirname(os.path.abspath(__file__)))
# what could not be imported has no mark, and must not be lost
wanted = unittest.TestSuite(
    test for test in each(found)
    if isinstance(test, unittest.loader._FailedTest)
    or hasattr(getattr(test, test._testMethodName), "is_slow"))
if not wanted.countTestCases():
    sys.exit("no test is marked slow")
sys.exit(not unittest.TextTestRunner(verbosity=2).run(wanted).wasSuccessful())
