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

/** The stored milliseconds; NaN for any other text. */
export function decodeTime(text: string | undefined): number {
  return text !== undefined && /^[0-9a-z]+$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
}
