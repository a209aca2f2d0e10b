import type { ErrnoName } from "./errno.ts";

/** A documented failure: the peer is told and may go on. The message says the cause and what to do about it. */
export interface Refusal {
  readonly errno: ErrnoName;
  readonly message: string;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function accepted<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function refused(errno: ErrnoName, message: string): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { errno, message } };
}
