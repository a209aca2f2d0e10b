/*
 * The requests of /dev/fuse, and the calls that answer them. Whoever serves a mount keeps one array of bytes: requests
 * are read into it, names are taken from where they lie in it, and answers are put into it in the kernel's own layout.
 * Nothing here allocates, and every outcome is a number.
 */
#include "call.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

/* Linux 6.9 (protocol 7.40), newer than the headers this is built with. */
struct backing_map {
  int32_t fd;
  uint32_t flags;
  uint64_t padding;
};
#define BACKING_OPEN _IOW(229, 1, struct backing_map)
#define BACKING_CLOSE _IOW(229, 2, uint32_t)

enum {
  /* A WRITE of 1 MiB, the most that INIT agrees on, with its headers: read(2) refuses less room than a request needs. */
  REQUEST_ROOM = (1 << 20) + 4096,
  REQUEST_ALIGNMENT = 8,
  REPLY_ERROR = 4096, /* greater than any errno */
  SPIN_MICROS_MAX = 1000000,
  NAME_BYTES = 256,
  DIRECTORY_BYTES = 32768,
  ENTRY_BYTES = 1104, /* the longest record a file system may have */
};
_Static_assert(sizeof(struct fuse_attr) == 88, "fuse_attr");
_Static_assert(sizeof(struct fuse_kstatfs) == 80, "fuse_kstatfs");
_Static_assert(sizeof(struct fuse_entry_out) == 128, "fuse_entry_out");

/* A copy: the array may be memory that others write to while the kernel walks the name. */
struct name {
  char bytes[NAME_BYTES];
};

static void take_name(struct call *call, struct name *name) {
  struct span span = take_bytes(call);
  size_t offset = (size_t)take_integer(call, 0, (int64_t)span.length);
  name->bytes[0] = '\0';
  if (call->refusal == CALL_THROWN) return;
  size_t room = span.length - offset;
  size_t length = room == 0 ? 0 : strnlen((const char *)span.bytes + offset, room < NAME_BYTES ? room : NAME_BYTES);
  if (room > 0) memcpy(name->bytes, span.bytes + offset, length < NAME_BYTES ? length : NAME_BYTES);
  if (length == room || length == NAME_BYTES || memchr(name->bytes, '/', length) != NULL) {
    name->bytes[0] = '\0';
    refuse_with(call, EINVAL);
    return;
  }
  name->bytes[length] = '\0';
}

/* A Uint8Array and an offset, after which `size` bytes must lie inside it. */
static uint8_t *take_room(struct call *call, size_t size) {
  struct span span = take_bytes(call);
  int64_t last = span.length < size ? -1 : (int64_t)(span.length - size);
  size_t offset = (size_t)take_integer(call, 0, last);
  return call->refusal == CALL_THROWN ? NULL : span.bytes + offset;
}

static uint64_t take_device(struct call *call) {
  return (uint64_t)take_integer(call, 0, SAFE_INTEGER);
}

static int64_t take_size(struct call *call) {
  return take_integer(call, 0, SAFE_INTEGER);
}

static int64_t now_micros(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* ENOENT is a request that was taken back before it could be copied. */
static ssize_t read_request(int fuse, uint8_t *bytes) {
  ssize_t length;
  do length = read(fuse, bytes, REQUEST_ROOM);
  while (length == -1 && (errno == EINTR || errno == ENOENT));
  return length;
}

static napi_value fuse_exchange(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fuse = take_int(&call);
  struct span span = take_bytes(&call);
  size_t reply_at = (size_t)take_integer(&call, 0, (int64_t)span.length);
  size_t reply_length = (size_t)take_integer(&call, 0, (int64_t)(span.length - reply_at));
  size_t request_at = (size_t)take_integer(&call, 0, (int64_t)span.length);
  unsigned most = take_unsigned(&call);
  int64_t spin = take_integer(&call, 0, SPIN_MICROS_MAX);
  if (call.refusal) return refuse(&call);
  size_t at = (request_at + REQUEST_ALIGNMENT - 1) & ~(size_t)(REQUEST_ALIGNMENT - 1);
  /* Before anything is done: to answer "none" would have the caller ask forever. */
  if (most > 0 && (at > span.length || span.length - at < REQUEST_ROOM)) return answer_error(&call, EINVAL);
  if (reply_length > 0 && RETRY(write(fuse, span.bytes + reply_at, reply_length)) == -1 && errno != ENOENT) {
    return answer_error(&call, REPLY_ERROR + errno);
  }
  unsigned count = 0;
  int64_t deadline = 0;
  while (count < most && at <= span.length && span.length - at >= REQUEST_ROOM) {
    ssize_t length = read_request(fuse, span.bytes + at);
    if (length == -1) {
      if (count > 0) break; /* an error that lasts is told the next time */
      if (errno != EAGAIN) return answer_error(&call, errno);
      if (spin == 0) break;
      int64_t now = now_micros();
      if (deadline == 0) deadline = now + spin;
      if (now >= deadline) break;
      continue;
    }
    count++;
    at = (at + (size_t)length + REQUEST_ALIGNMENT - 1) & ~(size_t)(REQUEST_ALIGNMENT - 1);
  }
  return answer_number(&call, count);
}

static napi_value fuse_write(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fuse = take_int(&call);
  struct span span = take_part(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, RETRY(write(fuse, span.bytes, span.length)));
}

static napi_value fuse_backing_open(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fuse = take_int(&call);
  struct backing_map map = {.fd = take_int(&call)};
  if (call.refusal) return refuse(&call);
  return answer(&call, ioctl(fuse, BACKING_OPEN, &map));
}

static napi_value fuse_backing_close(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fuse = take_int(&call);
  uint32_t id = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, ioctl(fuse, BACKING_CLOSE, &id));
}

