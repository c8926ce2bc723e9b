# SPDX-License-Identifier: MIT
#
# make bench          set up, build (two minutes), and run the main benchmarks (one); fails when a row is far beyond its limit
# make test           set up, and run all tests
# make test-quick     the tests of the core and of its API: two minutes after the build
# make assumptions    the tests of the assumptions about the Swift runtime and libck (design note 27): seconds after the build
# make format         format all sources in place
# make tsan, asan     the tests under ThreadSanitizer, AddressSanitizer with LeakSanitizer
# make random-graphs  random graphs of services, as many as GRAPHS says, from SEED, for each of PROFILES
# make arm64          the C target for arm64: compiled, and a stress of it under emulation, with both versions of libck
# make histories      histories of threads on one container, as many as HISTORIES says, from SEED
# make accounts       programs on containers whose instances are all accounted for, as many as ACCOUNTS says, from SEED
# make dialect-histories  random programs on each compatibility module beside a model of its library, as many as PROGRAMS says, from SEED
# make dialect-mutations  mutations of the compatibility modules, each of which the programs must find
# make model          the Promela models of the cells of scopes, and their mutations (spin)
# make instructions   instruction counts of operations against their budgets; fails when one is missed
# make debug-costs    instructions of the commonest calls in a debug build, beside a dictionary of closures with a lock
# make counts         retains, releases, allocations and locked instructions of operations, and what threads share (LINES=yes: where)
# make overrides      the p99 of requests beside overrides; time, waiting objects and system calls of a million overrides
# make scale          memory of many things; cache misses of hits at random keys; instructions of each key in twelve processes
# make walk           calls, functions, files and changes of layer of three kinds of first resolves (LINES=yes: which)
# make compile-time   compile time and text of registrations and factories against their budgets
# make footprint      what a user's release build pays for each module: processor time, and bytes of a stripped program
# make chart          draw the tables of the guide Performance
# make diagrams       the diagrams of the manual
# make page           the page that draws a graph, in a headless browser
# make docs           the documentation, warnings are errors
# make lint           formatting
# make hooks          have git refuse commit subjects of more than 72 characters in this clone
# make rooms          the layers of Sources/Corinth, the arrows between them, and where unsafe stands
# make twins          duplicates: functions of the core that differ only in await, four at most
# make house          the size of the core, the ways through it, what its types are spread over: nothing grows beyond its limit
# make prose          pronouns and subjects of comments and pages: no folder becomes harder to read; heads of design notes; columns of comments
# make api            the public interface beside its checked-in listing
# make evolution      compile Corinth with library evolution, as a binary framework is
# make plugins        a plugin that shares its host's container, with one copy of Corinth, and with two
# make dependent      the README's first sample, and the page Getting started, in packages that depend on this one
# make diagnostics    what the compiler says to clients, beside golden texts; the glue in the manual
# make astroject      the samples of the Astroject document over its compatibility module, beside golden texts

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help set-up bench test assumptions test-quick format tsan asan random-graphs arm64 histories accounts dialect-histories dialect-mutations model instructions debug-costs counts overrides scale walk compile-time footprint chart diagrams page docs lint hooks rooms twins house prose api evolution plugins dependent diagnostics astroject clean

# CORINTH_STRESS sizes the stress tests; see Tests/Support/TestSupport/StressSize.swift. CORINTH_HANG_LIMIT says after how many
# seconds a test counts as hanging; see HangLimit.swift beside it.
# SWIFT_FLAGS adds to every build, for example -Xswiftc -warnings-as-errors.
SWIFT_FLAGS ?=
# What random-graphs runs.
GRAPHS ?= 100000
SEED ?= 1
PROFILES ?= clean acyclic no-after-init sync async mixed chaos crossing closing composition composition-closing named-scopes named-scopes-closing watched watched-closing stubborn
# The sanitizer under which it runs them: thread, address, or none.
SANITIZE ?=
# What histories runs.
HISTORIES ?= 500000
# What accounts runs.
ACCOUNTS ?= 100000
# What dialect-histories runs for each compatibility module.
PROGRAMS ?= 200000
# Where benchmark results go.
RESULTS ?= .build/results

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

