import {
  type CaseContext,
  exactly,
  must,
  mustBeRefused,
  mustSucceed,
  type Round,
  unitsInOne,
} from '../../talk';
import { type CaseOfGroup, casesIn } from '../../talk/case';
import {
  getSigning,
  headerOf,
  isoNow,
  mustAllBeRefused,
  signatureHeaders,
  signedDebit,
  withBody,
  withHeader,
  withStrangeSecret,
} from './forge';

/** A valid message, and the one whose signature it bears. */
interface Difference {
  readonly id: string;
  /** In the sentence `a debit whose signature is ... `. */
  readonly what: string;
  readonly sent: (
    round: Round,
    context: CaseContext,
  ) => { readonly body: string; readonly signed: string };
}

/** Two messages of one debit each, which differ in a member of the message. */
const differingIn = (member: string) => (round: Round, context: CaseContext) => {
  const debit = round.firstDebit(context.stake);
  const body = round.message([debit]);
  return { body, signed: round.message([debit], { [member]: context.newHash() }) };
};

const differences: readonly Difference[] = [
  { id: 'player', what: 'over another playerId', sent: differingIn('playerId') },
  { id: 'game', what: 'over another gameCode', sent: differingIn('gameCode') },
  { id: 'round', what: 'over another gameRound', sent: differingIn('gameRound') },
  {
    id: 'hash',
    what: 'over another hash',
    sent: (round, context) => {
      const debit = round.firstDebit(context.stake);
      const signed = round.message([{ ...debit, hash: context.newHash() }]);
      return { body: round.message([debit]), signed };
    },
  },
  {
    id: 'amount',
    what: 'over another amount',
    sent: (round, context) => {
      const debit = round.firstDebit(context.stake);
      const signed = round.message([{ ...debit, amount: exactly(context.stake * 2n) }]);
      return { body: round.message([debit]), signed };
    },
  },
  {
    id: 'later-transaction',
    what: 'over another amount of its second transaction',
    sent: (round, context) => {
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake * 2n)];
      const signed = round.message([debit, { ...credit, amount: exactly(context.stake) }]);
      return { body: round.message([debit, credit]), signed };
    },
  },
  {
    id: 'number-of-transactions',
    what: 'over its first transaction alone',
    sent: (round, context) => {
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake * 2n)];
      return { body: round.message([debit, credit]), signed: round.message([debit]) };
    },
  },
  {
    id: 'order',
    what: 'over its transactions in the opposite order',
    sent: (round, context) => {
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake * 2n)];
      return { body: round.message([debit, credit]), signed: round.message([credit, debit]) };
    },
  },
];

