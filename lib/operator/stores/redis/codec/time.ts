let latest = Number.NaN;
let latestText = '';

/**
 * Milliseconds since 1970 as stored, in base 36. All of a commit have one moment, and so have many
 * commits of a busy process, and the text of such a number is dear: it is kept until another is asked for.
 */
export function encodeTime(at: number): string {
  if (at !== latest) {
    latestText = at.toString(36);
    latest = at;
  }
  return latestText;
}

/** The milliseconds that were stored; NaN for what are none. */
export function decodeTime(text: string | undefined): number {
  return text !== undefined && /^[0-9a-z]+$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
}