set-up:
	@Scripts/set-up

bench: set-up
	@mkdir -p $(RESULTS)
	for program in Resolve Lifetimes Graph; do \
	  swift build -c release --product $${program}Benchmark $(SWIFT_FLAGS); \
	done
	.build/release/ResolveBenchmark --json $(RESULTS)/resolve.json | tee $(RESULTS)/resolve.txt
	.build/release/LifetimesBenchmark --json $(RESULTS)/lifetimes.json | tee $(RESULTS)/lifetimes.txt
	.build/release/GraphBenchmark --json $(RESULTS)/graph.json | tee $(RESULTS)/graph.txt
	@echo; for part in resolve lifetimes graph; do sed -n '/^In short/,$$p' $(RESULTS)/$$part.txt; done
	@! grep -q '^  Missed' $(RESULTS)/resolve.txt $(RESULTS)/lifetimes.txt

test: set-up
	swift build --build-tests $(SWIFT_FLAGS)
	Scripts/run-tests
	@echo "All tests passed. Known issues are failures that the tests of CorinthTesting provoke."

assumptions: set-up
	swift build --build-tests $(SWIFT_FLAGS)
	swift test --skip-build --filter AssumptionTests

# In parts: SwiftPM passes the names of the chosen tests as one argument, and the system limits its length.
test-quick: set-up
	swift build --build-tests $(SWIFT_FLAGS)
	for tests in 'CCorinthTests' 'CorinthTests\.[A-G]' 'CorinthTests\.[H-Q]' 'CorinthTests\.[R-Z]'; do \
	  swift test --skip-build --filter "^$$tests" >.build/test-quick.log 2>&1 || \
	    { grep -aE "error: " .build/test-quick.log; exit 1; }; \
	  grep -aE "Executed [0-9]+ tests" .build/test-quick.log | tail -1; \
	done

# The C functions that are inlined into Swift are compiled by Swift's importer, which has to be told
# about the sanitizer on its own. A fork holds the writer locks of all containers that are alive, and the sanitizer's search
# for lock inversions stops the process at 128 of them: random-graphs searches for those.
TSAN_FLAGS = --sanitize=thread --scratch-path .build/tsan -Xcc -fsanitize=thread $(SWIFT_FLAGS)

# The tests and the programs that they run: no snippet, no benchmark.
tsan: set-up
	for product in corinthPackageTests RandomGraphRun DialectHistoryRun BlockedServiceRun; do \
	  swift build --product $$product $(TSAN_FLAGS); \
	done
	TSAN_OPTIONS="halt_on_error=0 exitcode=66 detect_deadlocks=0 suppressions=$(CURDIR)/Scripts/tsan-suppressions.txt" \
	Scripts/run-tests $(TSAN_FLAGS)

FIND_LEAKS = ASAN_OPTIONS="detect_leaks=1" LSAN_OPTIONS="suppressions=Scripts/lsan-suppressions.txt"

