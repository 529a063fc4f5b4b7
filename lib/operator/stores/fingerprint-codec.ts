import { noTexts } from '../gameround';
import { bodyCharacters, signatureCharacters } from '../../protocol/signature';

const characters = signatureCharacters + bodyCharacters;

/** The fingerprints of a record as one text: they are all of one length (D1.8). */
export function joinFingerprints(fingerprints: readonly string[]): string {
  return fingerprints.length < 2 ? (fingerprints[0] ?? '') : fingerprints.join('');
}

/** The fingerprints that were joined. */
export function splitFingerprints(text: string): readonly string[] {
  if (text === '') return noTexts;
  return Array.from({ length: text.length / characters }, (_, index) => {
    return text.slice(index * characters, (index + 1) * characters);
  });
}
