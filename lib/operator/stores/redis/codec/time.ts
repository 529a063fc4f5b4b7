let latest = Number.NaN;
let latestText = '';

/**
 * Milliseconds since 1970 as stored, in base 36. All parts of a commit have the same time, and so have
 * many commits of a busy process, and formatting such a number is expensive: the text is kept until
 * another time is needed.
 * @throws TypeError for a time of a clock that has fractions: what is written could not be read again.
 */
export function encodeTime(at: number): string {
  if (at !== latest) {
    if (!Number.isSafeInteger(at) || at < 0) {
      throw new TypeError('a clock must answer whole milliseconds since 1970');
    }
    latestText = at.toString(36);
    latest = at;
  }
  return latestText;
}

let latestRead: readonly [text: string | undefined, at: number] = [undefined, Number.NaN];

/** The stored milliseconds; NaN for any other text. */
export function decodeTime(text: string | undefined): number {
  if (text !== latestRead[0]) {
    const isTime = text !== undefined && /^[0-9a-z]+$/.test(text);
    latestRead = [text, isTime ? Number.parseInt(text, 36) : Number.NaN];
  }
  return latestRead[1];
}
