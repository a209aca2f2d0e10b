/**
 * Why a service cannot start where it was put, not a bug of ours: `message` is one sentence that says what is wrong and
 * how to mend it. Starting again would not help, so the exit code is 78 (EX_CONFIG of sysexits(3)).
 */
export class StartError extends Error {
  override readonly name = "StartError";
}
