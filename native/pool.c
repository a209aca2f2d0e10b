/* Calls that may take long, made in libuv's pool of threads while the event loop goes on. */
#include "call.h"

#include <fcntl.h>
#include <stdlib.h>

struct job {
  napi_async_work work;
  napi_deferred deferred;
  napi_ref bytes; /* keeps the array while the thread reads it; NULL when there is none */
  struct span span;
  int fd;
  int mode;
  off_t offset;
  off_t length;
  long result; /* negated errno */
};

static void write_whole(napi_env env, void *data) {
  (void)env;
  struct job *job = data;
  ssize_t length = RETRY(write(job->fd, job->span.bytes, job->span.length));
  job->result = length == -1 ? -errno : length;
}

static void allocate(napi_env env, void *data) {
  (void)env;
  struct job *job = data;
  job->result = RETRY(fallocate(job->fd, job->mode, job->offset, job->length)) == -1 ? -errno : 0;
}

static void on_done(napi_env env, napi_status status, void *data) {
  struct job *job = data;
  napi_value value = NULL;
  double result = status == napi_ok ? (double)job->result : -ECANCELED;
  /* Fails only in an environment that is ending, where nobody waits any more. */
  if (napi_create_double(env, result, &value) == napi_ok) (void)napi_resolve_deferred(env, job->deferred, value);
  if (job->bytes != NULL) napi_delete_reference(env, job->bytes);
  napi_delete_async_work(env, job->work);
  free(job);
}

/* A Promise of the job's result; takes a copy of the job. `bytes` is NULL or the array that must stay. */
static napi_value start(const struct call *call, const struct job *request, napi_async_execute_callback execute,
                        napi_value bytes) {
  napi_env env = call->env;
  struct job *job = malloc(sizeof *job);
  if (job == NULL) {
    napi_throw_error(env, NULL, "cortexfs.node: no memory for work to be queued");
    return NULL;
  }
  *job = *request;
  napi_value promise = NULL;
  napi_value name = NULL;
  bool made = napi_create_string_utf8(env, "cortexfs", NAPI_AUTO_LENGTH, &name) == napi_ok &&
              (bytes == NULL || napi_create_reference(env, bytes, 1, &job->bytes) == napi_ok) &&
              napi_create_async_work(env, NULL, name, execute, on_done, job, &job->work) == napi_ok &&
              napi_create_promise(env, &job->deferred, &promise) == napi_ok;
  if (made && napi_queue_async_work(env, job->work) == napi_ok) return promise;
  if (job->work != NULL) napi_delete_async_work(env, job->work);
  if (job->bytes != NULL) napi_delete_reference(env, job->bytes);
  free(job);
  napi_throw_error(env, NULL, "cortexfs.node: no work could be queued");
  return NULL;
}

static napi_value write_in_pool(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct job job = {.fd = take_int(&call)};
  napi_value bytes = call.argument[1];
  job.span = take_bytes(&call);
  if (call.refusal) return refuse(&call);
  return start(&call, &job, write_whole, bytes);
}

static napi_value allocate_in_pool(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  struct job job = {.fd = take_int(&call)};
  job.mode = take_int(&call);
  job.offset = take_integer(&call, 0, SAFE_INTEGER);
  job.length = take_integer(&call, 0, SAFE_INTEGER);
  if (call.refusal) return refuse(&call);
  return start(&call, &job, allocate, NULL);
}

napi_status define_pool(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("writeInPool", write_in_pool),
      METHOD("allocateInPool", allocate_in_pool),
  };
  return DEFINE(env, exports, methods);
}
