/**
 * The same text in memory of its own: V8 keeps a piece of a text as a reference to the whole, so an id that is kept
 * would keep the body alive that it was read from.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
