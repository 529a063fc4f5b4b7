/**
 * A received text, safe for a log line or an error: control characters of both blocks and Unicode line
 * ends, which control a terminal or begin a line, are written as `\u009b`.
 */
export function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
