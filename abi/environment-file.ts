/** The reason why a line is not KEY=VALUE (or cannot become it, when `part`). Values are taken as they are: no `$`, no quotes. */
export function refuseEnvironmentLine(line: string, part = false): string | undefined {
  if (/\p{Cc}/u.test(line)) return "a control character";
  if (part && line === "") return undefined;
  const form = part ? /^[A-Za-z_][A-Za-z0-9_]*(?:=.*)?$/u : /^[A-Za-z_][A-Za-z0-9_]*=.*$/u;
  return form.test(line) ? undefined : "a line is KEY=VALUE";
}

/** The key of a line that `refuseEnvironmentLine` does not refuse: a file says each only once. */
export function environmentKey(line: string): string {
  return line.slice(0, line.indexOf("="));
}
