/** What `struct.unpack` returns is on Lua's stack, which holds 8000. */
const textsInPart = 1000;
const end = '\0';

/**
 * Texts as one argument for fields.lua: ioredis encodes many arguments slowly. Each ends with NUL; for a text that holds NUL
 * the format has its number of bytes.
 */
export function packTexts(texts: readonly string[]): string {
  let packed = packPart(texts.length > textsInPart ? texts.slice(0, textsInPart) : texts);
  for (let at = textsInPart; at < texts.length; at += textsInPart) {
    packed += packPart(texts.slice(at, at + textsInPart));
  }
  return packed;
}

function packPart(texts: readonly string[]): string {
  let format = '';
  let data = '';
  for (const text of texts) {
    format += text.includes(end) ? `c${Buffer.byteLength(text)}x` : 's';
    data += text + end;
  }
  return `${format}\n${data}`;
}
