/** Control characters of both blocks, and `#`, which would make the signed string ambiguous (D1.6). */
// oxlint-disable-next-line no-control-regex
const unsignable = /[\u0000-\u001f\u007f-\u009f#]/;

/** Whether a text may be in a signed field (D1.6). */
export function isSignable(text: string): boolean {
  return !unsignable.test(text);
}

/** Whether a text is an identifier: 1 to 128 signable characters (D1.6, D2.6). */
export function isIdentifier(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length > 0 &&
    text.length <= 256 &&
    (text.length <= 128 || Array.from(text).length <= 128) &&
    text.isWellFormed() &&
    isSignable(text)
  );
}

/** Whether a text has the form of an ISO 4217 code: three upper-case letters. */
export function isCurrency(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Z]{3}$/.test(text);
}

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
