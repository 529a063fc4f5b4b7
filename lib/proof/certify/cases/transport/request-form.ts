import type { WalletRequest } from '../../client';
import {
  type CaseContext,
  must,
  mustBeRefused,
  mustSucceed,
  unitsInOne,
  verdictOf,
} from '../../talk';
import { type CaseOfGroup, casesIn } from '../../talk/case';
import {
  mustAllBe4xx,
  mustAllBeRefused,
  type NamedRequest,
  postSigning,
  signedDebit,
  withHeader,
} from './forge';
import { newRound, openRound } from '../steps';

/** A signed debit with another transactionCount, which is not signed. */
function debitWithCount(context: CaseContext, count: string): WalletRequest {
  return signedDebit(context, {
    change: (body) => body.replace('Count":1', `Count":${count}`),
  });
}

/** Bodies that are not a message; each under the signature of a valid one. */
const noMessages: readonly (readonly [what: string, of: (body: string) => string])[] = [
  ['cut off in the middle', (body) => body.slice(0, -10)],
  ['with a comma after its last member', (body) => `${body.slice(0, -1)},}`],
  ['in single quotes', (body) => body.replaceAll('"', "'")],
  ['that is empty', () => ''],
  ['that is a list', (body) => `[${body}]`],
  ['that is null', () => 'null'],
];

function notMessages(context: CaseContext): NamedRequest[] {
  return noMessages.map(([what, of]) => [`a body ${what}`, signedDebit(context, { change: of })]);
}

/** A call without one of its fields, signed over the others. */
function withoutField(context: CaseContext, left: string): NamedRequest {
  const round = context.round();
  const debit = round.firstDebit(context.stake);
  const amount = String(context.stake / unitsInOne);
  const [playerId, gameCode, gameRound] = [context.playerId, context.gameCode, round.gameRound];
  const all = { playerId, gameCode, gameRound, hash: debit.hash, amount };
  const fields = Object.entries(all).flatMap(([name, text]) => (name === left ? [] : [text]));
  const hash = left === 'hash' ? undefined : debit.hash;
  const absent = left === 'hash' ? {} : { [left]: undefined };
  const body = round.message([{ ...debit, hash: hash ?? '' }], absent);
  const sent = hash === undefined ? body.replace('"hash":"",', '') : body;
  return [`a debit without ${left}`, postSigning(context, fields, sent)];
}

