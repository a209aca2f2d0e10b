/*
 * Waiting for one descriptor on the event loop: one uv_poll_t shared by a reading and a writing slot, and a timer each.
 *
 * What keeps a `struct readiness` alive:
 *  - the loop, from open until the last of its three uv handles has been closed;
 *  - the JavaScript handle that wraps it, until that is collected or `readinessClose` takes it out.
 * It is freed when both are gone. The handle holds the callback, and the callback (through the object that made it)
 * the handle, so JavaScript alone decides when the circle is garbage; only while a slot waits is it held from here.
 *
 * Closing begins with `readinessClose`, with the collection of a handle nobody closed, or with the end of the thread's
 * environment, which waits for the uv handles (an asynchronous cleanup hook) before it closes the loop.
 */
#include "call.h"

#include <poll.h>
#include <stdlib.h>
#include <uv.h>

enum { READABLE, WRITABLE, SLOTS };

enum slot_state {
  IDLE,
  WAITING,
  /* The answer is known, the callback not yet made: the other slot's callback may still take it back. */
  DUE,
};

struct readiness {
  napi_env env;
  napi_ref handle;
  napi_async_cleanup_hook_handle environment_end;
  uv_poll_t poll;
  uv_timer_t timers[SLOTS];
  enum slot_state slots[SLOTS];
  int fd;
  int polled; /* the events uv_poll_t is started for; 0 when it is stopped */
  unsigned uv_handles;
  bool closing;
  bool wrapped;
};

static const napi_type_tag handle_tag = {0x5f0c3a6e9b1d4e27, 0x9a84d7c215e6b03f};
static const int uv_events[SLOTS] = {[READABLE] = UV_READABLE, [WRITABLE] = UV_WRITABLE};
static const short poll_events[SLOTS] = {[READABLE] = POLLIN, [WRITABLE] = POLLOUT};

static bool waits(const struct readiness *readiness) {
  return readiness->slots[READABLE] != IDLE || readiness->slots[WRITABLE] != IDLE;
}

static void free_if_unused(struct readiness *readiness) {
  if (readiness->uv_handles == 0 && !readiness->wrapped) free(readiness);
}

static void on_closed(uv_handle_t *uv) {
  struct readiness *readiness = uv->data;
  if (--readiness->uv_handles > 0) return;
  napi_remove_async_cleanup_hook(readiness->environment_end);
  free_if_unused(readiness);
}

static void begin_close(struct readiness *readiness) {
  if (readiness->closing) return;
  readiness->closing = true;
  readiness->slots[READABLE] = readiness->slots[WRITABLE] = IDLE;
  napi_delete_reference(readiness->env, readiness->handle);
  uv_close((uv_handle_t *)&readiness->poll, on_closed);
  uv_close((uv_handle_t *)&readiness->timers[READABLE], on_closed);
  uv_close((uv_handle_t *)&readiness->timers[WRITABLE], on_closed);
}

static void on_collected(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  struct readiness *readiness = data;
  readiness->wrapped = false;
  begin_close(readiness);
  free_if_unused(readiness);
}

static void on_environment_end(napi_async_cleanup_hook_handle hook, void *data) {
  (void)hook;
  begin_close(data);
}

static void on_poll(uv_poll_t *poll, int status, int events);

static int waited_for(const struct readiness *readiness) {
  int events = 0;
  for (int slot = 0; slot < SLOTS; slot++) {
    if (readiness->slots[slot] == WAITING) events |= uv_events[slot];
  }
  return events;
}

static int poll_for(struct readiness *readiness, int events) {
  if (events == readiness->polled) return 0;
  readiness->polled = events;
  return events == 0 ? uv_poll_stop(&readiness->poll) : uv_poll_start(&readiness->poll, events, on_poll);
}

/*
 * Polls at least for what the waiting slots want. What was polled for before stays polled until such an event comes
 * with nobody waiting: stopping and starting costs two epoll_ctl(2), and most readers wait again at once. Only a slot
 * that waits keeps the loop alive.
 */
