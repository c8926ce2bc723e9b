// SPDX-License-Identifier: MIT

#include "CTestSupport.h"

#include <CCorinth.h>
#include <errno.h>
#include <time.h>
#if defined(__linux__)
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static corinth_test_barrier kind;
static uint64_t count;

#if defined(__linux__)
static bool membarrier(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}
#else
static bool membarrier(void) { return false; }
#endif

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool pass(void) {
  __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  switch (kind) {
  case corinth_test_barrier_real: return membarrier();
  case corinth_test_barrier_missing: return true;
  case corinth_test_barrier_failing: return false;
  case corinth_test_barrier_slow: {
    uint64_t end = nanoseconds() + 20000;
    while (nanoseconds() < end) {
    }
    return membarrier();
  }
  }
  return false;
}

void corinth_test_barriers_become(corinth_test_barrier wanted) {
  kind = wanted;
  __atomic_store_n(&count, 0, __ATOMIC_RELAXED);
  corinth_barrier_set_pass(pass);
}

uint64_t corinth_test_barriers(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

bool corinth_test_has_barriers(void) {
  corinth_test_barriers_become(corinth_test_barrier_real);
  corinth_barrier_heavy();
  return corinth_test_barriers() > 0;
}

bool corinth_test_forbid_barriers(void) {
#if defined(__linux__)
  struct sock_filter instructions[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {
      .len = sizeof instructions / sizeof instructions[0], .filter = instructions};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
      && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
#else
  return false;
#endif
}
