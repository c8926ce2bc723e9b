// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <CCorinth.h>

void corinth_test_image_becomes_later(void) { corinth_image_number = 1; }

bool corinth_test_thread_is_attached(void) { return corinth_thread_attached != NULL; }
