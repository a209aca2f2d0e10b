#include "call.h"

#include <sys/mount.h>
#include <sys/syscall.h>

static napi_value mount_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path source;
  struct path target;
  struct path type;
  struct path data;
  take_path(&call, &source);
  take_path(&call, &target);
  take_path(&call, &type);
  unsigned flags = take_unsigned(&call);
  take_path(&call, &data);
  if (call.refusal) return refuse(&call);
  return answer(&call, mount(source.bytes, target.bytes, type.bytes, flags, data.bytes));
}

/* `struct mount_attr` of <linux/mount.h>, which cannot be included beside <sys/mount.h>. */
struct mount_change {
  uint64_t set;
  uint64_t clear;
  uint64_t propagation;
  uint64_t user_namespace;
};

static napi_value mount_setattr_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path path;
  int dir = take_int(&call);
  take_path(&call, &path);
  unsigned flags = take_unsigned(&call);
  struct mount_change change = {0};
  change.set = take_unsigned(&call);
  change.clear = take_unsigned(&call);
  change.propagation = take_unsigned(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, syscall(SYS_mount_setattr, dir, path.bytes, flags, &change, sizeof change));
}

static napi_value umount2_(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct path target;
  take_path(&call, &target);
  int flags = take_int(&call);
  if (call.refusal) return refuse(&call);
  return answer(&call, umount2(target.bytes, flags));
}

napi_status define_mounts(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("mount", mount_),
      METHOD("mountSetattr", mount_setattr_),
      METHOD("umount2", umount2_),
  };
  return DEFINE(env, exports, methods);
}
