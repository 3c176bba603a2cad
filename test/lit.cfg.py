# How lit runs Mirage's tests. Read by the lit.site.cfg.py that CMake writes into the build folder.
import os
import shutil
import subprocess

import lit.formats

config.name = "Mirage"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.mirage_binary_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.mirage_binary_dir, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
)
config.substitutions += [
    ("%python", config.python),
    ("%programs", os.path.join(config.mirage_source_dir, "utils", "programs")),
    ("%utils", os.path.join(config.mirage_source_dir, "utils")),
    ("%ptxas", config.ptxas),
    # A CUDA driver, and cublasLt, without a GPU: unittests/Runtime/FakeCuda.cpp.
    ("%fake-cuda", config.fake_cuda),
    ("%examples", os.path.join(config.mirage_source_dir, "examples")),
    ("%bench", os.path.join(config.mirage_source_dir, "bench")),
    ("%build", config.mirage_binary_dir),
]
if config.ptxas and not config.ptxas.endswith("-NOTFOUND"):
    config.available_features.add("ptxas")
if config.examples == "ON":
    config.available_features.add("examples")
if config.bench == "ON":
    config.available_features.add("bench")
if shutil.which("dot", path=config.environment["PATH"]):
    config.available_features.add("graphviz")
if shutil.which("clang-format-22", path=config.environment["PATH"]):
    config.available_features.add("clang-format")
if subprocess.run([config.python, "-c", "import triton"], capture_output=True).returncode == 0:
    config.available_features.add("triton")
