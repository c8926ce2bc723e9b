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

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

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

// For debuggers and monitors; 15 characters at most.
static void thread_name(void) {
#if defined(__APPLE__)
  pthread_setname_np("corinth-reclaim");
#elif defined(__linux__)
  prctl(PR_SET_NAME, "corinth-reclaim");
#endif
}

static void *collect(void *unused) {
  (void)unused;
  thread_name();
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

// All signals but those that a fault raises in the thread itself, whose handlers report it.
static sigset_t asynchronous_signals(void) {
  static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  sigset_t signals;
  sigfillset(&signals);
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&signals, faults[i]);
  return signals;
}

// The thread's scheduling is the default one, not that of the writer that started it.
static bool thread_start(void) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  sigset_t signals = asynchronous_signals(), previous;
  pthread_sigmask(SIG_BLOCK, &signals, &previous);
  pthread_t thread;
  int status = pthread_create(&thread, &attributes, collect, NULL);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  pthread_attr_destroy(&attributes);
  return status == 0;
}

bool corinth_collector_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare_for_exit);
  return !is_ending() && thread_start();
}
