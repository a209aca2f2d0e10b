/* Who is at the other end of a connected Unix socket, and what a pidfd says of its process. */
#include "call.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/* The first published size of `struct pidfd_info` (<linux/pidfd.h>, Linux 6.13): every kernel with the call takes it. */
struct pidfd_info_first {
  uint64_t mask;
  uint64_t cgroupid;
  uint32_t pid;
  uint32_t tgid;
  uint32_t ppid;
  uint32_t ruid;
  uint32_t rgid;
  uint32_t euid;
  uint32_t egid;
  uint32_t suid;
  uint32_t sgid;
  uint32_t fsuid;
  uint32_t fsgid;
  uint32_t spare;
};
_Static_assert(sizeof(struct pidfd_info_first) == 64, "PIDFD_INFO_SIZE_VER0");

static const uint64_t INFO_CREDS = 1 << 1;
static const uint64_t INFO_CGROUPID = 1 << 2;
#define GET_INFO _IOWR(0xFF, 11, struct pidfd_info_first)

static napi_value peer_credentials(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == -1) return answer_error(&call, errno);
  napi_value object = answer_object(&call);
  set_number(&call, object, "pid", peer.pid);
  set_number(&call, object, "uid", peer.uid);
  set_number(&call, object, "gid", peer.gid);
  return object;
}

static napi_value answer_groups(const struct call *call, const gid_t *groups, size_t size) {
  napi_value buffer = NULL;
  napi_value array = NULL;
  void *copy = NULL;
  if (napi_create_arraybuffer(call->env, size, &copy, &buffer) != napi_ok) return NULL;
  if (size > 0) memcpy(copy, groups, size);
  napi_create_typedarray(call->env, napi_uint32_array, size / sizeof *groups, buffer, 0, &array);
  return array;
}

static napi_value peer_groups(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  unsigned most = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  gid_t few[64];
  socklen_t size = sizeof few;
  int few_fit = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, few, &size) == 0;
  if (!few_fit && errno != ERANGE) return answer_error(&call, errno);
  if (size / sizeof *few > most) return answer_error(&call, E2BIG);
  if (few_fit) return answer_groups(&call, few, size);
  /* With ERANGE the kernel has put the size it needs; a peer's groups at connect never change, so that is enough. */
  gid_t *many = malloc(size);
  if (many == NULL) return answer_error(&call, ENOMEM);
  int result = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, many, &size);
  napi_value value = result == 0 ? answer_groups(&call, many, size) : answer_error(&call, errno);
  free(many);
  return value;
}

static napi_value peer_pidfd(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  int pidfd = -1; /* close-on-exec, as the kernel makes every pidfd */
  socklen_t size = sizeof pidfd;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == -1) return answer_error(&call, errno);
  return answer_number(&call, pidfd);
}

static napi_value pidfd_info(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int pidfd = take_int(&call);
  if (call.refusal) return refuse(&call);
  struct pidfd_info_first process = {.mask = INFO_CREDS | INFO_CGROUPID};
  if (ioctl(pidfd, GET_INFO, &process) == -1) return answer_error(&call, errno);
  /* Ids the kernel did not fill in are zeros, and 0 is root. */
  if ((process.mask & INFO_CREDS) == 0) return answer_error(&call, ENODATA);
  napi_value object = answer_object(&call);
  napi_value cgroup = NULL;
  if ((process.mask & INFO_CGROUPID) != 0) napi_create_bigint_uint64(env, process.cgroupid, &cgroup);
  else napi_get_undefined(env, &cgroup);
  set_number(&call, object, "pid", process.tgid);
  set_number(&call, object, "uid", process.euid);
  set_number(&call, object, "gid", process.egid);
  set_value(&call, object, "cgroup", cgroup);
  return object;
}

static napi_value pidfd_open_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int pid = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, syscall(SYS_pidfd_open, pid, 0));
}

static napi_value poll_now(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  short events = (short)take_integer(&call, 0, SHRT_MAX);
  if (call.refusal) return refuse(&call);
  struct pollfd look = {.fd = fd, .events = events};
  if (fd < 0) return answer_error(&call, EBADF); /* poll(2) passes over negative ones */
  if (RETRY(poll(&look, 1, 0)) == -1) return answer_error(&call, errno);
  return (look.revents & POLLNVAL) != 0 ? answer_error(&call, EBADF) : answer_number(&call, look.revents);
}

napi_status define_peers(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("peerCredentials", peer_credentials),
      METHOD("peerGroups", peer_groups),
      METHOD("peerPidfd", peer_pidfd),
      METHOD("pidfdInfo", pidfd_info),
      METHOD("pidfdOpen", pidfd_open_),
      METHOD("pollNow", poll_now),
  };
  return DEFINE(env, exports, methods);
}
