// SPDX-License-Identifier: MIT
//
// The collector: a thread that destroys objects that writers have left pending.
//
// A writer destroys the objects that it retires unless a section can still see them. Such objects would wait
// for the next writer, and a service that registers at start-up only has none. A reader cannot help out: each
// hit would have to check a flag when it leaves its section.
//
// The thread exists only while objects are pending that no writer takes care of. The first call that leaves
// objects pending starts it. It polls at intervals, and ends when nothing is pending. It holds no mutex while
// it sleeps, and none while destructors run.

#include "corinth_internal.h"

#include <stdlib.h>
#include <time.h>

// The shortest interval exceeds most sections. The longest bounds the cost of a reader that never leaves its
// section: two polls a second.
enum : long {
  first_pause_milliseconds = 10,
  longest_pause_milliseconds = 500,
};

// The number of destructors that run before the collector checks whether the process is ending.
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
    // While writers poll, they destroy free objects sooner than this thread would.
    if (polls == corinth_poll_count()) {
      do {
        corinth_reclaim_gather();
      } while (!is_ending() && corinth_reclaim_at_most(batch) > 0);
      if (corinth_collector_may_end()) return NULL;
    }
    polls = corinth_poll_count();
  }
}

// Exit handlers and destructors of static objects follow: no user code may begin beside them. Pending objects
// are not destroyed.
static void stop_at_exit(void) { __atomic_store_n(&process_is_ending, true, __ATOMIC_RELEASE); }

static void prepare_for_exit(void) {
  if (atexit(stop_at_exit) != 0) corinth_trap("out of memory: no exit handler");
}

bool corinth_collector_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare_for_exit);
  return !is_ending() && corinth_thread_start(collect, NULL);
}
