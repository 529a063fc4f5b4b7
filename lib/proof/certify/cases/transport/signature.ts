import { type Answer, must, mustBeRefused, mustSucceed, voidOf } from '../../talk';
import { casesIn } from '../../talk/case';
import {
  headerOf,
  mustAllBeRefused,
  signatureHeaders,
  signedDebit,
  withHeader,
  withStrangeSecret,
} from './forge';
import { openRound } from '../steps';

const names = Object.values(signatureHeaders);

/** Who may call. */
export const signatureCases = casesIn('signature', [
  {
    id: 'signature-header-missing',
    rule: 'Operator API 5, rule 1',
    given: 'a player with money',
    when: 'a debit comes without one of the three headers',
    expected: 'it is refused, and no money moves',
    play: (context) =>
      mustAllBeRefused(
        context,
        names.map((name) => [`a debit without ${name}`, withHeader(signedDebit(context), name)]),
      ),
  },
  {
    id: 'signature-header-twice',
    rule: 'Operator API 5, rule 1 (D1.1)',
    given: 'a player with money',
    when: 'a debit comes with one of the three headers twice, a right value last',
    expected: 'it is refused, and no money moves',
    otherwise: 'The specification does not say which of two headers counts.',
    play: (context) =>
      mustAllBeRefused(
        context,
        names.map((name) => {
          const request = signedDebit(context);
          const twice = withHeader(request, name, 'another', headerOf(request, name));
          return [`a debit with ${name} twice`, twice];
        }),
      ),
  },
  {
    id: 'signature-of-unknown-operator',
    rule: 'Operator API 5, rule 1',
    given: 'a player with money',
    when: "a debit comes with an X-H-AUTH-ID that is not the operator's, signed with it and the right secret",
    expected: 'it is refused, and no money moves',
    async play(context) {
      const by = { ...context.operator, operatorId: `stranger-${context.newHash()}` };
      const request = signedDebit(context, { by });
      await mustAllBeRefused(context, [['a debit of an unknown operator', request]]);
    },
  },
  {
    id: 'signature-with-wrong-secret',
    rule: 'Operator API 5, rule 2',
    given: 'a player with money',
    when: 'a debit is signed with a secret that no operator has',
    expected: 'it is refused, and no money moves',
    async play(context) {
      const request = signedDebit(context, { by: withStrangeSecret(context) });
      await mustAllBeRefused(context, [['a debit signed with a wrong secret', request]]);
    },
  },
  {
    id: 'signature-of-other-operator',
    rule: 'Operator API 5, rules 1 and 2',
    given: 'two operators of one wallet',
    when: "a debit comes with the first operator's ID, signed with the second one's secret",
    expected: 'it is refused, and no money moves',
    async play(context) {
      const { secret } = context.secondOperator();
      const request = signedDebit(context, { by: { ...context.operator, secret } });
      await mustAllBeRefused(context, [["a debit signed with another operator's secret", request]]);
    },
  },
  {
    id: 'signature-with-either-secret',
    rule: 'Operator API 5, rule 4 (D1.2)',
    given: 'an operator with two secrets at once, while it changes from one to the other',
    when: 'a debit is signed with the one, and its credit with the other',
    expected: 'both are answered 200',
    otherwise: 'The specification names one secret; without a second one it changes at one moment.',
    async play(context) {
      const other = context.otherSecret();
      const round = context.round();
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake)];
      mustSucceed(
        await context.post(round.message([debit]), { by: other }),
        'the debit signed with the second secret',
      );
      mustSucceed(await round.send(credit), 'the credit signed with the first secret');
    },
  },
  {
    id: 'signature-on-each-kind-of-call',
    rule: 'Operator API 5, rule 1',
    given: 'a round with a debit, on a connection that has just carried right signatures',
    when: 'a credit, a follow-up debit, an end, a void, a debit of 0 and a free play come alone, each signed with a wrong secret',
    expected: 'each is refused, and no money moves',
    async play(context) {
      const { round, debit } = await openRound(context);
      const [empty, free] = [context.round(), context.round()];
      const ticket = { freePlayUsed: true, serial: context.newHash() };
      const calls = [
        ['a credit', round, round.credit(context.stake)],
        ['a follow-up debit', round, round.followUp(context.stake)],
        ['an end', round, round.end()],
        ['a void', round, voidOf(debit)],
        ['a debit of 0', empty, empty.firstDebit(0n)],
        ['a free play', free, free.firstDebit(0n, ticket)],
      ] as const;
      const by = withStrangeSecret(context);
      await mustAllBeRefused(
        context,
        calls.map(([what, of, transaction]) => [
          `${what} signed with a wrong secret`,
          context.sign(of.message([transaction]), { by }),
        ]),
      );
    },
  },
  {
    id: 'refused-signature-leaves-no-trace',
    rule: 'Operator API 5, rule 1; 4.1, rule 1',
    given: 'a debit that was refused since its signature was wrong',
    when: 'the same debit comes rightly signed',
    expected: 'it is answered 200, and its amount is taken',
    async play(context) {
      const round = context.round();
      const body = round.message([round.firstDebit(context.stake)]);
      const by = withStrangeSecret(context);
      const before = await context.balance();
      await mustAllBeRefused(context, [
        ['a debit signed with a wrong secret', context.sign(body, { by })],
      ]);
      mustSucceed(await context.post(body), 'the same debit, rightly signed,');
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'wrong-signatures-look-alike',
    rule: 'Operator API 5 (D1.1, D8)',
    given: 'a wallet that answers getBalance',
    when: 'calls come with an unknown operator ID, a wrong signature and a timestamp of last week',
    expected: 'each is answered 401, in the same words',
    otherwise:
      'The specification allows any 4xx or 5xx; different answers help to find operator IDs.',
    async play(context) {
      const answers = [
        await context.getBalance({}, { by: { ...context.operator, operatorId: 'stranger' } }),
        await context.getBalance({}, { by: withStrangeSecret(context) }),
        await context.getBalance({}, { at: context.clock.now() - 7 * 86_400_000 }),
      ];
      const [first = ''] = answers.map(shownBy);
      for (const answer of answers) {
        mustBeRefused(answer, 'each of them', { status: 401 });
        must(shownBy(answer) === first, 'all three must be answered in the same words', answer);
      }
    },
  },
  {
    id: 'error-shows-no-signature',
    rule: 'Operator API 5, rule 4 (D8)',
    given: 'a player with money',
    when: 'a debit is signed with a wrong secret',
    expected: 'the reply shows neither the secret nor the right signature',
    otherwise: 'The specification says of the secret alone that it is never sent.',
    async play(context) {
      const right = signedDebit(context);
      const signature = headerOf(right, signatureHeaders.signature);
      const wrong = withHeader(right, signatureHeaders.signature, 'A'.repeat(43) + '=');
      const answer = await context.send(wrong);
      const { reply } = answer.exchange;
      const text =
        reply.kind === 'reply' ? JSON.stringify(reply.headers) + reply.body.toString() : '';
      const shows = context.operator.secret.isWithin(text);
      must(!shows, 'no reply may show the secret, but one does', answer);
      must(
        !text.includes(signature),
        'no reply may show the right signature, but one does',
        answer,
      );
    },
  },
]);

function shownBy({ exchange: { reply } }: Answer): string {
  return reply.kind === 'reply' ? reply.body.toString('utf8') : '';
}
