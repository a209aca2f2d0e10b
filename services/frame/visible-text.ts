/** Controls (C0, DEL, C1), what only changes how a line is shown (bidirectional marks), and line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The text on one line, without anything a terminal would obey: such characters become JSON's `\uXXXX`. A text that is
 * JSON means the same afterwards, since there they stand inside strings only.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
