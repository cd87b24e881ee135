"""Types and texts of the package: stubs say what the compiled module has, and everything is documented."""
import ast
import inspect
import os
import re
import unittest

import klingel
from klingel import _klingel

STUB = os.path.join(os.path.dirname(klingel.__file__), "_klingel.pyi")
# what Python itself gives a class
OWN = {"__doc__", "__module__", "__annotations__", "__weakref__", "__dict__", "__qualname__", "__firstlineno__"}


def public(names):
    return {n for n in names if not n.startswith("_")}


def arguments_of(text):
    """Names of the arguments in the first line of a docstring of pybind11; None if there is no such line."""
    match = re.match(r"\w+\((.*)\) -> ", text or "")
    if not match:
        return None
    depth, parts = 0, [""]
    for c in match[1]:
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.split(":")[0].strip() for p in parts if p.strip()]


class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(STUB, encoding="utf-8") as file:
            cls.tree = ast.parse(file.read()).body
        cls.classes = {c.name: c for c in cls.tree if isinstance(c, ast.ClassDef)}
        cls.functions = {f.name: f for f in cls.tree if isinstance(f, ast.FunctionDef)}

    def check_arguments(self, stub, found, where):
        names = arguments_of(found.__doc__)
        if names is None:  # several overloads
            return
        wanted = [a.arg for a in stub.args.args]
        self.assertEqual(len(wanted), len(names), where)
        for mine, theirs in zip(wanted, names):
            if not re.fullmatch(r"arg\d+|self", theirs):
                self.assertEqual(mine, theirs, where)

    def test_the_module_has_what_the_stub_says_and_no_more(self):
        values = {n.target.id for n in self.tree if isinstance(n, ast.AnnAssign)}
        self.assertEqual(public(dir(_klingel)), public({*self.classes, *self.functions, *values}))
        for name, stub in self.functions.items():
            self.check_arguments(stub, getattr(_klingel, name), name)

    def test_classes_have_the_members_that_the_stub_says(self):
        for name, stub in self.classes.items():
            found = vars(getattr(_klingel, name))
            members = {f.name: f for f in stub.body if isinstance(f, ast.FunctionDef)}
            fields = {f.target.id for f in stub.body if isinstance(f, ast.AnnAssign)}
            self.assertEqual(public({*members, *fields}), public(found), name)
            for member, said in members.items():
                is_property = any(getattr(d, "id", "") == "property" for d in said.decorator_list)
                self.assertEqual(is_property, isinstance(found.get(member), property), f"{name}.{member}")
                if not is_property and member in found and member not in OWN:
                    self.check_arguments(said, found[member], f"{name}.{member}")
            for field in fields:  # what can be written to
                self.assertIsNotNone(found[field].fset, f"{name}.{field}")


class Package(unittest.TestCase):
    @staticmethod
    def things():
        """Functions, classes and their public methods and properties, by name."""
        for module, names in ((klingel, klingel.__all__), (klingel.symbolic, klingel.symbolic.__all__),
                              (klingel.plot, ["channels", "study", "heat_map", "front", "save"])):
            for name in names:
                thing = getattr(module, name)
                if inspect.ismodule(thing):
                    continue
                yield f"{module.__name__}.{name}", thing
                if inspect.isclass(thing):
                    for member, value in vars(thing).items():
                        if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                            yield f"{module.__name__}.{name}.{member}", value

    def test_everything_has_a_text(self):
        for name, thing in self.things():
            self.assertTrue((thing.__doc__ or "").strip(), name)

    def test_functions_have_types(self):
        for name, thing in self.things():
            if not inspect.isfunction(thing):
                continue
            signature = inspect.signature(thing)
            for parameter in signature.parameters.values():
                if parameter.name != "self":
                    self.assertIsNot(parameter.annotation, inspect.Parameter.empty, f"{name}: {parameter}")
            self.assertIsNot(signature.return_annotation, inspect.Signature.empty, name)


if __name__ == "__main__":
    unittest.main()