/** Each signed field of doTransactions. */
export const signedFieldCases = casesIn('signature', [
  ...differences.map(
    ({ id, what, sent }): CaseOfGroup => ({
      id: `signature-covers-${id}`,
      rule: 'Operator API 4.1, signed fields; 5, rule 2',
      given: 'a player with money',
      when: `a valid call comes with a signature ${what}`,
      expected: 'it is refused, and no money moves',
      async play(context) {
        const { body, signed } = sent(context.round(), context);
        const request = withBody(context.sign(signed), body);
        await mustAllBeRefused(context, [[`a call with a signature ${what}`, request]]);
      },
    }),
  ),
  {
    id: 'signature-covers-timestamp',
    rule: 'Operator API 5, rule 3',
    given: 'a player with money',
    when: 'a valid call comes with another X-H-TIMESTAMP than the signed one, both of this minute',
    expected: 'it is refused, and no money moves',
    async play(context) {
      const { timestamp } = signatureHeaders;
      const other = withHeader(signedDebit(context), timestamp, isoNow(context, -3000));
      await mustAllBeRefused(context, [['a call with a timestamp that was not signed', other]]);
    },
  },
  {
    id: 'signature-covers-operator-id',
    rule: 'Operator API 5, rule 3',
    given: 'a player with money',
    when: 'a valid call is signed with the right secret over another operator ID than its X-H-AUTH-ID',
    expected: 'it is refused, and no money moves',
    async play(context) {
      const { operatorId, secret } = context.operator;
      const request = signedDebit(context, { by: { operatorId: `${operatorId}-2`, secret } });
      const sent = withHeader(request, signatureHeaders.authId, operatorId);
      await mustAllBeRefused(context, [['a call with another operator ID signed', sent]]);
    },
  },
  {
    id: 'signature-is-of-one-call',
    rule: 'Operator API 5, rule 2',
    given: 'a getBalance and a debit of the same player',
    when: 'the debit comes with the headers of the getBalance',
    expected: 'it is refused, and no money moves',
    async play(context) {
      const { exchange } = await context.getBalance();
      const { authId, signature, timestamp } = signatureHeaders;
      const borrowed = [authId, signature, timestamp].reduce(
        (sent, name) => withHeader(sent, name, headerOf(exchange.request, name)),
        signedDebit(context),
      );
      await mustAllBeRefused(context, [['a debit with the signature of a getBalance', borrowed]]);
    },
  },
  {
    id: 'balance-needs-signature',
    rule: 'Operator API 4.2, signed fields; 5, rule 1',
    given: 'a player with money',
    when: 'getBalance comes without a signature, with one by a wrong secret, or with one over another player',
    expected: 'it is refused, and the reply has no balances',
    async play(context) {
      const { operator, playerId, currency } = context;
      const query = new URLSearchParams({ playerId, currency }).toString();
      const getSignedOver = (fields: readonly string[], by = operator) =>
        getSigning(context, fields, query, by);
      const right = getSignedOver([playerId, currency]);
      const requests = [
        ['without a signature', withHeader(right, signatureHeaders.signature)],
        [
          'signed with a wrong secret',
          getSignedOver([playerId, currency], withStrangeSecret(context)),
        ],
        ['signed over another player', getSignedOver([context.newHash(), currency])],
        ['signed over another currency', getSignedOver([playerId, 'XTS'])],
      ] as const;
      for (const [what, request] of requests) {
        const answer = mustBeRefused(await context.send(request), `a getBalance ${what}`);
        must(answer.balances === null, `a getBalance ${what} must have no balances`, answer);
      }
    },
  },
  {
    id: 'balance-signature-covers-game',
    rule: 'Operator API 4.2, signed fields',
    given: 'a player with money',
    when: 'getBalance comes with a gameCode, once signed with it and once without',
    expected: 'the one is answered 200, and the other is refused',
    async play(context) {
      const { playerId, currency, gameCode } = context;
      mustSucceed(await context.getBalance({ gameCode }), 'a getBalance with its gameCode signed');
      const query = new URLSearchParams({ playerId, currency, gameCode }).toString();
      const answer = await context.send(getSigning(context, [playerId, currency], query));
      mustBeRefused(answer, 'a getBalance with its gameCode not signed');
    },
  },
  {
    id: 'signature-covers-each-transaction',
    rule: 'Operator API 4.1, signed fields',
    given: 'a player with money',
    when: 'calls of a debit and eleven credits come, signed over the first one, two, five and ten transactions alone',
    expected: 'each is refused, and no money moves',
    async play(context) {
      const requests = [1, 2, 5, 10].map((count) => {
        const round = context.round();
        const credits = Array.from({ length: 11 }, () => round.credit(unitsInOne));
        const all = [round.firstDebit(context.stake), ...credits];
        const signed = context.sign(round.message(all.slice(0, count)));
        const what = `a call of 12 transactions that is signed over the first ${count}`;
        return [what, withBody(signed, round.message(all))] as const;
      });
      await mustAllBeRefused(context, requests);
    },
  },
  {
    id: 'session-reference-is-not-signed',
    rule: 'Operator API 4.2, signed fields (D9)',
    given: 'a player with money',
    when: 'getBalance comes with an externalSessionId, which is not signed',
    expected: 'it is answered 200',
    otherwise: 'A wallet may refuse a session that it did not start.',
    async play(context) {
      const { playerId, currency } = context;
      const parameters = { playerId, currency, externalSessionId: context.newHash() };
      const query = new URLSearchParams(parameters).toString();
      const answer = await context.send(getSigning(context, [playerId, currency], query));
      mustSucceed(answer, 'a getBalance with an externalSessionId');
    },
  },
]);