static int poll_for_waiting(struct readiness *readiness) {
  int events = waited_for(readiness);
  if (events == 0) {
    uv_unref((uv_handle_t *)&readiness->poll);
    return 0;
  }
  uv_ref((uv_handle_t *)&readiness->poll);
  return (events & ~readiness->polled) == 0 ? 0 : poll_for(readiness, events);
}

static void become_idle(struct readiness *readiness, int slot) {
  if (readiness->slots[slot] == IDLE) return;
  readiness->slots[slot] = IDLE;
  uv_timer_stop(&readiness->timers[slot]);
  if (!waits(readiness)) napi_reference_unref(readiness->env, readiness->handle, NULL);
}

/* Makes the callback of a slot that is due. JavaScript runs in here, also its microtasks, and may close the handle. */
static void notify(struct readiness *readiness, int slot, int status) {
  napi_env env = readiness->env;
  napi_handle_scope scope;
  if (napi_open_handle_scope(env, &scope) != napi_ok) return;
  napi_value handle = NULL;
  napi_value callback = NULL;
  napi_value arguments[2] = {NULL, NULL};
  napi_status outcome = napi_get_reference_value(env, readiness->handle, &handle);
  become_idle(readiness, slot);
  if (outcome == napi_ok) outcome = napi_get_named_property(env, handle, "notify", &callback);
  if (outcome == napi_ok) outcome = napi_create_int32(env, slot, &arguments[0]);
  if (outcome == napi_ok) outcome = napi_create_int32(env, status, &arguments[1]);
  if (outcome == napi_ok) outcome = napi_make_callback(env, NULL, handle, callback, 2, arguments, NULL);
  /* Any other failure means that the environment is ending and JavaScript cannot run: nobody is left to be told. */
  napi_value exception = NULL;
  if (outcome == napi_pending_exception && napi_get_and_clear_last_exception(env, &exception) == napi_ok) {
    napi_fatal_exception(env, exception);
  }
  napi_close_handle_scope(env, scope);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
  struct readiness *readiness = poll->data;
  /* An error (uv stops polling on POLLERR) wakes both: the read or the write that follows says what it is. */
  int met = status < 0 ? UV_READABLE | UV_WRITABLE : events;
  if (status < 0) readiness->polled = 0;
  bool stray = (met & ~waited_for(readiness)) != 0;
  for (int slot = 0; slot < SLOTS; slot++) {
    if (readiness->slots[slot] != WAITING || (met & uv_events[slot]) == 0) continue;
    readiness->slots[slot] = DUE;
    uv_timer_stop(&readiness->timers[slot]);
  }
  if (stray) poll_for(readiness, waited_for(readiness));
  poll_for_waiting(readiness);
  for (int slot = 0; slot < SLOTS; slot++) {
    if (readiness->slots[slot] == DUE) notify(readiness, slot, status < 0 ? 0 : events);
  }
}

static void on_timeout(uv_timer_t *timer) {
  struct readiness *readiness = timer->data;
  int slot = timer == &readiness->timers[READABLE] ? READABLE : WRITABLE;
  if (readiness->slots[slot] != WAITING) return;
  /* The loop may have been kept from polling until now: what is there wins over the clock. */
  struct pollfd look = {.fd = readiness->fd, .events = poll_events[slot]};
  int status = poll(&look, 1, 0) > 0 ? uv_events[slot] : -ETIMEDOUT;
  readiness->slots[slot] = DUE;
  poll_for_waiting(readiness);
  notify(readiness, slot, status);
}

