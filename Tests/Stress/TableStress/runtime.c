// SPDX-License-Identifier: MIT
//
// The functions of the Swift runtime that the core calls. The stress has no Swift objects, so that
// no call is right.

#include <CCorinth.h>
#include <stdlib.h>

#define REFUSE(name) \
  do { \
    corinth_standard_error_write(name " was called, and no Swift object exists"); \
    abort(); \
  } while (0)

void *swift_tryRetain(void *object) {
  (void)object;
  REFUSE("swift_tryRetain");
}

void *swift_retain(void *object) {
  (void)object;
  REFUSE("swift_retain");
}

void *swift_retain_n(void *object, uint32_t count) {
  (void)object, (void)count;
  REFUSE("swift_retain_n");
}

void swift_release(void *object) {
  (void)object;
  REFUSE("swift_release");
}

void swift_release_n(void *object, uint32_t count) {
  (void)object, (void)count;
  REFUSE("swift_release_n");
}

bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  (void)object;
  REFUSE("swift_isUniquelyReferenced_nonNull_native");
}
