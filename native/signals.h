/*
 * Signal dispositions and masks by the bare system calls: the C library's own wrappers keep two signals for themselves,
 * and these must also be safe in a child between fork and exec.
 */
#ifndef CORTEXFS_SIGNALS_H
#define CORTEXFS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Signals 1 to 64; in a set, signal n is bit n - 1. */
enum { SIGNALS = 64 };

struct kernel_sigaction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

static inline bool signal_action(int signal, const struct kernel_sigaction *action, struct kernel_sigaction *old) {
  return syscall(SYS_rt_sigaction, signal, action, old, sizeof action->mask) == 0;
}

static inline uint64_t signal_mask(uint64_t mask) {
  uint64_t old = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &old, sizeof mask);
  return old;
}

#endif
