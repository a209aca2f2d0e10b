#include "call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call begin(napi_env env, napi_callback_info info) {
  struct call call = {.env = env};
  size_t count = CALL_ARGUMENTS;
  /* Arguments that were not given are filled with undefined, which no `take` accepts. */
  if (napi_get_cb_info(env, info, &count, call.argument, NULL, NULL) != napi_ok) call.refusal = CALL_THROWN;
  return call;
}

static void throw_type(struct call *call, const char *expected) {
  char message[160];
  (void)snprintf(message, sizeof message, "argument %zu must be %s", call->next, expected);
  napi_throw_type_error(call->env, "ERR_INVALID_ARG_TYPE", message);
  call->refusal = CALL_THROWN;
}

static void throw_range(struct call *call, const char *expected) {
  char message[160];
  (void)snprintf(message, sizeof message, "argument %zu must be %s", call->next, expected);
  napi_throw_range_error(call->env, "ERR_OUT_OF_RANGE", message);
  call->refusal = CALL_THROWN;
}

void refuse_with(struct call *call, int error) {
  if (call->refusal == 0) call->refusal = error;
}

napi_value refuse(const struct call *call) {
  return call->refusal == CALL_THROWN ? NULL : answer_error(call, call->refusal);
}

/* The next argument if it is of this type, else NULL with a TypeError pending. */
static napi_value take(struct call *call, napi_valuetype type, const char *expected) {
  if (call->refusal == CALL_THROWN) return NULL;
  napi_value value = call->argument[call->next++];
  napi_valuetype actual = napi_undefined;
  if (napi_typeof(call->env, value, &actual) == napi_ok && actual == type) return value;
  throw_type(call, expected);
  return NULL;
}

static bool whole_number(const struct call *call, napi_value value, int64_t least, int64_t most, int64_t *integer) {
  double number = 0;
  if (napi_get_value_double(call->env, value, &number) != napi_ok) return false;
  /* Compared as doubles, which hold every bound used here exactly; the conversion below cannot overflow then. */
  if (!(number >= (double)least && number <= (double)most) || trunc(number) != number) return false;
  *integer = (int64_t)number;
  return true;
}

int64_t take_integer(struct call *call, int64_t least, int64_t most) {
  napi_value value = take(call, napi_number, "a number");
  int64_t integer = 0;
  if (value != NULL && !whole_number(call, value, least, most, &integer)) {
    char expected[80];
    (void)snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)least, (long long)most);
    throw_range(call, expected);
  }
  return integer;
}

int take_int(struct call *call) {
  return (int)take_integer(call, INT_MIN, INT_MAX);
}

unsigned take_unsigned(struct call *call) {
  return (unsigned)take_integer(call, 0, UINT_MAX);
}

bool take_boolean(struct call *call) {
  bool boolean = false;
  napi_value value = take(call, napi_boolean, "a boolean");
  if (value != NULL) napi_get_value_bool(call->env, value, &boolean);
  return boolean;
}

napi_value take_object(struct call *call) {
  return take(call, napi_object, "an object");
}

napi_value take_function(struct call *call) {
  return take(call, napi_function, "a function");
}

static bool uint8_array(const struct call *call, napi_value value, struct span *span) {
  bool typed = false;
  if (napi_is_typedarray(call->env, value, &typed) != napi_ok || !typed) return false;
  napi_typedarray_type type;
  void *bytes = NULL;
  size_t length = 0;
  if (napi_get_typedarray_info(call->env, value, &type, &length, &bytes, NULL, NULL) != napi_ok) return false;
  if (type != napi_uint8_array) return false;
  *span = (struct span){bytes, bytes == NULL ? 0 : length};
  return true;
}

/* The bytes of a string in UTF-8, or of a Uint8Array; false when the value is neither (nothing is thrown yet). */
static bool measure(const struct call *call, napi_value value, size_t *length) {
  napi_valuetype type = napi_undefined;
  struct span span;
  if (napi_typeof(call->env, value, &type) != napi_ok) return false;
  if (type == napi_string) return napi_get_value_string_utf8(call->env, value, NULL, 0, length) == napi_ok;
  if (!uint8_array(call, value, &span)) return false;
  *length = span.length;
  return true;
}

/* Copies what `measure` measured, and a NUL after it, to `length + 1` bytes. Answers 0, or EINVAL for a NUL inside. */
static int copy(const struct call *call, napi_value value, char *target, size_t length) {
  struct span span;
  if (uint8_array(call, value, &span)) {
    if (length > 0) memcpy(target, span.bytes, length);
    target[length] = '\0';
  } else {
    napi_get_value_string_utf8(call->env, value, target, length + 1, NULL);
  }
  return memchr(target, '\0', length) == NULL ? 0 : EINVAL;
}

void take_path(struct call *call, struct path *path) {
  path->length = 0;
  path->bytes[0] = '\0';
  if (call->refusal == CALL_THROWN) return;
  napi_value value = call->argument[call->next++];
  size_t length = 0;
  if (!measure(call, value, &length)) {
    throw_type(call, "a string or a Uint8Array");
  } else if (length >= sizeof path->bytes) {
    refuse_with(call, ENAMETOOLONG);
  } else {
    int error = copy(call, value, path->bytes, length);
    if (error == 0) path->length = length;
    else refuse_with(call, error);
  }
}

