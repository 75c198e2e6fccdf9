# make demo       install what is needed, build, profile a real program, show the result
# make test       install what is needed, build, run all tests
# make build      the command and the agent: build/release/bursar, build/release/libbursar.so
# make install PREFIX=/usr/local
# make lint       a build with warnings as errors, formatting, static checks
# make fuzz       fuzz every parser, FUZZ_SECONDS each (default: an hour in all)
# make sanitize   the unit tests under the address, undefined-behaviour and thread sanitizers
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 1200
FUZZ_TEST_SECONDS ?= 20

.PHONY: build demo test install lint fuzz sanitize clean
.DEFAULT_GOAL := build

define build_preset
cmake --preset $(1) > build-$(1).log || { cat build-$(1).log; exit 1; }
@rm -f build-$(1).log
cmake --build --preset $(1) $(2)
endef

build:
	@tools/install_packages build test
	$(call build_preset,release)

demo:
	@tools/install_packages build test workloads
	$(call build_preset,release)
	@bench/workloads/setup
	@tools/demo

test:
	@tools/install_packages build test lint workloads
	$(call build_preset,release)
	$(call build_preset,fuzz)
	@bench/workloads/setup
	FUZZ_SECONDS=$(FUZZ_TEST_SECONDS) ctest --preset fuzz
	ctest --preset release

install: build
	cmake --install build/release --prefix $(PREFIX)

lint:
	@tools/install_packages build test lint
	$(call build_preset,dev)
	@tools/lint

fuzz:
	@tools/install_packages build test
	$(call build_preset,fuzz)
	FUZZ_SECONDS=$(FUZZ_SECONDS) ctest --preset fuzz --verbose --parallel 2

sanitize:
	@tools/install_packages build test
	$(call build_preset,asan-ubsan)
	ctest --preset asan-ubsan -L unit
	$(call build_preset,tsan)
	ctest --preset tsan -L unit

clean:
	rm -rf build
