// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  abort();
}

// A file and not a pipe: the child never blocks on it, however much it writes.
static FILE *error_file_create(void) {
  FILE *file = tmpfile();
  if (file == NULL) fail("corinth_test_fork: tmpfile");
  return file;
}

static char *error_file_read(FILE *file) {
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size < 0) fail("corinth_test_fork: ftell");
  char *text = calloc((size_t)size + 1, 1);
  if (text == NULL) fail("corinth_test_fork: calloc");
  rewind(file);
  if (fread(text, 1, (size_t)size, file) != (size_t)size) fail("corinth_test_fork: fread");
  return text;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// False when the child is still running at the deadline.
static bool child_wait(pid_t pid, double deadline, int *status) {
  const struct timespec pause = {.tv_nsec = 200000};
  while (true) {
    pid_t ended = waitpid(pid, status, WNOHANG);
    if (ended == pid) return true;
    if (ended < 0 && errno != EINTR) fail("corinth_test_fork: waitpid");
    if (seconds_now() > deadline) return false;
    nanosleep(&pause, NULL);
  }
}

static int child_wait_for_ever(pid_t pid) {
  int status;
  while (waitpid(pid, &status, 0) != pid) {
    if (errno != EINTR) fail("corinth_test_fork: waitpid");
  }
  return status;
}

static pid_t fork_or_fail(void) {
  pid_t pid = fork();
  if (pid < 0) fail("corinth_test_fork: fork");
  return pid;
}

corinth_test_outcome corinth_test_fork(
    corinth_test_child child, void *context, unsigned int timeout_milliseconds) {
  FILE *errors = error_file_create();
  pid_t pid = fork_or_fail();
  if (pid == 0) {
    // Ends a hanging child, if the parent ends before it can kill the child.
    alarm(timeout_milliseconds / 1000 + 1);
    dup2(fileno(errors), STDERR_FILENO);
    // A program that ends itself ends by its signal: the handlers of sanitizers exit instead, and
    // that of the Swift runtime starts a debugger, which hangs in a child of a sanitized process
    // and keeps the parent's pipes open.
    signal(SIGILL, SIG_DFL);
    signal(SIGTRAP, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    _exit(child(context));
  }
  int status = 0;
  bool ended = child_wait(pid, seconds_now() + timeout_milliseconds * 1e-3, &status);
  if (!ended) {
    kill(pid, SIGKILL);
    status = child_wait_for_ever(pid);
  }
  corinth_test_outcome outcome = {
      .timed_out = !ended,
      .exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
      .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
      .error_output = error_file_read(errors),
  };
  fclose(errors);
  return outcome;
}

void corinth_test_outcome_destroy(corinth_test_outcome *outcome) {
  free(outcome->error_output);
  outcome->error_output = NULL;
}

int corinth_test_fork_here(void) {
  static const unsigned int patience_seconds = 240;
  pid_t pid = fork_or_fail();
  if (pid == 0) alarm(patience_seconds);
  return pid;
}

int corinth_test_wait(int child) {
  int status = child_wait_for_ever(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
