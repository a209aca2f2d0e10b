/*
 * Starting programs: execve(2) in place of this process, and spawn.
 *
 * Node has many threads, so between clone and exec the child of `spawn` may hold a copy of any lock: it makes bare
 * system calls only, on memory that was prepared before, and never returns. Until it executes the program all signals
 * are blocked in it, because Node's handlers write to a pipe it still shares with its parent.
 */
#include "call.h"
#include "signals.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

enum { FIRST_UNNAMED = 3 };

/* exec resets handlers by itself but leaves ignored signals ignored. Answers the set that was. */
static uint64_t stop_ignoring(void) {
  static const struct kernel_sigaction standard = {.handler = SIG_DFL};
  uint64_t ignored = 0;
  for (int signal = 1; signal <= SIGNALS; signal++) {
    struct kernel_sigaction action;
    if (!signal_action(signal, NULL, &action) || action.handler != SIG_IGN) continue;
    if (signal_action(signal, &standard, NULL)) ignored |= 1ULL << (signal - 1);
  }
  return ignored;
}

static void ignore_again(uint64_t ignored) {
  static const struct kernel_sigaction ignore = {.handler = SIG_IGN};
  for (int signal = 1; signal <= SIGNALS; signal++) {
    if ((ignored >> (signal - 1) & 1) != 0) signal_action(signal, &ignore, NULL);
  }
}

/*
 * What will outlive an exec: 0, 1 and 2, which Node marks close-on-exec when it starts, and the ones named; a named one
 * that is not open fails the whole with EBADF. Remembers how 0, 1 and 2 were marked, -1 for one that is not open.
 */
static bool keep_only(const struct descriptors *keep, int standard[FIRST_UNNAMED]) {
  for (int fd = 0; fd < FIRST_UNNAMED; fd++) {
    standard[fd] = fcntl(fd, F_GETFD);
    if (standard[fd] != -1) (void)fcntl(fd, F_SETFD, 0);
  }
  if (close_range(FIRST_UNNAMED, UINT_MAX, CLOSE_RANGE_CLOEXEC) == -1) return false;
  for (unsigned index = 0; index < keep->count; index++) {
    if (fcntl(keep->items[index], F_SETFD, 0) == -1) return false;
  }
  return true;
}

static void keep_none(const int standard[FIRST_UNNAMED]) {
  (void)close_range(FIRST_UNNAMED, UINT_MAX, CLOSE_RANGE_CLOEXEC);
  for (int fd = 0; fd < FIRST_UNNAMED; fd++) {
    if (standard[fd] != -1) (void)fcntl(fd, F_SETFD, standard[fd]);
  }
}

/* execve(2), or the errno with everything as before. */
static int replace_process(const char *path, const struct strings *argv, const struct strings *environment,
                           const struct descriptors *keep) {
  int standard[FIRST_UNNAMED];
  int error;
  if (keep_only(keep, standard)) {
    uint64_t ignored = stop_ignoring();
    uint64_t mask = signal_mask(0);
    execve(path, argv->items, environment->items);
    error = errno;
    signal_mask(mask);
    ignore_again(ignored);
  } else {
    error = errno;
  }
  keep_none(standard);
  return error;
}

static napi_value execve_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path path;
  struct descriptors keep;
  take_path(&call, &path);
  struct strings argv = take_strings(&call);
  struct strings environment = take_strings(&call);
  take_descriptors(&call, &keep);
  if (!call.refusal && argv.items[0] == NULL) refuse_with(&call, EINVAL);
  if (!call.refusal) refuse_with(&call, replace_process(path.bytes, &argv, &environment, &keep));
  free_strings(&argv);
  free_strings(&environment);
  return refuse(&call);
}

enum stage {
  STAGE_SIGNALS,
  STAGE_DUP,
  STAGE_SETSID,
  STAGE_TERMINAL,
  STAGE_UNSHARE,
  STAGE_SETGROUPS,
  STAGE_UID_MAP,
  STAGE_GID_MAP,
  STAGE_CLOSE_RANGE,
  STAGE_EXECVE,
  STAGES,
};