static struct fuse_attr attributes(const struct stat *status) {
  return (struct fuse_attr){
      .ino = status->st_ino,
      .size = (uint64_t)status->st_size,
      .blocks = (uint64_t)status->st_blocks,
      .atime = (uint64_t)status->st_atim.tv_sec,
      .mtime = (uint64_t)status->st_mtim.tv_sec,
      .ctime = (uint64_t)status->st_ctim.tv_sec,
      .atimensec = (uint32_t)status->st_atim.tv_nsec,
      .mtimensec = (uint32_t)status->st_mtim.tv_nsec,
      .ctimensec = (uint32_t)status->st_ctim.tv_nsec,
      .mode = status->st_mode,
      .nlink = (uint32_t)status->st_nlink,
      .uid = status->st_uid,
      .gid = status->st_gid,
      .rdev = (uint32_t)status->st_rdev, /* makedev(3) of a 12-bit major is the kernel's 32-bit form, zero-extended */
      .blksize = (uint32_t)status->st_blksize,
  };
}

static napi_value answer_attributes(const struct call *call, const struct stat *status, uint8_t *out, uint64_t device) {
  if (device != 0 && status->st_dev != device) return answer_error(call, EXDEV);
  struct fuse_attr attr = attributes(status);
  memcpy(out, &attr, sizeof attr);
  return answer_number(call, 0);
}

static napi_value attributes_at(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct name name;
  int dir = take_int(&call);
  take_name(&call, &name);
  uint8_t *out = take_room(&call, sizeof(struct fuse_attr));
  uint64_t device = take_device(&call);
  if (call.refusal) return refuse(&call);
  struct stat status;
  if (RETRY(fstatat(dir, name.bytes, &status, AT_SYMLINK_NOFOLLOW)) == -1) return answer_error(&call, errno);
  return answer_attributes(&call, &status, out, device);
}

static napi_value attributes_of(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  uint8_t *out = take_room(&call, sizeof(struct fuse_attr));
  uint64_t device = take_device(&call);
  if (call.refusal) return refuse(&call);
  struct stat status;
  if (RETRY(fstat(fd, &status)) == -1) return answer_error(&call, errno);
  return answer_attributes(&call, &status, out, device);
}

static napi_value file_device(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  struct stat status;
  if (RETRY(fstat(fd, &status)) == -1) return answer_error(&call, errno);
  return answer_number(&call, (double)status.st_dev);
}

static napi_value open_at(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct name name;
  int dir = take_int(&call);
  take_name(&call, &name);
  int flags = take_int(&call) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  mode_t mode = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, RETRY(openat(dir, name.bytes, flags, mode)));
}

static napi_value read_at(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct span span = take_part(&call);
  off_t position = take_size(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, RETRY(pread(fd, span.bytes, span.length, position)));
}

static napi_value write_at(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  struct span span = take_part(&call);
  off_t position = take_size(&call);
  bool append = take_boolean(&call);
  if (call.refusal) return refuse(&call);
  struct iovec vector = {span.bytes, span.length};
  return answer(&call, append ? RETRY(pwritev2(fd, &vector, 1, position, RWF_APPEND))
                              : RETRY(pwrite(fd, span.bytes, span.length, position)));
}

/* A record of getdents64(2). */
struct record {
  uint64_t inode;
  int64_t next;
  uint16_t length;
  uint8_t type;
  char name[];
};

/* Zeros stay where the entry vanished since, is on another device, or is the directory itself or its parent. */
static void put_entry(int dir, const char *name, uint64_t device, uint8_t *out) {
  struct fuse_entry_out entry = {0};
  struct stat status;
  bool dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
  if (!dots && fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && (device == 0 || status.st_dev == device)) {
    entry.attr = attributes(&status);
  }
  memcpy(out, &entry, sizeof entry);
}

