/** A received text without characters that control a terminal. */
export function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}

/** JSON without characters that control a terminal, which stay as escapes. What is JSON by name alone is made harmless too. */
export function printableJson(text: string): string {
  return withoutControls(
    text.replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  );
}
