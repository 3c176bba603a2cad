# The two commands of the README. Everything else goes through CMake's presets: see CONTRIBUTING.md.
.PHONY: all demo check bundle deps configure build docs clean

JOBS ?= $(shell nproc)
BUILD := build
OUT ?= demo-out

all: build

# Installs what is missing of the Debian packages, and nothing when all are there.
deps:
	@utils/install-deps.sh

configure: deps
	@cmake --preset release -DMIRAGE_INCLUDE_TESTS=ON

build: configure
	@cmake --build --preset release -j $(JOBS)

# RMSNorm + Linear at LLaMA-2-7B's size, batch 8, from linalg to a verified kernel that has run.
demo: deps
	@test -f $(BUILD)/build.ninja || cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target mirage-opt mirage-run
	@mkdir -p $(OUT)
	@python3 utils/programs/linalg_programs.py rmsnorm 8 > $(OUT)/rmsnorm.mlir
	@$(BUILD)/bin/mirage-run $(OUT)/rmsnorm.mlir --backend=host --check --seed=1 --explain \
	  --ptx=$(OUT)/rmsnorm.ptx --report=$(OUT)/report.json

# All tests: GoogleTest and lit, each test one of ctest's.
check: build
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

# One archive with mirage-run and the programs for a machine with a GPU and nothing else installed.
bundle: deps
	@utils/make-bundle.sh

# The reference pages of docs/reference, from the .td files.
docs: deps
	@utils/generate-docs.sh

clean:
	rm -rf $(BUILD) $(OUT)
