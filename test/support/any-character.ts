import * as fc from 'fast-check';

const [firstSurrogate, surrogates, characters] = [0xd800, 0x800, 0x110000];

/**
 * Every character of Unicode, as a text of its own; no half of a surrogate pair. It is `binary` of fast-check without
 * the table of all of them, which takes a second and a half to make.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(characters - surrogates - 1)
  .map((n) => String.fromCodePoint(n < firstSurrogate ? n : n + surrogates));