# XCTest keeps its test cases until the end, which LeakSanitizer takes for leaks: leaks are looked for in
# the snippets and in the graph benchmark.
asan: set-up
	ASAN_OPTIONS="detect_leaks=0" \
	swift test --sanitize=address --scratch-path .build/asan $(SWIFT_FLAGS)
	for snippet in Snippets/*.swift; do \
	  $(FIND_LEAKS) .build/asan/debug/$$(basename $$snippet .swift) >/dev/null; \
	done
	$(FIND_LEAKS) .build/asan/debug/ModularShopRun >/dev/null
	$(FIND_LEAKS) .build/asan/debug/DialectsTogether >/dev/null
	swift build -c release --sanitize=address --scratch-path .build/asan --product GraphBenchmark $(SWIFT_FLAGS)
	$(FIND_LEAKS) .build/asan/release/GraphBenchmark --seconds 3

GRAPH_FLAGS_thread := --sanitize=thread -Xcc -fsanitize=thread --scratch-path .build/tsan
GRAPH_FLAGS_address := --sanitize=address --scratch-path .build/asan
GRAPH_PATH := .build$(if $(SANITIZE),/$(if $(filter thread,$(SANITIZE)),tsan,asan))/release

random-graphs: set-up
	swift build -c release --product RandomGraphRun $(GRAPH_FLAGS_$(SANITIZE)) $(SWIFT_FLAGS)
	for profile in $(PROFILES); do \
	  TSAN_OPTIONS="halt_on_error=0 exitcode=66 suppressions=$(CURDIR)/Scripts/tsan-suppressions.txt" \
	  ASAN_OPTIONS="detect_leaks=1" LSAN_OPTIONS="suppressions=$(CURDIR)/Scripts/lsan-suppressions.txt" \
	  $(GRAPH_PATH)/RandomGraphRun --count $(GRAPHS) --seed $(SEED) --profile $$profile; \
	done

# CK_PREFIX names another copy of libck for arm64.
arm64:
	@Scripts/check-arm64-test
	@Scripts/check-arm64

histories: set-up
	swift build -c release --product HistoryRun $(SWIFT_FLAGS)
	.build/release/HistoryRun --count $(HISTORIES) --seed $(SEED)

accounts: set-up
	swift build -c release --product AccountRun $(SWIFT_FLAGS)
	.build/release/AccountRun --count $(ACCOUNTS) --seed $(SEED)

dialect-histories: set-up
	swift build -c release --product DialectHistoryRun $(SWIFT_FLAGS)
	.build/release/DialectHistoryRun --count $(PROGRAMS) --seed $(SEED)

dialect-mutations: set-up
	@Scripts/require-apt-package python3 "makes the mutations" command -v python3
	Scripts/check-dialect-histories

model:
	@Scripts/require-apt-package spin "checks models of threads" command -v spin
	@Scripts/check-models

instructions: set-up
	@Scripts/require-apt-package valgrind "counts instructions" command -v valgrind
	@Scripts/require-apt-package binutils "strips debug information" command -v strip
	@mkdir -p $(RESULTS)
	swift build -c release --product InstructionsBenchmark $(SWIFT_FLAGS)
	.build/release/InstructionsBenchmark --strict --json $(RESULTS)/instructions.json

debug-costs: set-up
	@Scripts/require-apt-package valgrind "counts instructions" command -v valgrind
	@Scripts/require-apt-package binutils "strips debug information" command -v strip
	swift build --product InstructionsBenchmark $(SWIFT_FLAGS)
	.build/debug/InstructionsBenchmark --debug-costs

# LINES=yes lists who writes the lines that threads share. OPERATIONS names rows, each in quotation marks; all without.
LINES ?=
OPERATIONS ?=
counts: set-up
	@Scripts/require-apt-package valgrind "traces memory" command -v valgrind
	@Scripts/require-apt-package binutils "reads symbols" command -v nm
	@Scripts/require-apt-package python3 "reads the trace" command -v python3
	@Scripts/count-operations-test
	swift build -c release --product InstructionsBenchmark $(SWIFT_FLAGS)
	@mkdir -p $(RESULTS)
	Scripts/count-operations .build/release/InstructionsBenchmark $(if $(LINES),--lines) $(OPERATIONS) | tee $(RESULTS)/counts.txt

overrides: set-up
	@Scripts/require-apt-package strace "counts system calls" command -v strace
	@mkdir -p $(RESULTS)
	swift build -c release --product OverridesBenchmark $(SWIFT_FLAGS)
	.build/release/OverridesBenchmark --json $(RESULTS)/overrides.json

scale: set-up
	@Scripts/require-apt-package valgrind "simulates caches" command -v valgrind
	@Scripts/require-apt-package binutils "strips debug information" command -v strip
	@mkdir -p $(RESULTS)
	swift build -c release --product ScaleBenchmark $(SWIFT_FLAGS)
	.build/release/ScaleBenchmark --json $(RESULTS)/scale.json

# The code of a release build, with all calls that its sources have.
walk: set-up
	@Scripts/require-apt-package valgrind "counts calls" command -v valgrind
	@Scripts/require-apt-package binutils "finds the files of functions" command -v addr2line
	@Scripts/require-apt-package python3 "reads the calls" command -v python3
	swift build -c release --product Walk --scratch-path .build/walk -Xswiftc -Onone -Xcc -O0 $(SWIFT_FLAGS)
	Scripts/count-walk .build/walk/release/Walk $(if $(LINES),--list)

compile-time: set-up
	@Scripts/require-apt-package binutils "measures object files" command -v size
	@mkdir -p $(RESULTS)
	swift build -c release --product CompileTimeBenchmark $(SWIFT_FLAGS)
	.build/release/CompileTimeBenchmark --json $(RESULTS)/compile-time.json

footprint: set-up
	@Scripts/require-apt-package binutils "strips and measures programs" command -v strip
	@Scripts/require-apt-package python3 "measures builds" command -v python3
	Scripts/measure-footprint

chart:
	Scripts/draw-charts

diagrams:
	Scripts/draw-diagrams

page:
	@Scripts/require-apt-package python3 "drives the browser" command -v python3
	Scripts/check-graph-page

docs: set-up
	@Scripts/require-apt-package python3 "orders the landing page" command -v python3
	Scripts/build-documentation

FORMATTED := Package.swift Sources Tests Benchmarks Snippets \
  Examples/Orders/Package.swift Examples/Orders/Sources Examples/Orders/Tests

format:
	swift format --in-place --recursive --parallel $(FORMATTED)

lint:
	swift format lint --strict --recursive --parallel $(FORMATTED)
	Scripts/build-graph-page --check
	@Scripts/check-hooks-test

hooks:
	git config core.hooksPath Scripts/hooks

rooms:
	@Scripts/require-apt-package python3 "reads the sources" command -v python3
	@Scripts/check-rooms-test
	@Scripts/check-rooms

twins:
	@Scripts/require-apt-package python3 "reads the sources" command -v python3
	@Scripts/check-twins-test
	@Scripts/check-twins

house:
	@Scripts/require-apt-package python3 "reads the sources" command -v python3
	@Scripts/check-house-test
	@Scripts/check-house

prose:
	@Scripts/require-apt-package python3 "reads the sources" command -v python3
	@Scripts/check-prose-test
	@Scripts/check-prose

api:
	@Scripts/require-apt-package python3 "reads the sources" command -v python3
	@Scripts/check-api

evolution: set-up
	swift build --target Corinth --scratch-path .build/evolution -Xswiftc -enable-library-evolution $(SWIFT_FLAGS)

plugins: set-up
	swift build --product Corinth $(SWIFT_FLAGS)
	swift build --product CorinthDynamic $(SWIFT_FLAGS)
	swift build --product CorinthTestingDynamic $(SWIFT_FLAGS)
	Scripts/check-plugins

dependent: set-up
	@Scripts/require-apt-package binutils "reads what a program is linked with" command -v readelf
	@Scripts/require-apt-package python3 "reads the guide" command -v python3
	Scripts/check-dependent

diagnostics: set-up
	swift build --target Corinth $(SWIFT_FLAGS)
	Scripts/check-diagnostics
	Scripts/check-service-glue
	Scripts/check-guide-samples

astroject: set-up
	swift build --target AstrojectDialect $(SWIFT_FLAGS)
	Scripts/check-astroject-document

clean:
	rm -rf .build
