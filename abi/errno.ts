/** The errno names that may cross a wire: see spec/errors.md. Clients decide by the name and never parse a sentence. */
export const ERRNO_NAMES = [
  "EACCES",
  "EAGAIN",
  "EALREADY",
  "EBUSY",
  "ECONNREFUSED",
  "EEXIST",
  "EHOSTDOWN",
  "EINTR",
  "EINVAL",
  "EIO",
  "EMSGSIZE",
  "ENOENT",
  "ENOSPC",
  "ENOSYS",
  "EROFS",
  "ETIMEDOUT",
] as const;

export type ErrnoName = (typeof ERRNO_NAMES)[number];

const names: ReadonlySet<string> = new Set(ERRNO_NAMES);

export function isErrnoName(text: string): text is ErrnoName {
  return names.has(text);
}
