/**
 * Whether the text is `/`, or an absolute path without empty, `.` or `..` components, of at most 4095 bytes and without
 * control characters; when `part`, whether it could become one.
 */
export function isAbsolutePath(text: string, part = false): boolean {
  if (part && text === "") return true;
  if (!text.startsWith("/") || /\p{Cc}/u.test(text) || Buffer.byteLength(text) > 4095) return false;
  if (text === "/") return true;
  const components = text.slice(1).split("/");
  const last = components.pop() ?? "";
  const whole = (c: string): boolean => c !== "" && c !== "." && c !== "..";
  return components.every(whole) && (part || whole(last));
}

/** A directory of tools. CTX_PATH joins them with `:`, so none may hold one. */
export function refuseSearchPathLine(line: string, part = false): string | undefined {
  return isAbsolutePath(line, part) && !line.includes(":") ? undefined : "not an absolute path, or it holds a colon";
}
