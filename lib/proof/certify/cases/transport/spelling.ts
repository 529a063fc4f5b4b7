import { type CaseContext, mustSucceed, type Transaction } from '../../talk';
import { casesIn } from '../../talk/case';
import { mustAllBe4xx, mustAllBeRefused, mustBe4xx, signedDebit, withBody } from './forge';
import { newRound, openRound } from '../steps';

/** The transaction without some of its members. */
function less(transaction: Transaction, ...names: readonly string[]): Transaction {
  const left: Record<string, undefined> = {};
  for (const name of names) left[name] = undefined;
  return { ...transaction, ...left };
}

/** A credit without a member in an open round, and a debit without it in a new one; each is refused. */
async function mustDemand(context: CaseContext, member: string): Promise<void> {
  const { round } = await openRound(context);
  const other = context.round();
  const debit = other.message([less(other.firstDebit(context.stake), member)]);
  const credit = round.message([less(round.credit(context.stake), member)]);
  await mustAllBe4xx(context, [
    [`a debit without ${member}`, context.sign(debit)],
    [`a credit without ${member}`, context.sign(credit)],
  ]);
}

/** A signed debit whose body gets text in front of its last brace, or of its transaction's. */
function debitWithText(context: CaseContext, text: string) {
  return signedDebit(context, { change: (body) => `${body.slice(0, -1)},${text}}` });
}

function withTwoAmounts(body: string): string {
  return body.replace('"amount":', '"amount":0,"amount":');
}

/** The same message in other words. */
export const spellingCases = casesIn('request-form', [
  {
    id: 'body-with-other-spelling',
    rule: 'Operator API 4 (bodies are JSON)',
    given: 'a player with money',
    when: 'a debit comes with white space in its JSON, its members in another order and a letter as an escape',
    expected: 'it is answered 200, and its amount is taken',
    async play(context) {
      const { round, before } = await newRound(context);
      const { hash, amount, type, ...more } = round.firstDebit(context.stake);
      const parsed = round.message([{ reason: 'x', amount, ...more, hash, type } as Transaction]);
      const { playerId, gameCode } = context;
      const [, list = ''] = /"transactions":(\[.*\]),"transactionCount"/s.exec(parsed) ?? [];
      const members = [
        `"transactionCount" : 1`,
        `"transactions":\t${list.replace('"debit"', String.raw`"d\u0065bit"`)}`,
        `"gameRound": ${JSON.stringify(round.gameRound)}`,
        `"gameCode": ${JSON.stringify(gameCode)}`,
        `"playerId": ${JSON.stringify(playerId)}`,
      ];
      const answer = await context.post(`{\n  ${members.join(',\r\n  ')}\n}\n`);
      mustSucceed(answer, 'a debit in another spelling');
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'end-has-three-fields',
    rule: 'Operator API 2.1 (an end carries type, hash and timestamp)',
    given: 'a round with a debit',
    when: 'its end comes with type, hash and timestamp alone',
    expected: 'it is answered 200',
    async play(context) {
      const { round } = await openRound(context);
      mustSucceed(await round.send(less(round.end(), 'reason')), 'an end of three fields');
    },
  },
  {
    id: 'timestamps-of-transactions',
    rule: 'Operator API 2.1 (timestamp is ISO 8601)',
    given: 'a player with money',
    when: 'transactions have timestamps in whole seconds, and of an hour ago in another zone',
    expected: 'they are answered 200: a transaction that is sent again keeps its own time',
    async play(context) {
      const round = context.round();
      const iso = new Date(context.clock.now()).toISOString();
      const debit = round.firstDebit(context.stake, { timestamp: iso.replace(/\.\d+Z$/, 'Z') });
      const end = round.end({ timestamp: iso.replace('Z', '+01:00') });
      mustSucceed(await round.send(debit, end), 'transactions with other timestamps');
    },
  },
  {
    id: 'amount-missing',
    rule: 'Operator API 2.1 (amount) (D2.4)',
    given: 'a round with a debit',
    when: 'a debit and a credit come without an amount, and without a free play',
    expected: 'each is answered 4xx, and no money moves',
    otherwise: 'A wallet may take a missing amount for 0.',
    play: (context) => mustDemand(context, 'amount'),
  },
  {
    id: 'currency-missing',
    rule: 'Operator API 2.1 (currency) (D2.4)',
    given: 'a round with a debit',
    when: 'a debit and a credit come without a currency',
    expected: 'each is answered 4xx, and no money moves',
    otherwise: 'A wallet with one currency for each player may take that one.',
    play: (context) => mustDemand(context, 'currency'),
  },
  {
    id: 'key-twice',
    rule: 'Operator API 4 (D2.1)',
    given: 'a player with money',
    when: 'a debit comes with a second gameRound, or a second amount, in its JSON',
    expected: 'it is refused, and no money moves',
    otherwise: 'Many parsers take the last one; what was signed is then another.',
    async play(context) {
      await mustAllBeRefused(context, [
        [
          'a debit with gameRound twice',
          debitWithText(context, `"gameRound":"${context.newHash()}"`),
        ],
        ['a debit with two amounts', signedDebit(context, { change: withTwoAmounts })],
      ]);
    },
  },
  {
    id: 'key-of-the-prototype',
    rule: 'Operator API 4 (D2.1)',
    given: 'a player with money',
    when: 'a debit comes with a member __proto__ in its JSON',
    expected: 'it is refused, and no money moves',
    otherwise: 'In most languages the name means nothing, and is an unknown field.',
    play: (context) =>
      mustAllBeRefused(context, [
        ['a debit with __proto__', debitWithText(context, '"__proto__":{"type":"credit"}')],
      ]),
  },
  {
    id: 'bytes-beyond-utf-8',
    rule: 'Public documentation: UTF-8 (D2.1)',
    given: 'a player with money',
    when: 'a debit comes with a reason whose bytes are not UTF-8',
    expected: 'it is answered 4xx, and no money moves',
    otherwise: 'Many decoders put a mark in the place of such bytes.',
    async play(context) {
      const round = context.round();
      const body = round.message([round.firstDebit(context.stake, { reason: 'xxxx' })]);
      const bytes = Buffer.from(body);
      bytes.set([0xc3, 0x28, 0xff, 0xfe], bytes.indexOf('"xxxx"') + 1);
      await mustAllBe4xx(context, [
        ['a debit with bytes that are not UTF-8', withBody(context.sign(body), bytes)],
      ]);
    },
  },
  {
    id: 'text-in-any-language',
    rule: 'Operator API 2.1 (reason is free text); 4 (bodies are JSON)',
    given: 'a player with money',
    when: 'a debit comes with a reason in letters beyond ASCII',
    expected: 'it is answered 200',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(context.stake, { reason: 'Dreh № 7 – 旋转 🎰' });
      mustSucceed(await round.send(debit), 'a debit with a reason beyond ASCII');
    },
  },
  {
    id: 'unknown-player-is-refused',
    rule: 'Operator API 4.1, rules 2 and 6',
    given: 'a player id that the wallet does not have',
    when: 'a debit comes for it, then a credit and no debit',
    expected: 'both are refused, the credit with 4xx: a credit must never fail with a 5xx',
    async play(context) {
      const round = context.round({ playerId: `nobody-${context.newHash()}` });
      const debit = context.sign(round.message([round.firstDebit(context.stake)]));
      await mustAllBeRefused(context, [['a debit of an unknown player', debit]]);
      mustBe4xx(await round.send(round.credit(context.stake)), 'a credit of an unknown player');
    },
  },
]);
