/**
 * A text without this character at its end, in time linear in its length: a regular expression tries at each place of
 * a long run that does not end the text.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
