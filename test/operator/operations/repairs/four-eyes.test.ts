import { describe, expect, test } from '@jest/globals';

import { isSamePerson } from '../../../../lib/operator/gameround/repairs/decision';
import { approveRepair } from '../../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../../lib/operator/operations/repairs/propose';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { InvalidInputError } from '../../../../lib/operator/wallet';
import { RoundPlay, wordOfResult } from '../../../../lib/proof/contracts/repairs/round-play';

/** Who proposed, and another spelling of the same id. */
const spellings: readonly (readonly [what: string, proposer: string, other: string])[] = [
  ['capitals', 'anna', 'ANNA'],
  ['one capital', 'anna', 'annA'],
  ['a zero-width space', 'anna', 'an\u200bna'],
  ['a zero-width joiner', 'anna', 'an\u200dna'],
  ['a zero-width non-joiner', 'anna', '\u200canna'],
  ['a word joiner', 'anna', 'anna\u2060'],
  ['a byte order mark', 'anna', 'an\ufeffna'],
  ['a soft hyphen', 'anna', 'an\u00adna'],
  ['a left-to-right mark', 'anna', 'anna\u200e'],
  ['a tag character', 'anna', 'anna\u{e0061}'],
  ['a combining grapheme joiner', 'anna', 'an\u034fna'],
  ['a variation selector', 'anna', 'anna\ufe0f'],
  ['a Hangul filler', 'anna', 'anna\u3164'],
  ['full-width letters', 'anna', '\uff41\uff4e\uff4e\uff41'],
  ['full-width capitals', 'anna', '\uff21\uff2e\uff2e\uff21'],
  ['mathematical letters', 'anna', '\u{1d41a}\u{1d427}\u{1d427}\u{1d41a}'],
  ['letters in circles', 'anna', '\u24d0\u24dd\u24dd\u24d0'],
  ['a decomposed accent (NFD)', 'ren\u00e9', 'rene\u0301'],
  ['a decomposed accent and capitals', 'ren\u00e9', 'RENE\u0301'],
  ['marks in another order', 'q\u0323\u0307', 'q\u0307\u0323'],
  ['the sign of \u00e5ngstr\u00f6m', '\u00e5sa', '\u212bsa'],
  ['the sign of kelvin', 'kim', '\u212aim'],
  ['the long s', 'simon', '\u017fimon'],
  ['a ligature', 'fiona', '\ufb01ona'],
  ['a ligature in capitals', 'fiona', 'FIONA'.replace('FI', '\ufb01')],
  ['the sharp s', 'weiss', 'wei\u00df'],
  ['the capital sharp s', 'wei\u00df', 'WEI\u1e9e'],
  ['a final sigma of Greek', '\u03bd\u03af\u03ba\u03bf\u03c2', '\u039d\u038a\u039a\u039f\u03a3'],
  ['the Turkish dotted capital i', 'irina', '\u0130rina'],
  ['the same, decomposed', 'irina', 'I\u0307rina'],
  ['the Turkish small i without a dot', 'irina', '\u0131rina'],
  ['a space that does not break', 'anna k', 'anna\u00a0k'],
  ['two spaces', 'anna k', 'anna  k'],
  ['an ideographic space', 'anna k', 'anna\u3000k'],
];

const inMemory = () => {
  const store = createMemoryStore({ decimals: 0 });
  return { store, players: store.players };
};

describe('nobody approves their own proposal under another spelling of their id (D11.2)', () => {
  test.each(spellings)('%s', async (_, proposer, other) => {
    expect(other).not.toBe(proposer);
    for (const [by, then] of [
      [proposer, other],
      [other, proposer],
    ] as const) {
      const play = await RoundPlay.stranded(inMemory());
      const id = await play.proposed({}, { id: by, name: null });
      const approved = await play.approve(id, { id: then, name: 'Somebody Else' });
      expect(wordOfResult(approved)).toBe('ownProposal');
      await play.is('stranded', 90n);
    }
  });
});

test.each([
  ['another name', 'anna', 'hanna'],
  ['an accent', 'rene', 'ren\u00e9'],
  ['a digit', 'anna1', 'anna2'],
  ['a space between words', 'anna k', 'annak'],
])('an id with %s is another person, who may approve (D11.2)', async (_, one, other) => {
  const play = await RoundPlay.stranded(inMemory());
  const id = await play.proposed({}, { id: one, name: null });
  expect(wordOfResult(await play.approve(id, { id: other, name: null }))).toBe('made');
});

test('an id with spaces around it proposes and approves nothing', async () => {
  const play = await RoundPlay.stranded(inMemory());
  const order = { kind: 'pay', reason: 'as the RGS told us' } as const;
  for (const id of [' anna', 'anna ', 'anna\u00a0', '\u3000anna']) {
    const by = { id, name: null };
    await expect(proposeRepair(play.round, order, by, play.options())).rejects.toThrow(
      'without spaces around it',
    );
    await expect(approveRepair(play.round, 'any', by, play.options())).rejects.toThrow(
      InvalidInputError,
    );
  }
});

test('every character is one with its cases and its Unicode forms (D11.2)', () => {
  const apart: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const id = `a${String.fromCodePoint(point)}z`;
    const forms = [id.toLowerCase(), id.toUpperCase(), id.normalize('NFKC'), id.normalize('NFKD')];
    const isOne = forms.every((form) => form === id || isSamePerson(id, form));
    if (!isOne) apart.push(point.toString(16));
  }
  expect(apart).toEqual([]);
});
