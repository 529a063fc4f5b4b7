/** Controls, format characters such as a change of direction, halves of a pair, and what XML forbids. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/**
 * A text with every character that does not show, or that changes how others show, written as `[U+001B]`. Ends
 * of lines and tabs remain. What is left can stand in a terminal, in XML and in HTML once it is escaped.
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(invisible, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** A curl line, if it can be copied from a report; null if it holds characters that do not show. */
export function shownCurl(curl: string | null): string | null {
  return curl === null || visible(curl) !== curl ? null : curl;
}

/** A text in one line, with a capital at its beginning and a full stop at its end. */
export function sentence(text: string): string {
  const line = visibleLine(text);
  return line.charAt(0).toUpperCase() + line.slice(1) + (/[.!?…]$/.test(line) ? '' : '.');
}