static napi_value directory_entries(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int dir = take_int(&call);
  struct span room = take_part(&call);
  uint64_t low = take_unsigned(&call);
  uint64_t high = take_unsigned(&call);
  bool plus = take_boolean(&call);
  uint64_t device = take_device(&call);
  if (high > INT_MAX) refuse_with(&call, EINVAL);
  if (call.refusal) return refuse(&call);
  size_t before = plus ? sizeof(struct fuse_entry_out) : 0;
  _Alignas(uint64_t) char records[DIRECTORY_BYTES];
  /* About as much as will fit: what is read beyond is read again. A record here is never longer than the one made. */
  size_t want = plus ? room.length / 4 : room.length;
  if (want < ENTRY_BYTES) want = ENTRY_BYTES;
  if (want > sizeof records) want = sizeof records;
  if (lseek(dir, (off_t)(high << 32 | low), SEEK_SET) == -1) return answer_error(&call, errno);
  long got = RETRY(syscall(SYS_getdents64, dir, records, want));
  if (got == -1) return answer_error(&call, errno);
  size_t used = 0;
  for (long at = 0; at < got;) {
    const struct record *record = (const struct record *)(const void *)(records + at);
    size_t length = strlen(record->name);
    size_t bare = before + FUSE_NAME_OFFSET + length;
    size_t size = FUSE_DIRENT_ALIGN(bare);
    /* An empty answer is the end of the directory, which this is not. */
    if (size > room.length - used && used == 0) return answer_error(&call, EINVAL);
    if (size > room.length - used) break;
    uint8_t *out = room.bytes + used;
    struct fuse_dirent entry = {
        .ino = record->inode, .off = (uint64_t)record->next, .namelen = (uint32_t)length, .type = record->type};
    if (plus) put_entry(dir, record->name, device, out);
    memcpy(out + before, &entry, FUSE_NAME_OFFSET);
    memcpy(out + before + FUSE_NAME_OFFSET, record->name, length);
    memset(out + bare, 0, size - bare);
    used += size;
    at += record->length;
  }
  return answer_number(&call, (double)used);
}

static napi_value file_system_statistics(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  uint8_t *out = take_room(&call, sizeof(struct fuse_kstatfs));
  if (call.refusal) return refuse(&call);
  struct statfs status;
  if (RETRY(fstatfs(fd, &status)) == -1) return answer_error(&call, errno);
  struct fuse_kstatfs statistics = {
      .blocks = status.f_blocks,
      .bfree = status.f_bfree,
      .bavail = status.f_bavail,
      .files = status.f_files,
      .ffree = status.f_ffree,
      .bsize = (uint32_t)status.f_bsize,
      .namelen = (uint32_t)status.f_namelen,
      .frsize = (uint32_t)status.f_frsize,
  };
  memcpy(out, &statistics, sizeof statistics);
  return answer_number(&call, 0);
}

static napi_value change_owner_at(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct name name;
  int dir = take_int(&call);
  take_name(&call, &name);
  uid_t uid = take_unsigned(&call);
  gid_t gid = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, fchownat(dir, name.bytes, uid, gid, AT_SYMLINK_NOFOLLOW));
}

static napi_value change_owner(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  uid_t uid = take_unsigned(&call);
  gid_t gid = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, fchown(fd, uid, gid));
}

static napi_value change_mode(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  mode_t mode = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, fchmod(fd, mode));
}

/* Access time, then modification time. Which nanoseconds are good is the kernel's to say. */
static void take_times(struct call *call, struct timespec times[2]) {
  for (int index = 0; index < 2; index++) {
    times[index].tv_sec = take_integer(call, -SAFE_INTEGER, SAFE_INTEGER);
    times[index].tv_nsec = take_unsigned(call);
  }
}

static napi_value set_times_at(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct name name;
  struct timespec times[2];
  int dir = take_int(&call);
  take_name(&call, &name);
  take_times(&call, times);
  if (call.refusal) return refuse(&call);
  return answer(&call, utimensat(dir, name.bytes, times, AT_SYMLINK_NOFOLLOW));
}

static napi_value set_times(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct timespec times[2];
  int fd = take_int(&call);
  take_times(&call, times);
  if (call.refusal) return refuse(&call);
  return answer(&call, futimens(fd, times));
}

static napi_value truncate_file(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  off_t size = take_size(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, RETRY(ftruncate(fd, size)));
}

static napi_value seek(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  off_t offset = take_integer(&call, -SAFE_INTEGER, SAFE_INTEGER);
  int whence = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, lseek(fd, offset, whence));
}

static napi_value allocate(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  int mode = take_int(&call);
  off_t offset = take_size(&call);
  off_t length = take_size(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, RETRY(fallocate(fd, mode, offset, length)));
}

napi_status define_fuse(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("fuseExchange", fuse_exchange),
      METHOD("fuseWrite", fuse_write),
      METHOD("fuseBackingOpen", fuse_backing_open),
      METHOD("fuseBackingClose", fuse_backing_close),
      METHOD("attributesAt", attributes_at),
      METHOD("attributesOf", attributes_of),
      METHOD("fileDevice", file_device),
      METHOD("openAt", open_at),
      METHOD("readAt", read_at),
      METHOD("writeAt", write_at),
      METHOD("directoryEntries", directory_entries),
      METHOD("fileSystemStatistics", file_system_statistics),
      METHOD("changeOwnerAt", change_owner_at),
      METHOD("changeOwner", change_owner),
      METHOD("changeMode", change_mode),
      METHOD("setTimesAt", set_times_at),
      METHOD("setTimes", set_times),
      METHOD("truncateFile", truncate_file),
      METHOD("seek", seek),
      METHOD("allocate", allocate),
  };
  return DEFINE(env, exports, methods);
}
