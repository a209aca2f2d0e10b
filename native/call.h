/*
 * One call from JavaScript: its arguments are taken in order, then it is answered once.
 *
 * Taking is sticky. The first argument of a wrong type throws and ends the taking; bytes the kernel could not be given
 * (a NUL inside, too long) are remembered as an errno while the later arguments are still checked. A function takes
 * everything, returns `refuse()` if `refusal` is set, and only then makes its system call.
 */
#ifndef CORTEXFS_CALL_H
#define CORTEXFS_CALL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <limits.h>
#include <node_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

enum {
  CALL_ARGUMENTS = 8,
  /* `refusal` when an exception is pending; an errno is always positive. */
  CALL_THROWN = -1,
  /* Entries, and bytes with their NULs, of one argv or environment: the kernel's own bound is a quarter of the stack. */
  STRINGS_MAX = 4096,
  STRINGS_BYTES = 2 << 20,
  DESCRIPTORS_MAX = 64,
};

/* The greatest whole number JavaScript counts to without gaps. */
static const int64_t SAFE_INTEGER = (1LL << 53) - 1;

struct call {
  napi_env env;
  napi_value argument[CALL_ARGUMENTS];
  size_t next;
  int refusal;
};

/* Bytes without a NUL, and one after them. `length` may be 0: what an empty path means is the kernel's to say. */
struct path {
  char bytes[PATH_MAX];
  size_t length;
};

/* The memory of a Uint8Array. It stays valid until JavaScript runs again. */
struct span {
  uint8_t *bytes;
  size_t length;
};

/* A NULL-terminated list as execve(2) wants it; owned, see `free_strings`. */
struct strings {
  char **items;
  char *text;
};

struct descriptors {
  int items[DESCRIPTORS_MAX];
  unsigned count;
};

struct call begin(napi_env env, napi_callback_info info);

/* A number that is a whole one between the bounds, else TypeError or RangeError; 0 after a refusal. */
int64_t take_integer(struct call *call, int64_t least, int64_t most);
int take_int(struct call *call);
unsigned take_unsigned(struct call *call);
bool take_boolean(struct call *call);
napi_value take_object(struct call *call);
napi_value take_function(struct call *call);

/* A string as UTF-8 or a Uint8Array; EINVAL for a NUL inside, ENAMETOOLONG from PATH_MAX bytes on. */
void take_path(struct call *call, struct path *path);
struct span take_bytes(struct call *call);
/* Three arguments: a Uint8Array, an offset and a length, which must lie inside it (RangeError). */
struct span take_part(struct call *call);
/* E2BIG beyond STRINGS_MAX or STRINGS_BYTES, EINVAL for a NUL inside an entry. Free it whatever the outcome. */
struct strings take_strings(struct call *call);
void free_strings(struct strings *strings);
/* E2BIG beyond DESCRIPTORS_MAX. */
void take_descriptors(struct call *call, struct descriptors *descriptors);

/* Remembers an errno, unless the call is refused already. */
void refuse_with(struct call *call, int error);
napi_value refuse(const struct call *call);

/* `result` as the C library answers: -1 becomes the negated errno. */
napi_value answer(const struct call *call, long result);
napi_value answer_error(const struct call *call, int error);
napi_value answer_number(const struct call *call, double number);
napi_value answer_bytes(const struct call *call, const void *bytes, size_t length);
napi_value answer_object(const struct call *call);
void set_number(const struct call *call, napi_value object, const char *name, double number);
void set_value(const struct call *call, napi_value object, const char *name, napi_value value);

/* For calls that did nothing when a signal interrupted them. Never for close(2). */
#define RETRY(expression) TEMP_FAILURE_RETRY(expression)

#define METHOD(name, function)                                                                                         \
  {                                                                                                                    \
    name, NULL, function, NULL, NULL, NULL, napi_enumerable, NULL                                                      \
  }
#define DEFINE(env, exports, methods) napi_define_properties(env, exports, sizeof(methods) / sizeof(methods)[0], methods)

/* One per subject; each adds its functions to `exports`. */
napi_status define_constants(napi_env env, napi_value exports);
napi_status define_files(napi_env env, napi_value exports);
napi_status define_fuse(napi_env env, napi_value exports);
napi_status define_memory(napi_env env, napi_value exports);
napi_status define_mounts(napi_env env, napi_value exports);
napi_status define_peers(napi_env env, napi_value exports);
napi_status define_pool(napi_env env, napi_value exports);
napi_status define_processes(napi_env env, napi_value exports);
napi_status define_programs(napi_env env, napi_value exports);
napi_status define_readiness(napi_env env, napi_value exports);
napi_status define_sockets(napi_env env, napi_value exports);

#endif
