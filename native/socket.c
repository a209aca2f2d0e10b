/* Unix sockets. All made here are non-blocking and close-on-exec; no send raises SIGPIPE and no transfer waits. */
#include "call.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static napi_value unix_socket(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int type = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

static napi_value socket_pair(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int type = take_int(&call);
  if (call.refusal) return refuse(&call);
  int pair[2];
  if (socketpair(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == -1) return answer_error(&call, errno);
  napi_value array = NULL;
  if (napi_create_array_with_length(env, 2, &array) != napi_ok) return NULL;
  napi_set_element(env, array, 0, answer_number(&call, pair[0]));
  napi_set_element(env, array, 1, answer_number(&call, pair[1]));
  return array;
}

/* An address is the path with its NUL: an empty one would mean an unnamed or abstract socket, a full one has no NUL. */
static socklen_t take_address(struct call *call, struct sockaddr_un *address) {
  struct path path;
  take_path(call, &path);
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (path.length >= sizeof address->sun_path) refuse_with(call, ENAMETOOLONG);
  else if (path.length == 0) refuse_with(call, EINVAL);
  else memcpy(address->sun_path, path.bytes, path.length + 1);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path.length + 1);
}

static napi_value bind_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct sockaddr_un address;
  socklen_t size = take_address(&call, &address);
  if (call.refusal) return refuse(&call);
  return answer(&call, bind(fd, (const struct sockaddr *)&address, size));
}

static napi_value listen_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  int backlog = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, listen(fd, backlog));
}

static napi_value connect_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct sockaddr_un address;
  socklen_t size = take_address(&call, &address);
  if (call.refusal) return refuse(&call);
  /* An interrupted connect(2) of a Unix socket has not begun (unlike one of TCP), so it may be made again. */
  return answer(&call, RETRY(connect(fd, (const struct sockaddr *)&address, size)));
}

static napi_value accept_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, RETRY(accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)));
}

static napi_value shutdown_write(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, shutdown(fd, SHUT_WR));
}

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

static napi_value set_pass_rights(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  int on = take_boolean(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &on, sizeof on));
}

static napi_value pass_rights(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  int on = 0;
  socklen_t size = sizeof on;
  if (getsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &on, &size) == -1) return answer_error(&call, errno);
  return answer_number(&call, on);
}

static napi_value send_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct span part = take_part(&call);
  if (call.refusal) return refuse(&call);
  struct iovec vector = {part.bytes, part.length};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  return answer(&call, RETRY(sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT)));
}

static napi_value receive(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct span part = take_part(&call);
  /* With no room the kernel answers 0, which could not be told from the end of the stream. */
  if (part.length == 0) refuse_with(&call, EINVAL);
  if (call.refusal) return refuse(&call);
  struct iovec vector = {part.bytes, part.length};
  /* No control buffer: descriptors that came along are dropped before they are installed in this process. */
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  return answer(&call, RETRY(recvmsg(fd, &message, MSG_DONTWAIT)));
}

/* Takes nothing from the socket, so it drops nothing either; it stops at the first message with control data. */
static napi_value peek(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct span part = take_part(&call);
  if (part.length == 0) refuse_with(&call, EINVAL);
  if (call.refusal) return refuse(&call);
  struct iovec vector = {part.bytes, part.length};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  ssize_t length = RETRY(recvmsg(fd, &message, MSG_DONTWAIT | MSG_PEEK));
  if (length == -1) return answer_error(&call, errno);
  napi_value value = answer_object(&call);
  napi_value attached = NULL;
  napi_get_boolean(env, (message.msg_flags & MSG_CTRUNC) != 0, &attached);
  set_number(&call, value, "length", (double)length);
  set_value(&call, value, "attached", attached);
  return value;
}

struct parting {
  int fd;
  int done; /* the writing end of a pipe: whoever waits sees it close */
};

static void *part_from(void *data) {
  struct parting parting = *(struct parting *)data;
  free(data);
  (void)close(parting.fd);
  (void)close(parting.done);
  return NULL;
}

