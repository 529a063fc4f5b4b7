import type { WalletRequest } from '../../client';
import {
  type CaseContext,
  exactly,
  given,
  mustBeRefused,
  mustSucceed,
  type Round,
  type Transaction,
  voidOf,
} from '../../talk';
import { casesIn } from '../../talk/case';
import { withBody } from './forge';
import { mustBeRepeat, openRound } from '../steps';

/** A call that was answered 200, and its round. */
interface Captured {
  readonly round: Round;
  readonly request: WalletRequest;
  readonly transaction: Transaction;
}

/** A debit as captured by someone who sees the calls. */
async function capturedDebit(context: CaseContext): Promise<Captured> {
  const round = context.round();
  const transaction = round.firstDebit(context.stake);
  const request = context.sign(round.message([transaction]));
  given(await context.send(request), 'the debit');
  return { round, request, transaction };
}

async function capturedCredit(context: CaseContext): Promise<Captured> {
  const { round } = await openRound(context);
  const transaction = round.credit(context.stake);
  const request = context.sign(round.message([transaction]));
  given(await context.send(request), 'the credit');
  return { round, request, transaction };
}

/** Sends the captured call with another body under its signature; no money may move. */
async function mustMoveNothing(
  context: CaseContext,
  { request, round }: Captured,
  ...forged: Transaction[]
) {
  const before = await context.balance();
  const answer = await context.send(withBody(request, round.message(forged)));
  const types = forged.map(({ type }) => type).join(', ');
  const when = `after a captured signature came with ${types} (answered ${answer.status})`;
  await context.balanceMustBe(before, when);
  return answer;
}

/** type, currency, isFirstDebit and serial are not signed. */
export const replayCases = casesIn('replay', [
  {
    id: 'captured-debit-as-credit',
    rule: 'Operator API 4.1, signed fields (D1.8, D3.2)',
    given: 'a debit that was answered 200',
    when: 'its signature is reused, and the type is credit',
    expected: 'no money moves',
    otherwise:
      'By the letter of the specification the signature is right, and a wallet may know a transaction by its type and hash.',
    async play(context) {
      const captured = await capturedDebit(context);
      await mustMoveNothing(context, captured, { ...captured.transaction, type: 'credit' });
    },
  },
  {
    id: 'captured-credit-as-debit',
    rule: 'Operator API 4.1, signed fields (D1.8, D3.2)',
    given: 'a credit that was answered 200',
    when: 'its signature is reused, and the type is debit',
    expected: 'no money moves',
    otherwise:
      'By the letter of the specification the signature is right, and a wallet may know a transaction by its type and hash.',
    async play(context) {
      const captured = await capturedCredit(context);
      const debit = { ...captured.transaction, type: 'debit', isFirstDebit: false };
      await mustMoveNothing(context, captured, debit);
    },
  },
  {
    id: 'captured-credit-as-void',
    rule: 'Operator API 3, rule 6 (D1.8, D5.7)',
    given: 'a credit that was answered 200',
    when: 'its signature is reused, and the type is void',
    expected: 'no money moves',
    otherwise: 'The service never sends it: a wallet may do anything with it.',
    async play(context) {
      const captured = await capturedCredit(context);
      await mustMoveNothing(context, captured, { ...captured.transaction, type: 'void' });
    },
  },
  {
    id: 'captured-debit-as-void',
    rule: 'Operator API 4.1, signed fields (D1.8)',
    given: 'a debit that was answered 200',
    when: 'its signature is reused, and the type is void',
    expected: 'no money moves: nobody who only captured the debit can take it back',
    otherwise:
      'By the letter of the specification the signature is right; TLS is what keeps it from others.',
    async play(context) {
      const captured = await capturedDebit(context);
      await mustMoveNothing(context, captured, voidOf(captured.transaction));
    },
  },
  {
    id: 'captured-call-in-other-parts',
    rule: 'Operator API 4.1, signed fields (D1.8)',
    given: 'a debit that was answered 200',
    when: "its signature comes with two ends: the debit's hash, and its amount as a hash",
    expected: 'it is refused, and the round stays open',
    otherwise:
      'By the letter of the specification the signature is right; TLS is what keeps it from others.',
    async play(context) {
      const captured = await capturedDebit(context);
      const { round, request, transaction } = captured;
      const amount = transaction.amount?.text ?? '';
      const ends = [round.end({ hash: transaction.hash }), round.end({ hash: amount })];
      const answer = await context.send(withBody(request, round.message(ends)));
      mustBeRefused(answer, 'a captured signature with two ends');
      mustSucceed(await round.send(round.credit(context.stake)), 'a credit of the round');
    },
  },
  {
    id: 'captured-call-with-other-fields',
    rule: 'Operator API 4.1, rule 1 (idempotently on its hash)',
    given: 'a debit that was answered 200',
    when: 'its signature is reused as a follow-up debit, as a free play, and with a discount',
    expected: 'no money moves',
    async play(context) {
      const captured = await capturedDebit(context);
      const { transaction } = captured;
      const discountAmount = exactly(context.stake / 10n);
      const serial = context.newHash();
      await mustMoveNothing(context, captured, { ...transaction, isFirstDebit: false });
      await mustMoveNothing(context, captured, { ...transaction, freePlayUsed: true, serial });
      await mustMoveNothing(context, captured, { ...transaction, discountAmount });
    },
  },
  {
    id: 'exact-repeat-moves-nothing',
    rule: 'Operator API 4.1, rule 1 (idempotently on its hash)',
    given: 'a debit and a credit that were answered 200',
    when: 'each is sent again, byte for byte',
    expected: 'no money moves',
    async play(context) {
      const debit = await capturedDebit(context);
      await mustMoveNothing(context, debit, debit.transaction);
      const credit = await capturedCredit(context);
      await mustMoveNothing(context, credit, credit.transaction);
    },
  },
  {
    id: 'exact-repeat-is-answered',
    rule: 'Operator API 4.1, rule 1 and retry (D3.1)',
    given: 'a debit and a credit that were answered 200',
    when: 'each is sent again, byte for byte',
    expected: 'it is answered 200: a retry may be the same bytes',
    otherwise: 'The specification does not say whether a retry is signed anew.',
    async play(context) {
      const debit = await capturedDebit(context);
      mustSucceed(await context.send(debit.request), 'a debit, byte for byte again,');
      const credit = await capturedCredit(context);
      mustSucceed(await context.send(credit.request), 'a credit, byte for byte again,');
    },
  },
  {
    id: 'repeat-at-each-address',
    rule: 'Operator API 4.1, rule 1 (idempotently on its hash)',
    given: 'a round with a debit and a credit, and every address of the wallet',
    when: 'both come again at each address, signed anew',
    expected: 'each is answered 200, the debit with error 12 at most, and no money moves',
    async play(context) {
      const round = context.round();
      const { gameRound } = round;
      const [debit, credit] = [round.firstDebit(context.stake), round.credit(context.stake / 2n)];
      given(await round.send(debit), 'the debit');
      given(await round.send(credit), 'the credit');
      const before = await context.balance();
      for (const url of context.urls) {
        const there = context.round({ gameRound, url });
        mustBeRepeat(await there.send(debit), debit, `the same debit at ${url}`);
        mustSucceed(await there.send(credit), `the same credit at ${url}`);
        await context.balanceMustBe(before, `after both came again at ${url}`);
      }
      return context.urls.length === 1 ? 'with the one address that was given' : undefined;
    },
  },
]);