/** What a call of doTransactions is made of. */
export const requestFormCases = casesIn('request-form', [
  ...[
    { id: 'too-small', when: 'transactionCount is 0 with one transaction', count: 0 },
    { id: 'too-large', when: 'transactionCount is 2 with one transaction', count: 2 },
    { id: 'absent', when: 'transactionCount is absent', count: undefined },
  ].map(
    ({ id, when, count }): CaseOfGroup => ({
      id: `transaction-count-${id}`,
      rule: 'Operator API 4.1, rule 4',
      given: 'a player with money',
      when: `${when}, in a call with a debit`,
      expected: 'it is answered 400 with error 16, lists no hash as processed, and no money moves',
      async play(context) {
        const { round, before } = await newRound(context);
        const debit = round.firstDebit(context.stake);
        const answer = await context.post(round.message([debit], { transactionCount: count }));
        mustBeRefused(answer, `a call whose ${when}`, { status: 400, id: 16 });
        const said = verdictOf(answer, debit.hash);
        must(said !== 'processed', 'a call that is refused must list no hash as processed', answer);
        await context.balanceMustBe(before, 'after the call');
      },
    }),
  ),
  {
    id: 'transaction-count-no-number',
    rule: 'Operator API 4.1, rule 4 (D2.2)',
    given: 'a player with money',
    when: 'transactionCount is "1" or 1.5 in a call with one debit',
    expected: 'it is refused, and no money moves',
    otherwise: 'A wallet may read "1" as a number.',
    play: (context) =>
      mustAllBeRefused(context, [
        ['a transactionCount of "1"', debitWithCount(context, '"1"')],
        ['a transactionCount of 1.5', debitWithCount(context, '1.5')],
      ]),
  },
  {
    id: 'no-transactions',
    rule: 'Operator API 4.1 (D2.2)',
    given: 'a player with money',
    when: 'a call has an empty list of transactions',
    expected: 'it is refused',
    otherwise: 'A wallet may answer 200, since nothing failed.',
    async play(context) {
      const answer = await context.post(context.round().message([]));
      mustBeRefused(answer, 'a call without transactions');
    },
  },
  {
    id: 'not-a-message',
    rule: 'Operator API 4 and 7, rule 2',
    given: 'a player with money',
    when: 'a body comes that is not JSON, or no object',
    expected: 'it is refused, the wallet keeps working, and no money moves',
    play: (context) => mustAllBeRefused(context, notMessages(context)),
  },
  {
    id: 'not-a-message-is-4xx',
    rule: 'Operator API 7, rule 2 (D6.3)',
    given: 'a player with money',
    when: 'a body comes that is not JSON, or no object',
    expected: "it is answered 4xx: the fault is not the wallet's",
    otherwise: 'The specification allows any 4xx or 5xx.',
    play: (context) => mustAllBe4xx(context, notMessages(context)),
  },
  {
    id: 'field-missing',
    rule: 'Operator API 4.1, request and signed fields',
    given: 'a player with money',
    when: 'a debit comes without playerId, gameRound or hash, signed over what it has',
    expected: 'it is refused, and no money moves',
    play: (context) =>
      mustAllBeRefused(
        context,
        ['playerId', 'gameRound', 'hash'].map((name) => withoutField(context, name)),
      ),
  },
  {
    id: 'type-unknown',
    rule: 'Operator API 2.1 (type)',
    given: 'a round with a debit',
    when: 'a transaction of type refund comes, and one without a type',
    expected: 'each is refused, and no money moves',
    async play(context) {
      const { round } = await openRound(context);
      const credit = round.credit(context.stake);
      const untyped = round.message([round.credit(context.stake)]).replace('"type":"credit",', '');
      const refund = round.message([{ ...credit, type: 'refund' }]);
      await mustAllBeRefused(context, [
        ['a transaction of type refund', context.sign(refund)],
        ['a transaction without a type', context.sign(untyped)],
      ]);
    },
  },
  {
    id: 'types-in-upper-case',
    rule: 'Operator API 2.1 (D2.3)',
    given: 'a player with money',
    when: 'a round is played with DEBIT, Credit and END',
    expected: 'each is answered 200',
    otherwise: 'The specification has upper case for VOID alone.',
    async play(context) {
      const round = context.round();
      mustSucceed(
        await round.send(round.firstDebit(context.stake, { type: 'DEBIT' })),
        'the DEBIT',
      );
      mustSucceed(await round.send(round.credit(context.stake, { type: 'Credit' })), 'the Credit');
      mustSucceed(await round.send(round.end({ type: 'END' })), 'the END');
    },
  },
  {
    id: 'booleans-as-text',
    rule: 'Public documentation: boolean (D2.3)',
    given: 'a player with money',
    when: 'isFirstDebit comes as the text "true", then on a second debit as "false"',
    expected: 'both are answered 200, and both amounts are taken',
    otherwise: 'The specification says boolean, not text.',
    async play(context) {
      const { round, before } = await newRound(context);
      const first = round.firstDebit(context.stake, { isFirstDebit: 'true' });
      mustSucceed(await round.send(first), 'a first debit with isFirstDebit "true"');
      const second = round.followUp(context.stake, { isFirstDebit: 'false' });
      mustSucceed(await round.send(second), 'a follow-up debit with isFirstDebit "false"');
      await context.balanceMustBe(before - context.stake * 2n, 'after the two debits');
    },
  },
  {
    id: 'content-type-with-charset',
    rule: 'Operator API 4 (bodies are application/json)',
    given: 'a player with money',
    when: 'a debit comes with the content type application/json; charset=utf-8',
    expected: 'it is answered 200',
    async play(context) {
      const request = withHeader(
        signedDebit(context),
        'Content-Type',
        'application/json; charset=utf-8',
      );
      mustSucceed(await context.send(request), 'a debit of application/json; charset=utf-8');
    },
  },
  {
    id: 'content-type-is-read',
    rule: 'Operator API 4 (D2.1)',
    given: 'a player with money',
    when: 'a debit comes as text/plain, or with a Content-Encoding',
    expected: 'it is refused, and no money moves',
    otherwise: 'A wallet may read any body as JSON.',
    play: (context) =>
      mustAllBeRefused(context, [
        ['a debit of text/plain', withHeader(signedDebit(context), 'Content-Type', 'text/plain')],
        [
          'a debit with a Content-Encoding',
          withHeader(signedDebit(context), 'Content-Encoding', 'br'),
        ],
      ]),
  },
  {
    id: 'unknown-fields-are-ignored',
    rule: 'Operator API 9 (D2.1)',
    given: 'a player with money',
    when: 'a debit comes with fields that the specification does not have',
    expected: 'it is answered 200: a later release may add fields',
    otherwise: 'The specification does not say that further fields may come.',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(context.stake, { spin: { reels: [1, 2, 3] } });
      const body = round.message([debit], { releaseOfTheService: '2.99.0' });
      mustSucceed(await context.post(body), 'a debit with unknown fields');
    },
  },
]);
