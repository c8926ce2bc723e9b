// SPDX-License-Identifier: MIT
//
// The collector: a thread that destroys objects left pending by writers.
//
// A writer destroys the objects it retires, unless a section can still see an object. Such objects
// would wait for the next writer, and a service that registers at start-up only has no next writer.
// A reader cannot help out: every hit would have to check a flag at the end of its section.
//
// The thread exists only while objects are pending that no writer takes care of. The first call
// that leaves objects pending starts the thread. The collector polls at intervals, ends when
// nothing is pending, and holds no mutex while asleep or while destructors run.

#include "corinth_internal.h"

#include <stdlib.h>
#include <time.h>

// The shortest interval exceeds most sections. The longest bounds the cost of a reader that never
// leaves a section: two polls a second.
enum : long {
  first_pause_milliseconds = 10,
  longest_pause_milliseconds = 500,
};

// The number of destructors between two checks of whether the process is ending.
static const size_t batch = 16;

static bool process_is_ending;

static bool is_ending(void) { return __atomic_load_n(&process_is_ending, __ATOMIC_ACQUIRE); }

static void sleep_milliseconds(long milliseconds) {
  const struct timespec pause = {
      .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  nanosleep(&pause, NULL);
}

static void *collect(void *unused) {
  (void)unused;
  corinth_thread_set_name("corinth-reclaim");
  corinth_thread_current()->is_collector = true;
  uint64_t polls = corinth_poll_count();
  for (long pause = first_pause_milliseconds;; pause *= 2) {
    if (pause > longest_pause_milliseconds) pause = longest_pause_milliseconds;
    sleep_milliseconds(pause);
    // While writers poll, writers destroy free objects sooner than this thread would.
    if (polls == corinth_poll_count()) {
      do {
        corinth_reclaim_gather();
      } while (!is_ending() && corinth_reclaim_at_most(batch) > 0);
      if (corinth_collector_may_end()) return NULL;
    }
    polls = corinth_poll_count();
  }
}

// Exit handlers and destructors of static objects follow: no user code may begin beside them.
// Pending objects are not destroyed. Pairs with is_ending.
static void stop_at_exit(void) { __atomic_store_n(&process_is_ending, true, __ATOMIC_RELEASE); }

static void prepare_for_exit(void) {
  if (atexit(stop_at_exit) != 0) corinth_trap("out of memory: no exit handler");
}

bool corinth_collector_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare_for_exit);
  return !is_ending() && corinth_thread_start(collect, NULL);
}
