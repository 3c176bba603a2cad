"""The command line of the programs that a frontend exports (torch_modules.py, jax_functions.py)."""
import argparse
import os


class Exports(dict):
    """By name, functions that make a program of sizes. A size is given twice, as it is and for tests: `n(4096, 8)`."""

    def program(self, make):
        self[make.__name__] = make
        return make

    def run(self, description, export):
        """`export` makes the text of what one of the functions returns."""
        parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("names", nargs="+")
        parser.add_argument("--to")
        parser.add_argument("--small", action="store_true")
        arguments = parser.parse_args()
        if arguments.names == ["list"]:
            for name, make in self.items():
                print(f"{name:18} {make.__doc__}")
            return
        names = list(self) if arguments.names == ["all"] else arguments.names
        for unknown in [name for name in names if name not in self]:
            parser.error(f"there is no program '{unknown}'")
        if arguments.to:
            os.makedirs(arguments.to, exist_ok=True)
        for i, name in enumerate(names):
            text = export(name, self[name](lambda full, small: small if arguments.small else full))
            if arguments.to:
                with open(os.path.join(arguments.to, f"{name}.mlir"), "w") as file:
                    file.write(text)
            else:
                print(("// -----\n\n" if i else "") + text)
