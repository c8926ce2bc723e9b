// SPDX-License-Identifier: MIT

#include "scale.h"

#if defined(__linux__)
#include <malloc.h>

size_t scale_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
size_t scale_heap_bytes(void) { return 0; }
#endif

__attribute__((noinline)) void scale_mark(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void scale_end(void) { __asm__ volatile("nop" ::: "memory"); }

#if defined(__linux__) && defined(__x86_64__)
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// The tracer finds the addresses of the marks in two registers.
__attribute__((noinline)) void scale_begin(void) {
  __asm__ volatile("int3" ::"a"(scale_mark), "d"(scale_end) : "memory");
}

// Lets the program run until the next stop. False when the program has ended.
static bool resume(pid_t program, int request, int signal, int *status) {
  return ptrace(request, program, NULL, (void *)(intptr_t)signal) == 0 &&
         waitpid(program, status, 0) == program && WIFSTOPPED(*status);
}

// The signal for a stopped program that goes on: a signal of the program, but none of the tracing.
static int own_signal(int status) {
  int signal = WSTOPSIG(status);
  return signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
}

long scale_count(char *const arguments[], uint32_t *counts, size_t capacity) {
  pid_t program = fork();
  if (program == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) execv(arguments[0], arguments);
    _exit(127);
  }
  int status = 0;
  // The first stop is that of execv.
  if (program < 0 || waitpid(program, &status, 0) != program || !WIFSTOPPED(status)) return -1;
  do {
    if (!resume(program, PTRACE_CONT, own_signal(status), &status)) return -1;
  } while (WSTOPSIG(status) != SIGTRAP);

  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, program, NULL, &registers) != 0) return -1;
  uint64_t mark = registers.rax, end = registers.rdx;
  size_t marks = 0;
  uint32_t steps = 0;
  while (true) {
    if (!resume(program, PTRACE_SINGLESTEP, own_signal(status), &status)) return -1;
    steps++;
    uint64_t place = (uint64_t)ptrace(
        PTRACE_PEEKUSER, program, (void *)offsetof(struct user, regs.rip), NULL);
    if (place == end) break;
    if (place != mark) continue;
    if (marks > 0 && marks <= capacity) counts[marks - 1] = steps;
    marks++;
    steps = 0;
  }
  if (ptrace(PTRACE_DETACH, program, NULL, NULL) != 0) return -1;
  if (waitpid(program, &status, 0) != program || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return marks == 0 ? 0 : (long)marks - 1;
}
#else
void scale_begin(void) {}
long scale_count(char *const arguments[], uint32_t *counts, size_t capacity) { return -1; }
#endif
