import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fieldName, hashOfField } from '../../../../lib/operator/stores/redis/codec/hash-fields';

const hash = fc.oneof(
  fc.uuid(),
  fc.uuid().map((uuid) => uuid.toUpperCase()),
  fc.uuid().map((uuid) => uuid.replaceAll('-', '')),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom('t', 'T', 'v', 'V', 'h', 'g', 'T9k8ZTjZQ1WVvSkLh3Yq0g'),
);
const kind = fc.constantFrom('transaction' as const, 'void' as const);

describe('the fields of a round', () => {
  test('give back the hash that they are named by, whatever the gameRound', () => {
    fc.assert(
      fc.property(kind, hash, hash, (ofKind, ofHash, gameRound) => {
        expect(hashOfField(fieldName(ofKind, ofHash, gameRound), gameRound)).toBe(ofHash);
        expect(hashOfField(fieldName(ofKind, gameRound, gameRound), gameRound)).toBe(gameRound);
      }),
    );
  });

  test('differ wherever the hash or the kind does, and never name the head or the game', () => {
    fc.assert(
      fc.property(hash, hash, hash, (one, other, gameRound) => {
        const names = [one, other].flatMap((text) => [
          fieldName('transaction', text, gameRound),
          fieldName('void', text, gameRound),
        ]);
        expect(new Set(names).size).toBe(one === other ? 2 : 4);
        expect(names).not.toContain('h');
        expect(names).not.toContain('g');
      }),
    );
  });

  test('hold a UUID in 22 characters, and the hash that is the gameRound in none', () => {
    const uuid = '0f9619ff-8b86-4011-b42d-00c04fc964ff';
    expect(fieldName('transaction', uuid, 'round')).toHaveLength(23);
    expect(fieldName('void', uuid, uuid)).toBe('v');
  });
});
