/** A received text without characters that control a terminal. */
export function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}

/** A text of others for a terminal: it must not control it, nor turn the line around or end it. */
export function plain(text: string): string {
  return withoutControls(text).replace(/\p{Cf}|\p{Zl}|\p{Zp}/gu, '?');
}

/**
 * JSON as one line without characters that control a terminal: in texts they stay as escapes, between members they become
 * spaces. What is JSON by name alone is made harmless too.
 */
export function printableJson(text: string): string {
  return withoutControls(
    text
      .replace(/[\t\n\r]/g, ' ')
      .replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  );
}
