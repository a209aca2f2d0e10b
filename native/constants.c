#include "call.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#define CONSTANT(name)                                                                                                 \
  {                                                                                                                    \
    #name, (double)(name)                                                                                              \
  }

static const struct {
  const char *name;
  double value;
} constants[] = {
    CONSTANT(AT_EMPTY_PATH),
    CONSTANT(AT_FDCWD),
    CONSTANT(AT_RECURSIVE),
    CONSTANT(AT_REMOVEDIR),
    CONSTANT(AT_SYMLINK_NOFOLLOW),
    CONSTANT(CLD_DUMPED),
    CONSTANT(CLD_EXITED),
    CONSTANT(CLD_KILLED),
    CONSTANT(CLONE_NEWCGROUP),
    CONSTANT(CLONE_NEWIPC),
    CONSTANT(CLONE_NEWNET),
    CONSTANT(CLONE_NEWNS),
    CONSTANT(CLONE_NEWPID),
    CONSTANT(CLONE_NEWUSER),
    CONSTANT(CLONE_NEWUTS),
    CONSTANT(CLOSE_RANGE_CLOEXEC),
    CONSTANT(F_SEAL_GROW),
    CONSTANT(F_SEAL_SEAL),
    CONSTANT(F_SEAL_SHRINK),
    CONSTANT(MNT_DETACH),
    CONSTANT(MOUNT_ATTR_NODEV),
    CONSTANT(MOUNT_ATTR_NOEXEC),
    CONSTANT(MOUNT_ATTR_NOSUID),
    CONSTANT(MOUNT_ATTR_RDONLY),
    CONSTANT(MS_BIND),
    CONSTANT(MS_NODEV),
    CONSTANT(MS_NOEXEC),
    CONSTANT(MS_NOSUID),
    CONSTANT(MS_PRIVATE),
    CONSTANT(MS_RDONLY),
    CONSTANT(MS_REC),
    CONSTANT(MS_REMOUNT),
    CONSTANT(O_PATH),
    CONSTANT(POLLHUP),
    CONSTANT(POLLIN),
    CONSTANT(POLLOUT),
    CONSTANT(POLLRDHUP),
    CONSTANT(PR_GET_CHILD_SUBREAPER),
    CONSTANT(PR_GET_DUMPABLE),
    CONSTANT(PR_GET_NO_NEW_PRIVS),
    CONSTANT(PR_GET_PDEATHSIG),
    CONSTANT(PR_SET_CHILD_SUBREAPER),
    CONSTANT(PR_SET_DUMPABLE),
    CONSTANT(PR_SET_NO_NEW_PRIVS),
    CONSTANT(PR_SET_PDEATHSIG),
    CONSTANT(P_ALL),
    CONSTANT(P_PID),
    CONSTANT(P_PIDFD),
    CONSTANT(RENAME_EXCHANGE),
    CONSTANT(RENAME_NOREPLACE),
    CONSTANT(SEEK_DATA),
    CONSTANT(SEEK_HOLE),
    CONSTANT(SOCK_DGRAM),
    CONSTANT(SOCK_STREAM),
    CONSTANT(UTIME_NOW),
    CONSTANT(UTIME_OMIT),
    CONSTANT(WEXITED),
    CONSTANT(WNOHANG),
    CONSTANT(WNOWAIT),
    CONSTANT(XATTR_CREATE),
    CONSTANT(XATTR_REPLACE),
};

static napi_value errno_name(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int error = take_int(&call);
  if (call.refusal) return refuse(&call);
  const char *text = strerrorname_np(error);
  napi_value name = NULL;
  if (text != NULL) napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &name);
  return name;
}

napi_status define_constants(napi_env env, napi_value exports) {
  napi_value object;
  napi_status status = napi_create_object(env, &object);
  for (size_t index = 0; status == napi_ok && index < sizeof constants / sizeof constants[0]; index++) {
    napi_value value;
    status = napi_create_double(env, constants[index].value, &value);
    if (status == napi_ok) status = napi_set_named_property(env, object, constants[index].name, value);
  }
  if (status == napi_ok) status = napi_object_freeze(env, object);
  if (status == napi_ok) status = napi_set_named_property(env, exports, "constants", object);
  static const napi_property_descriptor methods[] = {METHOD("errnoName", errno_name)};
  return status == napi_ok ? DEFINE(env, exports, methods) : status;
}
