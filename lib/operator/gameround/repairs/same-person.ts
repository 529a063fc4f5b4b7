/** What a reader does not see: format characters, and what Unicode says to ignore. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The dot of the Turkish capital İ: a keyboard's choice, as the case is. */
const dotOfI = /I\u0307/gu;

/**
 * Whether two ids are spellings of one person's, so that nobody approves their own proposal under another
 * spelling (D11.2): compared in compatibility form (NFKC), case folded, without characters that are not seen, and
 * with white space only between words. In doubt it is one person: then another one approves.
 */
export function isSamePerson(one: string, other: string): boolean {
  return one === other || folded(one) === folded(other);
}

function folded(id: string): string {
  // Either case alone leaves some letters as they are: ẞ has a lower case, ß and ı have an upper one.
  const upper = id.normalize('NFKC').replace(unseen, '').toLowerCase().toUpperCase();
  const plain = upper.normalize('NFKC').replace(unseen, '').normalize('NFD').replace(dotOfI, 'I');
  return plain.normalize('NFKC').replace(/\s+/gu, ' ').trim();
}
