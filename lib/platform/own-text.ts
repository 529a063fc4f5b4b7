/** Copies a substring: V8 slices keep the whole parent string alive, so a kept id would keep its request body. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