static const char *const stage_names[STAGES] = {
    [STAGE_SIGNALS] = "rt_sigaction",
    [STAGE_DUP] = "dup2",
    [STAGE_SETSID] = "setsid",
    [STAGE_TERMINAL] = "ioctl TIOCSCTTY",
    [STAGE_UNSHARE] = "unshare",
    [STAGE_SETGROUPS] = "write /proc/self/setgroups",
    [STAGE_UID_MAP] = "write /proc/self/uid_map",
    [STAGE_GID_MAP] = "write /proc/self/gid_map",
    [STAGE_CLOSE_RANGE] = "close_range",
    [STAGE_EXECVE] = "execve",
};

/* What the child sends when it cannot go on: shorter than PIPE_BUF, so it arrives whole or not at all. */
struct failure {
  uint32_t stage;
  int32_t error;
};

struct plan {
  struct path path;
  struct path uid_map;
  struct path gid_map;
  struct strings argv;
  struct strings environment;
  struct descriptors descriptors;
  int namespaces;
  bool terminal;
  int report[2]; /* the pipe of `struct failure` */
};

static _Noreturn void fail(const struct plan *plan, enum stage stage) {
  struct failure failure = {stage, errno};
  /* Should this fail, the parent sees a child that started and ended with 127. */
  ssize_t written = write(plan->report[1], &failure, sizeof failure);
  (void)written;
  _exit(127);
}

static bool write_once(const char *path, const char *bytes, size_t length) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd == -1) return false;
  ssize_t written = write(fd, bytes, length);
  int error = errno;
  (void)close(fd);
  errno = error;
  return written == (ssize_t)length;
}

static bool reset_signals(void) {
  static const struct kernel_sigaction standard = {.handler = SIG_DFL};
  for (int signal = 1; signal <= SIGNALS; signal++) {
    if (signal == SIGKILL || signal == SIGSTOP) continue;
    if (!signal_action(signal, &standard, NULL)) return false;
  }
  return true;
}

/*
 * Puts descriptor i of the list at i. All of them, and the report pipe, are first copied above the numbers they will
 * take, so no order of numbers in the list can overwrite one that is still needed. Before any copy is made every number
 * is looked at: one that was not open could name a copy then, or already an end of our pipe, and the program would get
 * what its caller never had.
 */
static bool place_descriptors(struct plan *plan) {
  int *items = plan->descriptors.items;
  int count = (int)plan->descriptors.count;
  for (int index = 0; index < count; index++) {
    bool ours = items[index] == plan->report[0] || items[index] == plan->report[1];
    if (ours) errno = EBADF;
    if (ours || fcntl(items[index], F_GETFD) == -1) return false;
  }
  int report = fcntl(plan->report[1], F_DUPFD_CLOEXEC, count);
  if (report == -1) return false;
  for (int index = 0; index < count; index++) {
    items[index] = fcntl(items[index], F_DUPFD_CLOEXEC, count);
    if (items[index] == -1) return false;
  }
  plan->report[1] = report;
  for (int index = 0; index < count; index++) {
    if (dup2(items[index], index) == -1) return false;
  }
  return true;
}

