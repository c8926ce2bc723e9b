// SPDX-License-Identifier: MIT

// Defined by TestSupport, see RunningTests.swift.
void corinth_test_observe(void);

__attribute__((constructor)) static void observe_tests(void) { corinth_test_observe(); }
