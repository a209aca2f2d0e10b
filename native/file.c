/* Files by directory descriptor: nothing here walks a path of more than one call, so nothing can be swapped between. */
#include "call.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

enum {
  /* openat2(2) answers EAGAIN when a rename or mount raced with the walk: not a fact about the path. */
  OPEN_ATTEMPTS = 32,
  XATTR_BYTES = 65536, /* XATTR_SIZE_MAX and XATTR_LIST_MAX of <linux/limits.h> */
};

static napi_value open_beneath(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path path;
  int dir = take_int(&call);
  take_path(&call, &path);
  unsigned flags = take_unsigned(&call);
  unsigned mode = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  struct open_how how = {
      .flags = flags | O_CLOEXEC,
      .mode = mode,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  long fd = -1;
  for (int attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
    fd = RETRY(syscall(SYS_openat2, dir, path.bytes, &how, sizeof how));
    if (fd != -1 || errno != EAGAIN) break;
  }
  return answer(&call, fd);
}

static napi_value close_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, close(fd));
}

static napi_value mkdirat_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path name;
  int dir = take_int(&call);
  take_path(&call, &name);
  unsigned mode = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, mkdirat(dir, name.bytes, mode));
}

static napi_value unlinkat_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path name;
  int dir = take_int(&call);
  take_path(&call, &name);
  int flags = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, unlinkat(dir, name.bytes, flags));
}

static napi_value renameat2_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path old_name;
  struct path new_name;
  int old_dir = take_int(&call);
  take_path(&call, &old_name);
  int new_dir = take_int(&call);
  take_path(&call, &new_name);
  unsigned flags = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, renameat2(old_dir, old_name.bytes, new_dir, new_name.bytes, flags));
}

static napi_value linkat_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path old_name;
  struct path new_name;
  int old_dir = take_int(&call);
  take_path(&call, &old_name);
  int new_dir = take_int(&call);
  take_path(&call, &new_name);
  int flags = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, linkat(old_dir, old_name.bytes, new_dir, new_name.bytes, flags));
}

static napi_value symlinkat_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path target;
  struct path name;
  take_path(&call, &target);
  int dir = take_int(&call);
  take_path(&call, &name);
  if (call.refusal) return refuse(&call);
  return answer(&call, symlinkat(target.bytes, dir, name.bytes));
}

static napi_value readlinkat_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path name;
  int dir = take_int(&call);
  take_path(&call, &name);
  if (call.refusal) return refuse(&call);
  char target[PATH_MAX];
  ssize_t length = readlinkat(dir, name.bytes, target, sizeof target);
  if (length == -1) return answer_error(&call, errno);
  /* A full buffer may hold a link that was cut. */
  if ((size_t)length == sizeof target) return answer_error(&call, ENAMETOOLONG);
  return answer_bytes(&call, target, (size_t)length);
}

static napi_value fsync_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, RETRY(fsync(fd)));
}

static void set_bigint(const struct call *call, napi_value object, const char *name, uint64_t number) {
  napi_value value = NULL;
  napi_create_bigint_uint64(call->env, number, &value);
  set_value(call, object, name, value);
}

/* Nanoseconds since the epoch. Some file systems keep any 64-bit second, so the product may need more than 64 bits. */
static void set_time(const struct call *call, napi_value object, const char *name, struct statx_timestamp time) {
  __int128 total = (__int128)time.tv_sec * 1000000000 + time.tv_nsec;
  unsigned __int128 magnitude = total < 0 ? -(unsigned __int128)total : (unsigned __int128)total;
  uint64_t words[2] = {(uint64_t)magnitude, (uint64_t)(magnitude >> 64)};
  napi_value value = NULL;
  napi_create_bigint_words(call->env, total < 0, 2, words, &value);
  set_value(call, object, name, value);
}

static napi_value statx_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path path;
  int dir = take_int(&call);
  take_path(&call, &path);
  int flags = take_int(&call);
  if (call.refusal) return refuse(&call);
  struct statx status;
  if (RETRY(statx(dir, path.bytes, flags, STATX_BASIC_STATS | STATX_MNT_ID, &status)) == -1) {
    return answer_error(&call, errno);
  }
  napi_value object = answer_object(&call);
  set_number(&call, object, "mode", status.stx_mode);
  set_number(&call, object, "nlink", status.stx_nlink);
  set_number(&call, object, "uid", status.stx_uid);
  set_number(&call, object, "gid", status.stx_gid);
  set_bigint(&call, object, "ino", status.stx_ino);
  set_bigint(&call, object, "size", status.stx_size);
  set_bigint(&call, object, "blocks", status.stx_blocks);
  set_bigint(&call, object, "device", makedev(status.stx_dev_major, status.stx_dev_minor));
  set_time(&call, object, "atime", status.stx_atime);
  set_time(&call, object, "mtime", status.stx_mtime);
  set_time(&call, object, "ctime", status.stx_ctime);
  set_bigint(&call, object, "mountId", status.stx_mnt_id);
  return object;
}

static napi_value fgetxattr_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path name;
  int fd = take_int(&call);
  take_path(&call, &name);
  if (call.refusal) return refuse(&call);
  char value[XATTR_BYTES];
  ssize_t length = fgetxattr(fd, name.bytes, value, sizeof value);
  return length == -1 ? answer_error(&call, errno) : answer_bytes(&call, value, (size_t)length);
}

static napi_value fsetxattr_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path name;
  int fd = take_int(&call);
  take_path(&call, &name);
  struct span value = take_bytes(&call);
  int flags = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, fsetxattr(fd, name.bytes, value.bytes, value.length, flags));
}

static napi_value flistxattr_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  char names[XATTR_BYTES];
  ssize_t length = flistxattr(fd, names, sizeof names);
  return length == -1 ? answer_error(&call, errno) : answer_bytes(&call, names, (size_t)length);
}

static napi_value fremovexattr_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path name;
  int fd = take_int(&call);
  take_path(&call, &name);
  if (call.refusal) return refuse(&call);
  return answer(&call, fremovexattr(fd, name.bytes));
}

napi_status define_files(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("openBeneath", open_beneath),
      METHOD("close", close_),
      METHOD("mkdirat", mkdirat_),
      METHOD("unlinkat", unlinkat_),
      METHOD("renameat2", renameat2_),
      METHOD("linkat", linkat_),
      METHOD("symlinkat", symlinkat_),
      METHOD("readlinkat", readlinkat_),
      METHOD("fsync", fsync_),
      METHOD("statx", statx_),
      METHOD("fgetxattr", fgetxattr_),
      METHOD("fsetxattr", fsetxattr_),
      METHOD("flistxattr", flistxattr_),
      METHOD("fremovexattr", fremovexattr_),
  };
  return DEFINE(env, exports, methods);
}