/* Starts the thread with every signal blocked, so that none meant for the process is taken by it. */
static int start_parting(struct parting *parting) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all;
  sigset_t old;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &old);
  error = pthread_create(&thread, &attributes, part_from, parting);
  (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
  (void)pthread_attr_destroy(&attributes);
  return error;
}

static napi_value close_elsewhere(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  if (fcntl(fd, F_GETFD) == -1) return answer_error(&call, errno);
  int done[2];
  if (pipe2(done, O_CLOEXEC | O_NONBLOCK) == -1) return answer_error(&call, errno);
  struct parting *parting = malloc(sizeof *parting);
  int error = ENOMEM;
  if (parting != NULL) {
    *parting = (struct parting){fd, done[1]};
    error = start_parting(parting);
  }
  if (error == 0) return answer_number(&call, done[0]);
  free(parting);
  (void)close(done[0]);
  (void)close(done[1]);
  return answer_error(&call, error);
}

/* Exactly one descriptor: CMSG_SPACE, padded to 8 bytes, would have room for a second one. */
union descriptor_control {
  struct cmsghdr header;
  char bytes[CMSG_LEN(sizeof(int))];
};

static napi_value send_descriptor(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct span span = take_bytes(&call);
  int descriptor = take_int(&call);
  /* A stream carries descriptors only beside at least one byte. */
  if (span.length == 0) refuse_with(&call, EINVAL);
  if (call.refusal) return refuse(&call);
  union descriptor_control control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  struct iovec vector = {span.bytes, span.length};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_LEN(sizeof(int))};
  return answer(&call, RETRY(sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT)));
}

#ifndef SCM_PIDFD
#define SCM_PIDFD 4
#endif

/* The descriptor a control message installed in this process, or -1. The buffer has room for one message of one. */
static int installed(struct msghdr *message) {
  struct cmsghdr *header = CMSG_FIRSTHDR(message);
  int descriptor = -1;
  if (header == NULL || header->cmsg_len < CMSG_LEN(sizeof descriptor) || header->cmsg_level != SOL_SOCKET) return -1;
  if (header->cmsg_type != SCM_RIGHTS && header->cmsg_type != SCM_PIDFD) return -1;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

static napi_value receive_descriptor(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct span span = take_bytes(&call);
  if (span.length == 0) refuse_with(&call, EINVAL);
  if (call.refusal) return refuse(&call);
  union descriptor_control control;
  struct iovec vector = {span.bytes, span.length};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_LEN(sizeof(int))};
  ssize_t length = RETRY(recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
  if (length == -1) return answer_error(&call, errno);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  int descriptor = installed(&message);
  bool right = descriptor >= 0 && header->cmsg_type == SCM_RIGHTS;
  bool surplus = (message.msg_flags & MSG_CTRUNC) != 0 || (header != NULL && !right);
  if (surplus && descriptor >= 0) {
    (void)close(descriptor);
    descriptor = -1;
  }
  napi_value value = answer_object(&call);
  napi_value boolean = NULL;
  napi_get_boolean(env, surplus, &boolean);
  set_number(&call, value, "length", (double)length);
  set_number(&call, value, "descriptor", descriptor);
  set_value(&call, value, "surplus", boolean);
  return value;
}

napi_status define_sockets(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("unixSocket", unix_socket),
      METHOD("socketPair", socket_pair),
      METHOD("bind", bind_),
      METHOD("listen", listen_),
      METHOD("connect", connect_),
      METHOD("accept", accept_),
      METHOD("shutdownWrite", shutdown_write),
      METHOD("setPassRights", set_pass_rights),
      METHOD("passRights", pass_rights),
      METHOD("peek", peek),
      METHOD("closeElsewhere", close_elsewhere),
      METHOD("send", send_),
      METHOD("receive", receive),
      METHOD("sendDescriptor", send_descriptor),
      METHOD("receiveDescriptor", receive_descriptor),
  };
  return DEFINE(env, exports, methods);
}
