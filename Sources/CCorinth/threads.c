// SPDX-License-Identifier: MIT
//
// Threads of the library's own, and the conditions that the threads of time limits wait for.
//
// A limit must hold while all threads shared by tasks are blocked: one thread waits for the next
// deadline, further threads run blocking work. A mutex guards the state on the core's Swift side.

#include "corinth_internal.h"

#include <signal.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

static pthread_mutex_t limits_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed[CORINTH_LIMIT_GROUPS];

// MARK: - Starting

// All signals but faults of the thread itself, reported by the handlers of the signals.
static sigset_t asynchronous_signals(void) {
  static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  sigset_t signals;
  sigfillset(&signals);
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&signals, faults[i]);
  return signals;
}

// The thread gets default scheduling, not the scheduling of its starter.
bool corinth_thread_start(void *(*body)(void *), void *argument) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  sigset_t signals = asynchronous_signals(), previous;
  pthread_sigmask(SIG_BLOCK, &signals, &previous);
  pthread_t thread;
  int status = pthread_create(&thread, &attributes, body, argument);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  pthread_attr_destroy(&attributes);
  return status == 0;
}

void corinth_thread_set_name(const char *name) {
#if defined(__APPLE__)
  pthread_setname_np(name);
#elif defined(__linux__)
  prctl(PR_SET_NAME, name);
#else
  (void)name;
#endif
}

// MARK: - Waiting

// Waits must not depend on the time of day, which may be set meanwhile.
static void condition_make(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0) corinth_trap("no condition for limits of time");
#if !defined(__APPLE__)
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
  if (pthread_cond_init(condition, &attributes) != 0) corinth_trap("no condition for limits of time");
  pthread_condattr_destroy(&attributes);
}

static void conditions_make(void) {
  for (size_t i = 0; i < CORINTH_LIMIT_GROUPS; i++) condition_make(&changed[i]);
}

void corinth_limits_lock(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, conditions_make);
  corinth_process_initialize();
  corinth_mutex_lock(&limits_mutex);
}

void corinth_limits_unlock(void) { corinth_mutex_unlock(&limits_mutex); }

bool corinth_limits_wait(corinth_limit_group group, uint64_t nanoseconds) {
#if defined(__APPLE__)
  struct timespec time = corinth_timespec(nanoseconds);
  return pthread_cond_timedwait_relative_np(&changed[group], &limits_mutex, &time) == 0;
#else
  struct timespec end = corinth_timespec(corinth_nanoseconds(CLOCK_MONOTONIC) + nanoseconds);
  return pthread_cond_timedwait(&changed[group], &limits_mutex, &end) == 0;
#endif
}

void corinth_limits_wake(corinth_limit_group group) { pthread_cond_signal(&changed[group]); }

// MARK: - Fork

// The waiting threads are gone. New conditions, without destroying the old, which could block.
const corinth_fork_participant corinth_fork_of_limits = {
    .mutex = &limits_mutex, .adapt_child = conditions_make};
