import { noTexts } from '../../gameround';
import { textOf } from './record';
import { bodyCharacters, signatureCharacters } from '../../../protocol/signature';

const characters = signatureCharacters + bodyCharacters;

/** The fingerprints of a record as one text: all have the same length (D1.8). */
export function joinFingerprints(fingerprints: readonly string[]): string {
  return fingerprints.length < 2 ? (fingerprints[0] ?? '') : fingerprints.join('');
}

/** The joined fingerprints, split; the last is shorter if the text is not valid. */
export function splitFingerprints(value: unknown): readonly string[] {
  const text = textOf(value, 'list of fingerprints');
  if (text === '') return noTexts;
  return Array.from({ length: Math.ceil(text.length / characters) }, (_, index) => {
    return text.slice(index * characters, (index + 1) * characters);
  });
}
