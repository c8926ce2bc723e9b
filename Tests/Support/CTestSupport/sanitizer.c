// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

corinth_test_sanitizer corinth_test_sanitizer_in_use(void) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return corinth_test_sanitizer_thread;
#elif __has_feature(address_sanitizer)
  return corinth_test_sanitizer_address;
#endif
#endif
  return corinth_test_sanitizer_none;
}