static napi_value readiness_open(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  int fd = take_int(&call);
  napi_value callback = take_function(&call);
  if (call.refusal) return refuse(&call);
  uv_loop_t *loop = NULL;
  if (napi_get_uv_event_loop(env, &loop) != napi_ok) return answer_error(&call, ENOSYS);
  struct readiness *readiness = calloc(1, sizeof *readiness);
  if (readiness == NULL) return answer_error(&call, ENOMEM);
  readiness->env = env;
  readiness->fd = fd;
  /* Makes the descriptor non-blocking; EPERM for a regular file. After a failure there is nothing to close. */
  int error = uv_poll_init(loop, &readiness->poll, fd);
  if (error < 0) {
    free(readiness);
    return answer_error(&call, -error);
  }
  uv_timer_init(loop, &readiness->timers[READABLE]);
  uv_timer_init(loop, &readiness->timers[WRITABLE]);
  readiness->poll.data = readiness->timers[READABLE].data = readiness->timers[WRITABLE].data = readiness;
  readiness->uv_handles = 1 + SLOTS;

  const napi_property_descriptor property = {"notify", NULL, NULL, NULL, NULL, callback, napi_default, NULL};
  napi_value handle = answer_object(&call);
  bool made = napi_define_properties(env, handle, 1, &property) == napi_ok &&
              napi_type_tag_object(env, handle, &handle_tag) == napi_ok &&
              napi_create_reference(env, handle, 0, &readiness->handle) == napi_ok &&
              napi_add_async_cleanup_hook(env, on_environment_end, readiness, &readiness->environment_end) == napi_ok;
  if (made) made = readiness->wrapped = napi_wrap(env, handle, readiness, on_collected, NULL, NULL) == napi_ok;
  if (made) return handle;
  begin_close(readiness);
  return NULL;
}

/* The next argument's readiness; NULL when it was closed, or with a TypeError pending when it never was one. */
static struct readiness *take_readiness(struct call *call, napi_value *handle) {
  *handle = take_object(call);
  if (*handle == NULL) return NULL;
  bool tagged = false;
  if (napi_check_object_type_tag(call->env, *handle, &handle_tag, &tagged) != napi_ok || !tagged) {
    napi_throw_type_error(call->env, "ERR_INVALID_ARG_TYPE", "argument 1 must be a handle of readinessOpen");
    call->refusal = CALL_THROWN;
    return NULL;
  }
  void *readiness = NULL;
  if (napi_unwrap(call->env, *handle, &readiness) != napi_ok) return NULL;
  return readiness;
}

static napi_value readiness_start(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  napi_value handle;
  struct readiness *readiness = take_readiness(&call, &handle);
  int slot = (int)take_integer(&call, READABLE, WRITABLE);
  int64_t timeout = take_integer(&call, -1, SAFE_INTEGER);
  if (call.refusal) return refuse(&call);
  if (readiness == NULL || readiness->closing) return answer_error(&call, EBADF);
  if (readiness->slots[slot] != IDLE) return answer_error(&call, EBUSY);
  bool first = !waits(readiness);
  readiness->slots[slot] = WAITING;
  int error = poll_for_waiting(readiness);
  if (error < 0) {
    readiness->slots[slot] = IDLE;
    return answer_error(&call, -error);
  }
  if (first) napi_reference_ref(env, readiness->handle, NULL);
  if (timeout >= 0) {
    /* The loop's clock stands still while JavaScript runs, and counts whole milliseconds: one more is never early. */
    uv_update_time(readiness->poll.loop);
    uv_timer_start(&readiness->timers[slot], on_timeout, (uint64_t)timeout + (timeout > 0), 0);
  }
  return answer_number(&call, 0);
}

static napi_value readiness_stop(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  napi_value handle;
  struct readiness *readiness = take_readiness(&call, &handle);
  int slot = (int)take_integer(&call, READABLE, WRITABLE);
  if (call.refusal) return refuse(&call);
  if (readiness == NULL || readiness->closing) return NULL;
  become_idle(readiness, slot);
  poll_for_waiting(readiness);
  return NULL;
}

static napi_value readiness_close(napi_env env, napi_callback_info info) {
  struct call call = begin(env, info);
  napi_value handle;
  struct readiness *readiness = take_readiness(&call, &handle);
  if (call.refusal) return refuse(&call);
  if (readiness == NULL) return NULL;
  if (napi_remove_wrap(env, handle, NULL) == napi_ok) readiness->wrapped = false;
  begin_close(readiness);
  free_if_unused(readiness);
  return NULL;
}

napi_status define_readiness(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      METHOD("readinessOpen", readiness_open),
      METHOD("readinessStart", readiness_start),
      METHOD("readinessStop", readiness_stop),
      METHOD("readinessClose", readiness_close),
  };
  return DEFINE(env, exports, methods);
}
