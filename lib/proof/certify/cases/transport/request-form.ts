import type { WalletRequest } from '../../client';
import {
  given,
  must,
  mustBeRefused,
  mustSucceed,
  type Stage,
  unitsInOne,
  verdictOf,
  voidOf,
} from '../../talk';
import type { Case } from '../case';
import {
  headersSigning,
  isoNow,
  mustAllBe4xx,
  mustAllBeRefused,
  type NamedRequest,
  postOf,
  withBody,
  withHeader,
} from './forge';

/** A debit of a round of its own, with other members of the message; none of those is signed. */
function debitWith(stage: Stage, more: { readonly transactionCount?: number | string }) {
  const round = stage.round();
  return stage.sign(round.message([round.firstDebit(stage.stake)], more));
}

/** A signed debit whose body is changed as a text. */
function rewritten(stage: Stage, change: (body: string) => string): WalletRequest {
  const round = stage.round();
  const body = round.message([round.firstDebit(stage.stake)]);
  return withBody(stage.sign(body), change(body));
}

/** Bodies that are not a message; each under the signature of a valid one. */
const noMessages: readonly (readonly [what: string, of: (body: string) => string])[] = [
  ['cut off in the middle', (body) => body.slice(0, -10)],
  ['with a comma behind its last member', (body) => `${body.slice(0, -1)},}`],
  ['in single quotes', (body) => body.replaceAll('"', "'")],
  ['that is empty', () => ''],
  ['that is a list', (body) => `[${body}]`],
  ['that is null', () => 'null'],
];

function notMessages(stage: Stage): NamedRequest[] {
  return noMessages.map(([what, of]) => [`a body ${what}`, rewritten(stage, of)]);
}

/** A call without one of its fields, signed over the others. */
function withoutField(stage: Stage, left: string): NamedRequest {
  const round = stage.round();
  const debit = round.firstDebit(stage.stake);
  const amount = String(stage.stake / unitsInOne);
  const [playerId, gameCode, gameRound] = [stage.playerId, stage.gameCode, round.gameRound];
  const all = { playerId, gameCode, gameRound, hash: debit.hash, amount };
  const fields = Object.entries(all).flatMap(([name, text]) => (name === left ? [] : [text]));
  const hash = left === 'hash' ? undefined : debit.hash;
  const absent = left === 'hash' ? {} : { [left]: undefined };
  const body = round.message([{ ...debit, hash: hash ?? '' }], absent);
  const sent = hash === undefined ? body.replace('"hash":"",', '') : body;
  return [
    `a debit without ${left}`,
    postOf(headersSigning(fields, stage.operator, isoNow(stage)), sent),
  ];
}

