/* The addon's entry. It keeps no state of its own, so every thread that loads it has an independent copy. */
#include "call.h"

NAPI_MODULE_INIT(/* napi_env env, napi_value exports */) {
  static napi_status (*const subjects[])(napi_env, napi_value) = {
      define_constants, define_files, define_fuse,      define_memory,   define_mounts,    define_peers,
      define_pool,      define_processes, define_programs, define_readiness, define_sockets,
  };
  for (size_t index = 0; index < sizeof subjects / sizeof subjects[0]; index++) {
    if (subjects[index](env, exports) != napi_ok) {
      napi_throw_error(env, NULL, "cortexfs.node: a property could not be defined");
      return NULL;
    }
  }
  return exports;
}