static _Noreturn void run_child(struct plan *plan) {
  if (!reset_signals()) fail(plan, STAGE_SIGNALS);
  if (!place_descriptors(plan)) fail(plan, STAGE_DUP);
  if (plan->terminal) {
    /* With no descriptor 0 of its own the child still has ours, until exec. */
    int terminal = plan->descriptors.count > 0 ? STDIN_FILENO : -1;
    if (setsid() == -1) fail(plan, STAGE_SETSID);
    if (ioctl(terminal, TIOCSCTTY, 0) == -1) fail(plan, STAGE_TERMINAL);
  }
  if (plan->namespaces != 0 && unshare(plan->namespaces) == -1) fail(plan, STAGE_UNSHARE);
  if ((plan->namespaces & CLONE_NEWUSER) != 0) {
    static const char deny[] = "deny";
    if (!write_once("/proc/self/setgroups", deny, sizeof deny - 1)) fail(plan, STAGE_SETGROUPS);
    if (!write_once("/proc/self/uid_map", plan->uid_map.bytes, plan->uid_map.length)) fail(plan, STAGE_UID_MAP);
    if (!write_once("/proc/self/gid_map", plan->gid_map.bytes, plan->gid_map.length)) fail(plan, STAGE_GID_MAP);
  }
  if (close_range(plan->descriptors.count, UINT_MAX, CLOSE_RANGE_CLOEXEC) == -1) fail(plan, STAGE_CLOSE_RANGE);
  signal_mask(0);
  execve(plan->path.bytes, plan->argv.items, plan->environment.items);
  fail(plan, STAGE_EXECVE);
}

/* Answers the pid, or -1; the child never returns from here. */
static long clone_child(struct plan *plan, int *pidfd) {
  uint64_t mask = signal_mask(UINT64_MAX);
  /* Not clone3(2): systemd's RestrictNamespaces= answers it with ENOSYS. Without CLONE_VM this is fork(2). */
  long pid = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, pidfd, NULL, NULL);
  if (pid == 0) run_child(plan);
  int error = errno;
  signal_mask(mask);
  errno = error;
  return pid;
}

static napi_value answer_failure(const struct call *call, const struct failure *failure) {
  napi_value object = answer_object(call);
  napi_value stage = NULL;
  napi_create_string_utf8(call->env, stage_names[failure->stage % STAGES], NAPI_AUTO_LENGTH, &stage);
  set_value(call, object, "stage", stage);
  set_number(call, object, "errno", failure->error);
  return object;
}

static napi_value start(const struct call *call, struct plan *plan) {
  if (pipe2(plan->report, O_CLOEXEC) == -1) return answer_error(call, errno);
  int pidfd = -1;
  long pid = clone_child(plan, &pidfd);
  int error = errno;
  (void)close(plan->report[1]);
  if (pid == -1) {
    (void)close(plan->report[0]);
    return answer_error(call, error);
  }
  /* The end of the pipe means that exec closed the child's end, or that the child was killed: `waitid` tells. */
  struct failure failure;
  ssize_t length = RETRY(read(plan->report[0], &failure, sizeof failure));
  (void)close(plan->report[0]);
  if (length == sizeof failure) {
    siginfo_t end;
    (void)RETRY(waitid(P_PIDFD, (id_t)pidfd, &end, WEXITED));
    (void)close(pidfd);
    return answer_failure(call, &failure);
  }
  napi_value object = answer_object(call);
  set_number(call, object, "pid", (double)pid);
  set_number(call, object, "pidfd", pidfd);
  return object;
}

static napi_value spawn(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct plan plan;
  take_path(&call, &plan.path);
  plan.argv = take_strings(&call);
  plan.environment = take_strings(&call);
  take_descriptors(&call, &plan.descriptors);
  plan.terminal = take_boolean(&call);
  plan.namespaces = take_int(&call);
  take_path(&call, &plan.uid_map);
  take_path(&call, &plan.gid_map);
  if (!call.refusal && plan.argv.items[0] == NULL) refuse_with(&call, EINVAL);
  /* Maps without a user namespace would be silently ignored. */
  bool maps = plan.uid_map.length > 0 || plan.gid_map.length > 0;
  if (maps && (plan.namespaces & CLONE_NEWUSER) == 0) refuse_with(&call, EINVAL);
  napi_value value = call.refusal ? refuse(&call) : start(&call, &plan);
  free_strings(&plan.argv);
  free_strings(&plan.environment);
  return value;
}

napi_status define_programs(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("execve", execve_),
      METHOD("spawn", spawn),
  };
  return DEFINE(env, exports, methods);
}