/** What a call of doTransactions is made of. */
export const requestFormCases: readonly Case[] = [
  ...[
    { id: 'too-small', when: 'transactionCount is 0 with one transaction', count: 0 },
    { id: 'too-large', when: 'transactionCount is 2 with one transaction', count: 2 },
    { id: 'absent', when: 'transactionCount is absent', count: undefined },
  ].map(
    ({ id, when, count }): Case => ({
      id: `transaction-count-${id}`,
      group: 'request-form',
      level: 'required',
      rule: 'Operator API 4.1, rule 4',
      given: 'a player with money',
      when: `${when}, in a call with a debit`,
      expected: 'it is answered 400 with error 16, lists no hash as processed, and no money moves',
      async play(stage) {
        const before = await stage.balance();
        const round = stage.round();
        const debit = round.firstDebit(stage.stake);
        const answer = await stage.post(round.message([debit], { transactionCount: count }));
        mustBeRefused(answer, `a call whose ${when}`, { status: 400, id: 16 });
        const said = verdictOf(answer, debit.hash);
        must(said !== 'processed', 'a call that is refused must list no hash as processed', answer);
        await stage.balanceMustBe(before, 'after the call');
      },
    }),
  ),
  {
    id: 'transaction-count-no-number',
    group: 'request-form',
    level: 'advisory',
    rule: 'Operator API 4.1, rule 4 (D2.2)',
    given: 'a player with money',
    when: 'transactionCount is "1" or 1.5 in a call with one debit',
    expected: 'it is refused, and no money moves',
    otherwise: 'A wallet may read "1" as a number.',
    play: (stage) =>
      mustAllBeRefused(stage, [
        ['a transactionCount of "1"', debitWith(stage, { transactionCount: '1' })],
        ['a transactionCount of 1.5', debitWith(stage, { transactionCount: 1.5 })],
      ]),
  },
  {
    id: 'no-transactions',
    group: 'request-form',
    level: 'advisory',
    rule: 'Operator API 4.1 (D2.2)',
    given: 'a player with money',
    when: 'a call has an empty list of transactions',
    expected: 'it is refused',
    otherwise: 'A wallet may answer 200, since nothing failed.',
    async play(stage) {
      const answer = await stage.post(stage.round().message([]));
      mustBeRefused(answer, 'a call without transactions');
    },
  },
  {
    id: 'not-a-message',
    group: 'request-form',
    level: 'required',
    rule: 'Operator API 4 and 7, rule 2',
    given: 'a player with money',
    when: 'a body comes that is not JSON, or no object',
    expected: 'it is refused, the wallet goes on, and no money moves',
    play: (stage) => mustAllBeRefused(stage, notMessages(stage)),
  },
  {
    id: 'not-a-message-is-4xx',
    group: 'request-form',
    level: 'advisory',
    rule: 'Operator API 7, rule 2 (D6.3)',
    given: 'a player with money',
    when: 'a body comes that is not JSON, or no object',
    expected: "it is answered 4xx: the fault is not the wallet's",
    otherwise: 'The specification allows any 4xx or 5xx.',
    play: (stage) => mustAllBe4xx(stage, notMessages(stage)),
  },
  {
    id: 'field-missing',
    group: 'request-form',
    level: 'required',
    rule: 'Operator API 4.1, request and signed fields',
    given: 'a player with money',
    when: 'a debit comes without playerId, gameRound or hash, signed over what it has',
    expected: 'it is refused, and no money moves',
    play: (stage) =>
      mustAllBeRefused(
        stage,
        ['playerId', 'gameRound', 'hash'].map((name) => withoutField(stage, name)),
      ),
  },
  {
    id: 'type-unknown',
    group: 'request-form',
    level: 'required',
    rule: 'Operator API 2.1 (type)',
    given: 'a round with a debit',
    when: 'a transaction of type refund comes, and one without a type',
    expected: 'each is refused, and no money moves',
    async play(stage) {
      const round = stage.round();
      given(await round.send(round.firstDebit(stage.stake)), 'the debit');
      const credit = round.credit(stage.stake);
      const untyped = round.message([round.credit(stage.stake)]).replace('"type":"credit",', '');
      const refund = round.message([{ ...credit, type: 'refund' }]);
      await mustAllBeRefused(stage, [
        ['a transaction of type refund', stage.sign(refund)],
        ['a transaction without a type', stage.sign(untyped)],
      ]);
    },
  },
  {
    id: 'void-in-upper-case',
    group: 'request-form',
    level: 'required',
    rule: 'Operator API 2.1 (type)',
    given: 'a round with a debit',
    when: 'its void comes as VOID, with amount and currency',
    expected: 'it is answered 200, and the balance is what it was before the debit',
    async play(stage) {
      const before = await stage.balance();
      const round = stage.round();
      const debit = round.firstDebit(stage.stake);
      given(await round.send(debit), 'the debit');
      mustSucceed(await round.send(voidOf(debit, { type: 'VOID' })), 'the VOID');
      await stage.balanceMustBe(before, 'after the VOID');
    },
  },
  {
    id: 'types-in-upper-case',
    group: 'request-form',
    level: 'advisory',
    rule: 'Operator API 2.1 (D2.3)',
    given: 'a player with money',
    when: 'a round is played with DEBIT, Credit and END',
    expected: 'each is answered 200',
    otherwise: 'The specification has upper case for VOID alone.',
    async play(stage) {
      const round = stage.round();
      mustSucceed(await round.send(round.firstDebit(stage.stake, { type: 'DEBIT' })), 'the DEBIT');
      mustSucceed(await round.send(round.credit(stage.stake, { type: 'Credit' })), 'the Credit');
      mustSucceed(await round.send(round.end({ type: 'END' })), 'the END');
    },
  },
  {
    id: 'booleans-as-text',
    group: 'request-form',
    level: 'required',
    rule: 'Operator API 2.1 (isFirstDebit); public documentation: boolean',
    given: 'a player with money',
    when: 'isFirstDebit comes as the text "true", then on a second debit as "false"',
    expected: 'both are answered 200, and both amounts are taken',
    async play(stage) {
      const before = await stage.balance();
      const round = stage.round();
      const first = round.firstDebit(stage.stake, { isFirstDebit: 'true' });
      mustSucceed(await round.send(first), 'a first debit with isFirstDebit "true"');
      const second = round.followUp(stage.stake, { isFirstDebit: 'false' });
      mustSucceed(await round.send(second), 'a follow-up debit with isFirstDebit "false"');
      await stage.balanceMustBe(before - stage.stake * 2n, 'after the two debits');
    },
  },
  {
    id: 'content-type-with-charset',
    group: 'request-form',
    level: 'required',
    rule: 'Operator API 4 (bodies are application/json)',
    given: 'a player with money',
    when: 'a debit comes with the content type application/json; charset=utf-8',
    expected: 'it is answered 200',
    async play(stage) {
      const request = withHeader(
        debitWith(stage, {}),
        'Content-Type',
        'application/json; charset=utf-8',
      );
      mustSucceed(await stage.send(request), 'a debit of application/json; charset=utf-8');
    },
  },
  {
    id: 'content-type-is-read',
    group: 'request-form',
    level: 'advisory',
    rule: 'Operator API 4 (D2.1)',
    given: 'a player with money',
    when: 'a debit comes as text/plain, or with a Content-Encoding',
    expected: 'it is refused, and no money moves',
    otherwise: 'A wallet may read any body as JSON.',
    play: (stage) =>
      mustAllBeRefused(stage, [
        ['a debit of text/plain', withHeader(debitWith(stage, {}), 'Content-Type', 'text/plain')],
        [
          'a debit with a Content-Encoding',
          withHeader(debitWith(stage, {}), 'Content-Encoding', 'br'),
        ],
      ]),
  },
  {
    id: 'unknown-fields-are-ignored',
    group: 'request-form',
    level: 'advisory',
    rule: 'Operator API 9 (D2.1)',
    given: 'a player with money',
    when: 'a debit comes with fields that the specification does not have',
    expected: 'it is answered 200: a later release may add fields',
    otherwise: 'The specification does not say that further fields may come.',
    async play(stage) {
      const round = stage.round();
      const debit = round.firstDebit(stage.stake, { spin: { reels: [1, 2, 3] } });
      const body = round.message([debit], { releaseOfTheService: '2.99.0' });
      mustSucceed(await stage.post(body), 'a debit with unknown fields');
    },
  },
];
