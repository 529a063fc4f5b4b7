import { type CaseContext, exactly, mustSucceed, unitsInOne } from '../../talk';
import { casesIn } from '../../talk/case';
import {
  headerOf,
  mustAllBe4xx,
  mustAllBeRefused,
  postSigning,
  signatureHeaders,
  signedDebit,
  withHeader,
} from './forge';
import { newRound } from '../steps';

type Form = readonly [what: string, of: (signature: string) => string];

/** Texts that do not decode to the signature's bytes. */
const wrongForms: readonly Form[] = [
  ['nothing as its signature', () => ''],
  ['the first 8 characters of its signature', (text) => text.slice(0, 8)],
  ['its signature less the last 8 characters', (text) => text.slice(0, -8)],
  [
    'the first half of its signature alone right',
    (text) => `${text.slice(0, 22)}${'A'.repeat(21)}=`,
  ],
  ['its signature right but for the last characters', (text) => otherAt(text, 41)],
  ['its signature right but for the 21st character', (text) => otherAt(text, 20)],
  ['the letters of its signature in lower case', (text) => text.toLowerCase()],
  ['the letters of its signature in upper case', (text) => text.toUpperCase()],
];

/** The text with another letter at this place. */
function otherAt(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

/** Other texts of the right bytes. */
const otherForms: readonly Form[] = [
  ['its signature in hex', (text) => Buffer.from(text, 'base64').toString('hex')],
  ['its signature in url-safe base64', (text) => Buffer.from(text, 'base64').toString('base64url')],
  ['text after its signature', (text) => `${text}AAAA`],
  ['a mark within its signature', (text) => `${text.slice(0, 20)}.${text.slice(20)}`],
];

/** A new debit with each form of its signature. */
function debitsWith(context: CaseContext, forms: readonly Form[]) {
  return forms.map(([what, of]) => {
    const request = signedDebit(context);
    const { signature } = signatureHeaders;
    const text = of(headerOf(request, signature));
    return [`a debit with ${what}`, withHeader(request, signature, text)] as const;
  });
}

/** Forms of a signature, and of what is signed. */
export const signatureFormCases = casesIn('signature', [
  {
    id: 'signature-is-compared-whole',
    rule: 'Operator API 5, rule 2',
    given: 'a player with money',
    when: 'a debit comes with a part of its signature, with none, or with its letters in another case',
    expected: 'it is refused, and no money moves',
    play: (context) => mustAllBeRefused(context, debitsWith(context, wrongForms)),
  },
  {
    id: 'signature-is-canonical',
    rule: 'Operator API 5, rule 2 (D1.4)',
    given: 'a player with money',
    when: 'a debit comes with its signature in hex, in url-safe base64, or with text after or within it',
    expected: 'it is refused, and no money moves',
    otherwise: 'A lenient decoder reads the same bytes, and who sends them knows the signature.',
    play: (context) => mustAllBeRefused(context, debitsWith(context, otherForms)),
  },
  {
    id: 'header-names-in-small-letters',
    rule: 'Operator API 5, rule 1 (D1.1)',
    given: 'a player with money',
    when: 'a debit comes whose headers are named in small letters, as a proxy may write them',
    expected: 'it is answered 200',
    otherwise: 'The specification writes the names in capitals; in HTTP case does not count.',
    async play(context) {
      const request = signedDebit(context);
      const headers = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
      mustSucceed(
        await context.send({ ...request, headers }),
        'a debit with names in small letters',
      );
    },
  },
  {
    id: 'zero-amount-is-not-signed',
    rule: 'Operator API 4.1, signed fields',
    given: 'a round with a debit',
    when: 'an end comes with the amount 0, which adds nothing to the signed fields',
    expected: 'it is answered 200',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(context.stake);
      const end = round.end({ amount: exactly(0n), currency: context.currency });
      mustSucceed(await round.send(debit, end), 'a debit, and an end with the amount 0,');
    },
  },
  {
    id: 'zero-in-any-spelling-is-not-signed',
    rule: 'Operator API 4.1, signed fields (D1.5)',
    given: 'a round with a debit',
    when: 'an end comes with the amount 0.00',
    expected: 'it is answered 200',
    otherwise: 'The service sends whole numbers, and none with a point.',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(context.stake);
      const end = round.end({ amount: exactly('0.00'), currency: context.currency });
      mustSucceed(await round.send(debit, end), 'a debit, and an end with the amount 0.00,');
    },
  },
  {
    id: 'amount-is-signed-as-written',
    rule: 'Operator API 4.1, signed fields (D1.5)',
    given: 'a player with money',
    when: 'the amount of a debit is written with zeros after a point, and signed as it is written',
    expected: 'it is answered 200, and the amount is taken',
    otherwise: 'The service sends whole numbers, and none with a point.',
    async play(context) {
      const { round, before } = await newRound(context);
      const text = `${context.stake / unitsInOne}.00`;
      mustSucceed(await round.send(round.firstDebit(text)), `a debit of ${text}`);
      await context.balanceMustBe(before - context.stake, `after a debit of ${text}`);
    },
  },
  {
    id: 'amount-is-signed-in-short',
    rule: 'Operator API 4.1, signed fields (D1.5)',
    given: 'a player with money',
    when: 'the amount of a debit is written with zeros after a point, and signed without them',
    expected: 'it is answered 200, and the amount is taken',
    otherwise: 'The service sends whole numbers, and none with a point.',
    async play(context) {
      const { round, before } = await newRound(context);
      const short = String(context.stake / unitsInOne);
      const debit = round.firstDebit(`${short}.00`);
      const fields = [context.playerId, context.gameCode, round.gameRound, debit.hash, short];
      const answer = await context.send(postSigning(context, fields, round.message([debit])));
      mustSucceed(answer, `a debit of ${short}.00, signed as ${short},`);
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'ambiguous-field-is-refused',
    rule: 'Operator API 5, rule 2 (D1.6)',
    given: 'a player with money',
    when: 'a debit comes whose gameRound holds a #, the mark between signed fields, or a line end',
    expected: 'it is refused 4xx, and no money moves',
    otherwise: 'The specification does not forbid it; two messages then have one signature.',
    async play(context) {
      const requests = ['#', '\n'].map((mark) => {
        const gameRound = `${context.newHash()}${mark}1`;
        const round = context.round({ gameRound });
        const debit = round.firstDebit(context.stake);
        const amount = String(context.stake / unitsInOne);
        const fields = [context.playerId, context.gameCode, gameRound, debit.hash, amount];
        const what = `a gameRound with ${JSON.stringify(mark)}`;
        return [what, postSigning(context, fields, round.message([debit]))] as const;
      });
      await mustAllBe4xx(context, requests);
    },
  },
]);
