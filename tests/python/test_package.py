#!/usr/bin/env python3
"""Tests of the type stubs and of the notebook of examples/."""
import ast
import inspect
import json
import pathlib
import re
import unittest

import threefold
from support import REPOSITORY


class Stubs(unittest.TestCase):
    def test_and_docstrings_name_everything(self):
        stub = pathlib.Path(threefold.__file__).with_name("_engine.pyi").read_text()
        named = {node.name for node in ast.walk(ast.parse(stub)) if hasattr(node, "name")}
        for name in threefold.__all__:
            value = getattr(threefold, name)
            if name == "__version__":
                continue
            self.assertTrue(value.__doc__, name)
            if isinstance(value, type) and value.__module__ == "threefold._engine":
                self.assertIn(name, named)
                for part in vars(value):
                    if not part.startswith("_"):
                        self.assertIn(part, named)
        self.assertTrue(pathlib.Path(threefold.__file__).with_name("py.typed").exists())

    def test_name_the_arguments_of_calls_with_many(self):
        stub = pathlib.Path(threefold.__file__).with_name("_engine.pyi").read_text()
        arguments = {node.name: [each.arg for each in node.args.args] for node in ast.parse(stub).body
                     if isinstance(node, ast.FunctionDef)}
        self.assertEqual(arguments["render"], ["file", "mesh", "name", "z_up", "as_is", "views", "seed", "size",
                                               "points", "azimuth", "elevation", "distance"])
        self.assertEqual(arguments["fit"],
                         ["result", "sample", "views", "surface", "colour", "vertices", "threads"])
        self.assertEqual(arguments["distances"], ["mesh", "truth", "signed"])
        self.assertEqual(arguments["nearest"], ["queries", "reference"])
        self.assertEqual(arguments["emd"], ["first", "second"])
        self.assertEqual(arguments["compare"], ["first", "second", "protocol", "page"])


    def test_have_the_defaults_that_the_page_of_the_module_gives(self):
        rows = re.findall(r"^\| `(\w+)(\(.*=.*\))` \|", (REPOSITORY / "docs/PYTHON.md").read_text("utf-8"), re.M)
        self.assertGreater(len(rows), 6)
        for name, arguments in rows:
            value = getattr(threefold, name)
            names = {}
            exec(f"def described{arguments}: pass", names)  # noqa: S102
            described = inspect.signature(names["described"])
            given = [each.replace(annotation=each.empty) for each in inspect.signature(value).parameters.values()]
            self.assertEqual(given, list(described.parameters.values()), name)


class Notebook(unittest.TestCase):
    def test_runs(self):
        notebook = json.loads((REPOSITORY / "examples/reconstruct.ipynb").read_text())
        names = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)  # noqa: S102
                self.assertEqual(cell["outputs"], [])
        self.assertEqual(names["result"].refined.shape, (2466, 3))


if __name__ == "__main__":
    unittest.main()
