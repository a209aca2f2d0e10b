/* Memory that two processes see: a sealed memfd, and its mapping as an ArrayBuffer. */
#include "call.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U /* Linux 6.3 */
#endif

static napi_value sealed_memory(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path name;
  take_path(&call, &name);
  off_t size = take_integer(&call, 0, SAFE_INTEGER);
  if (call.refusal) return refuse(&call);
  int fd = memfd_create(name.bytes, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  /* EINVAL also for a flag the kernel does not know; for a name that is too long it comes again. */
  if (fd == -1 && errno == EINVAL) fd = memfd_create(name.bytes, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd == -1) return answer_error(&call, errno);
  if (ftruncate(fd, size) == -1 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == -1) {
    int error = errno;
    (void)close(fd);
    return answer_error(&call, error);
  }
  return answer_number(&call, fd);
}

static napi_value memory_seals(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, fcntl(fd, F_GET_SEALS));
}

static void unmap(napi_env env, void *memory, void *length) {
  (void)env;
  (void)munmap(memory, (size_t)(uintptr_t)length);
}

static napi_value map_shared(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  int64_t length = take_integer(&call, 0, SAFE_INTEGER);
  if (call.refusal) return refuse(&call);
  struct stat status;
  if (fstat(fd, &status) == -1) return answer_error(&call, errno);
  /* Touching a page beyond the end of the file would kill this process. */
  if (status.st_size < length) return answer_error(&call, EINVAL);
  size_t bytes = (size_t)length;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return answer_error(&call, errno);
  napi_value buffer = NULL;
  napi_status made = napi_create_external_arraybuffer(env, memory, bytes, unmap, (void *)(uintptr_t)bytes, &buffer);
  if (made == napi_ok) return buffer;
  (void)munmap(memory, bytes);
  return answer_error(&call, ENOMEM);
}

napi_status define_memory(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("sealedMemory", sealed_memory),
      METHOD("memorySeals", memory_seals),
      METHOD("mapShared", map_shared),
  };
  return DEFINE(env, exports, methods);
}