struct span take_bytes(struct call *call) {
  struct span span = {NULL, 0};
  if (call->refusal == CALL_THROWN) return span;
  if (!uint8_array(call, call->argument[call->next++], &span)) throw_type(call, "a Uint8Array");
  return span;
}

struct span take_part(struct call *call) {
  struct span span = take_bytes(call);
  size_t offset = (size_t)take_integer(call, 0, (int64_t)span.length);
  size_t length = (size_t)take_integer(call, 0, (int64_t)(span.length - offset));
  if (call->refusal == CALL_THROWN || span.length == 0) return (struct span){NULL, 0};
  return (struct span){span.bytes + offset, length};
}

/* The next argument as an array of at most `most` elements; more are refused with E2BIG. */
static napi_value take_array(struct call *call, unsigned most, unsigned *length) {
  *length = 0;
  napi_value array = take(call, napi_object, "an array");
  if (array == NULL) return NULL;
  bool is_array = false;
  if (napi_is_array(call->env, array, &is_array) != napi_ok || !is_array) {
    throw_type(call, "an array");
    return NULL;
  }
  uint32_t count = 0;
  if (napi_get_array_length(call->env, array, &count) != napi_ok) return NULL;
  if (count > most) {
    refuse_with(call, E2BIG);
    return NULL;
  }
  *length = count;
  return array;
}

static bool element(struct call *call, napi_value array, unsigned index, napi_value *value) {
  if (napi_get_element(call->env, array, index, value) == napi_ok) return true;
  call->refusal = CALL_THROWN; /* a getter threw */
  return false;
}

/* Appends one entry and its NUL to the text; answers 0, CALL_THROWN or an errno. */
static int append(struct call *call, napi_value value, char **text, size_t *used, size_t *room) {
  size_t length = 0;
  if (!measure(call, value, &length)) {
    throw_type(call, "an array of strings or Uint8Arrays");
    return CALL_THROWN;
  }
  if (length >= STRINGS_BYTES - *used) return E2BIG;
  if (length >= *room - *used) {
    size_t more = 2 * (*used + length + 1);
    char *larger = realloc(*text, more);
    if (larger == NULL) return ENOMEM;
    *text = larger;
    *room = more;
  }
  int error = copy(call, value, *text + *used, length);
  *used += length + 1;
  return error;
}

struct strings take_strings(struct call *call) {
  struct strings strings = {NULL, NULL};
  unsigned count;
  napi_value array = take_array(call, STRINGS_MAX, &count);
  if (array == NULL) return strings;
  size_t used = 0;
  size_t room = 0;
  for (unsigned index = 0; index < count; index++) {
    napi_value value;
    if (!element(call, array, index, &value)) return strings;
    int error = append(call, value, &strings.text, &used, &room);
    if (error > 0) refuse_with(call, error);
    if (error != 0) return strings;
  }
  strings.items = calloc(count + 1, sizeof *strings.items);
  if (strings.items == NULL) {
    refuse_with(call, ENOMEM);
    return strings;
  }
  /* Only now does the text stay where it is. */
  char *item = strings.text;
  for (unsigned index = 0; index < count; index++) {
    strings.items[index] = item;
    item += strlen(item) + 1;
  }
  return strings;
}

void free_strings(struct strings *strings) {
  free(strings->items);
  free(strings->text);
  *strings = (struct strings){NULL, NULL};
}

void take_descriptors(struct call *call, struct descriptors *descriptors) {
  napi_value array = take_array(call, DESCRIPTORS_MAX, &descriptors->count);
  for (unsigned index = 0; array != NULL && index < descriptors->count; index++) {
    napi_value value;
    if (!element(call, array, index, &value)) return;
    napi_valuetype type = napi_undefined;
    int64_t descriptor = 0;
    if (napi_typeof(call->env, value, &type) != napi_ok || type != napi_number) {
      throw_type(call, "an array of descriptors");
      return;
    }
    if (!whole_number(call, value, INT_MIN, INT_MAX, &descriptor)) {
      throw_range(call, "an array of descriptors");
      return;
    }
    descriptors->items[index] = (int)descriptor;
  }
}

napi_value answer_number(const struct call *call, double number) {
  napi_value value = NULL;
  napi_create_double(call->env, number, &value);
  return value;
}

napi_value answer_error(const struct call *call, int error) {
  return answer_number(call, -error);
}

napi_value answer(const struct call *call, long result) {
  return result == -1 ? answer_error(call, errno) : answer_number(call, (double)result);
}

napi_value answer_bytes(const struct call *call, const void *bytes, size_t length) {
  napi_value buffer = NULL;
  napi_value array = NULL;
  void *copy = NULL;
  if (napi_create_arraybuffer(call->env, length, &copy, &buffer) != napi_ok) return NULL;
  if (length > 0) memcpy(copy, bytes, length);
  napi_create_typedarray(call->env, napi_uint8_array, length, buffer, 0, &array);
  return array;
}

napi_value answer_object(const struct call *call) {
  napi_value object = NULL;
  napi_create_object(call->env, &object);
  return object;
}

void set_value(const struct call *call, napi_value object, const char *name, napi_value value) {
  if (object != NULL && value != NULL) napi_set_named_property(call->env, object, name, value);
}

void set_number(const struct call *call, napi_value object, const char *name, double number) {
  set_value(call, object, name, answer_number(call, number));
}
