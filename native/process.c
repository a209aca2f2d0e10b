/* This process and the ends of its children. Starting programs is in program.c. */
#include "call.h"

#include <linux/close_range.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

/* Only the options listed: for most others the argument is an address, which JavaScript must never choose. */
static napi_value prctl_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int option = take_int(&call);
  unsigned long argument = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  int value = 0;
  switch (option) {
    case PR_GET_DUMPABLE:
    case PR_SET_DUMPABLE:
    case PR_GET_NO_NEW_PRIVS:
    case PR_SET_NO_NEW_PRIVS:
    case PR_SET_CHILD_SUBREAPER:
    case PR_SET_PDEATHSIG:
      return answer(&call, prctl(option, argument, 0UL, 0UL, 0UL));
    case PR_GET_CHILD_SUBREAPER:
    case PR_GET_PDEATHSIG:
      if (prctl(option, &value, 0UL, 0UL, 0UL) == -1) return answer_error(&call, errno);
      return answer_number(&call, value);
    default:
      return answer_error(&call, EINVAL);
  }
}

static napi_value close_range_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  unsigned first = take_unsigned(&call);
  unsigned last = take_unsigned(&call);
  int flags = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, close_range(first, last, flags));
}

static napi_value unshare_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int flags = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, unshare(flags));
}

static napi_value waitid_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  unsigned type = take_unsigned(&call);
  unsigned id = take_unsigned(&call);
  int options = take_int(&call);
  if (call.refusal) return refuse(&call);
  siginfo_t end = {0}; /* with WNOHANG the kernel leaves si_pid as it was when no child has ended */
  if (RETRY(waitid((idtype_t)type, id, &end, options)) == -1) return answer_error(&call, errno);
  if (end.si_pid == 0) return NULL;
  napi_value object = answer_object(&call);
  set_number(&call, object, "pid", end.si_pid);
  set_number(&call, object, "code", end.si_code);
  set_number(&call, object, "status", end.si_status);
  return object;
}

static napi_value monotonic_millis(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) == -1) return answer_error(&call, errno);
  return answer_number(&call, (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6);
}

napi_status define_processes(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("prctl", prctl_),   METHOD("closeRange", close_range_),
      METHOD("unshare", unshare_), METHOD("waitid", waitid_),
      METHOD("monotonicMillis", monotonic_millis),
  };
  return DEFINE(env, exports, methods);
}
