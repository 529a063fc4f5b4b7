import { describe, expect, test } from '@jest/globals';
import { unsignedDelivery, type Verdict } from '../../../lib/operator/gameround';
import { noDelivery } from '../../../lib/operator/gameround/verdict';
import { PureWallet } from './pure-wallet';
import { linesOf } from './table';
import { purseOf, transactionOf } from './words';

// balance (real/bonus) | calls before it | the call | its answers | round | balance after | changes made
const table = `
  # Transactions are processed in their order, each seeing what those before it did
  10   | - | debit A first; credit B amount=7; end C      | processed, processed, processed | closed | 7 | 1
  10   | - | debit A first; end C; credit B amount=7      | processed, processed, GAMEROUNDNOTACTIVE | stranded | 0 | 1
  10   | - | end C; debit A first                         | GAMEROUNDNOTSTARTED, processed | open | 0 | 1
  10   | - | credit B; debit A first                      | GAMEROUNDNOTSTARTED, processed | open | 0 | 1
  30   | - | debit A unsaid; debit B unsaid               | processed, processed | open | 10 | 1
  30   | - | debit B follow; debit A first                | GAMEROUNDNOTSTARTED, DEBITFAILEDBEFORE | none | 30 | 1

  # D3.1 and D3.2 hold within a call: the second of a hash is answered by the first
  30   | - | debit A first; debit A first                 | processed, processed again | open | 20 | 1
  30   | - | debit A first; debit A unsaid                | processed, processed again | open | 20 | 1
  30   | - | debit A first; credit A                      | processed, TRANSACTIONALREADYEXISTS | open | 20 | 1
  30   | - | debit A first; credit B; credit B            | processed, processed, processed again | open | 30 | 1
  30   | - | debit A first; end B; end B                  | processed, processed, processed again | closed | 20 | 1

  # D4.5 after a failed debit every later new debit, credit and end of the call is declined, and nothing strands
  5    | - | debit A first; credit B; end C               | BALANCETOOLOW, DEBITFAILEDBEFORE, DEBITFAILEDBEFORE | closed | 5 | 1
  15   | debit A first | debit B follow; credit C; end D  | BALANCETOOLOW, DEBITFAILEDBEFORE, DEBITFAILEDBEFORE | open | 5 | 1
  15   | debit A first | debit B first; credit C; end D   | GAMEROUNDALREADYSTARTED, DEBITFAILEDBEFORE, DEBITFAILEDBEFORE | open | 5 | 1
  15   | debit A first | debit A first amount=1; credit C | TRANSACTIONALREADYEXISTS, DEBITFAILEDBEFORE | open | 5 | 1
  15   | debit A first | debit B follow; debit D follow amount=1; credit C | BALANCETOOLOW, DEBITFAILEDBEFORE, DEBITFAILEDBEFORE | open | 5 | 1
  20   | - | debit A first amount=30; debit B follow amount=20; credit C amount=500 | BALANCETOOLOW, DEBITFAILEDBEFORE, DEBITFAILEDBEFORE | closed | 20 | 1
  35   | debit A first / debit B follow | debit C first; debit B follow; credit D | GAMEROUNDALREADYSTARTED, processed again, DEBITFAILEDBEFORE | open | 15 | 1
  15   | debit A first / debit B follow | debit B follow; credit C | BALANCETOOLOW again, DEBITFAILEDBEFORE | open | 5 | 1
  15   | debit A first | debit B follow; credit C currency=USD | BALANCETOOLOW, DEBITFAILEDBEFORE | open | 5 | 1

  # D4.5 a debit the wallet declined declines credits of later calls and strands the round, until another debit is accepted or it is voided
  15   | debit A first / debit B follow / void B | credit C | processed | open | 15 | 1
  15   | debit A first / debit B follow / debit C follow / void B | credit D | DEBITFAILEDBEFORE | stranded | 5 | 1
  15   | debit A first / debit B follow / void D | credit C | processed | open | 15 | 1
  15   | debit A first / debit B follow / void D / debit D follow | credit C | processed | open | 15 | 1
  15   | debit A first / void D / debit B follow / void D | credit C | DEBITFAILEDBEFORE | stranded | 5 | 1
  15   | debit A first / void D / debit B follow / debit D follow | credit C | DEBITFAILEDBEFORE | stranded | 5 | 1
  15   | debit A first / debit B follow / debit C follow / void C | credit D | processed | open | 15 | 1
  15   | debit A first / debit B follow | credit C | DEBITFAILEDBEFORE | stranded | 5 | 1
  15   | debit A first / debit B follow | end C    | processed         | closed | 5 | 1
  15   | debit A first / debit B follow / debit D follow amount=1 | credit C | processed | open | 14 | 1
  15   | debit A first / debit B follow / credit C / debit D follow amount=1 | credit C | DEBITFAILEDBEFORE again | stranded | 5 | 0
  15   | debit A first / debit B first  | credit C | processed | open | 15 | 1
  15   | debit A first / debit A first amount=1 | credit C | processed | open | 15 | 1

  # D4.6 the new debits of a call stand or fall together, with each new credit and end behind the first of them
  15   | - | debit A first; debit B follow                | DEBITFAILEDBEFORE, BALANCETOOLOW | closed | 15 | 1
  15   | - | debit A first; credit B amount=2; debit C follow; credit D | DEBITFAILEDBEFORE, DEBITFAILEDBEFORE, BALANCETOOLOW, DEBITFAILEDBEFORE | closed | 15 | 1
  15   | - | debit A first; end B; debit C follow amount=1 | DEBITFAILEDBEFORE, DEBITFAILEDBEFORE, GAMEROUNDNOTACTIVE | closed | 15 | 1
  30   | - | debit A first; debit B first                 | DEBITFAILEDBEFORE, GAMEROUNDALREADYSTARTED | closed | 30 | 1
  30   | - | debit A first; debit A first amount=11       | DEBITFAILEDBEFORE, TRANSACTIONALREADYEXISTS | closed | 30 | 1
  30   | - | debit A first; debit B follow currency=USD   | DEBITFAILEDBEFORE, CURRENCYNOTSUPPORTED | closed | 30 | 1
  30   | - | debit A first; debit B unsaid discount=1; credit C | DEBITFAILEDBEFORE, DISCOUNTNOTELIGIBLE, DEBITFAILEDBEFORE | closed | 30 | 1
  30   | void B | debit A first; debit B follow           | DEBITFAILEDBEFORE, GAMEROUNDVOIDED | closed | 30 | 1
  30   | - | debit A first; credit B currency=USD; debit C follow | DEBITFAILEDBEFORE, DEBITFAILEDBEFORE, GAMEROUNDNOTACTIVE | closed | 30 | 1
  100  | - | debit A first; debit B follow; debit C follow amount=90; debit D first | DEBITFAILEDBEFORE, DEBITFAILEDBEFORE, DEBITFAILEDBEFORE, GAMEROUNDALREADYSTARTED | closed | 100 | 1
  25   | debit A first | debit B follow; end C; debit D follow amount=20 | DEBITFAILEDBEFORE, DEBITFAILEDBEFORE, GAMEROUNDNOTACTIVE | open | 15 | 1
  25   | debit A first | debit B follow; debit C follow; credit D | DEBITFAILEDBEFORE, BALANCETOOLOW, DEBITFAILEDBEFORE | open | 15 | 1
  25   | debit A first | credit B amount=3; debit C follow; debit D follow | processed, DEBITFAILEDBEFORE, BALANCETOOLOW | open | 18 | 1
  25   | debit A first | debit A first; credit B amount=3; debit C follow; debit D follow | processed again, processed, DEBITFAILEDBEFORE, BALANCETOOLOW | open | 18 | 1
  25   | debit A first; credit B amount=3 | debit C follow; credit B amount=3; debit D follow | DEBITFAILEDBEFORE, processed again, BALANCETOOLOW | open | 18 | 1
  15   | debit A first / debit B follow | debit C follow amount=1; credit D; debit B follow | DEBITFAILEDBEFORE, DEBITFAILEDBEFORE, BALANCETOOLOW again | open | 5 | 1
  25   | debit A first | debit B follow; debit C follow; void A | DEBITFAILEDBEFORE, BALANCETOOLOW, processed | voided | 25 | 2
  25   | debit A first | void X; debit B follow; debit C follow | processed, DEBITFAILEDBEFORE, BALANCETOOLOW | open | 15 | 2
  15   | debit A first; debit B follow | debit A first; debit B follow | DEBITFAILEDBEFORE again, BALANCETOOLOW again | closed | 15 | 0

  # D5.2 and D5.4 the gameRound as hash says that a debit is the first, whatever the debit itself says
  30   | debit R follow | void R                          | processed | voided | 30 | 1
  30   | debit S follow | void S                          | processed | none | 30 | 1
  30   | debit R follow / void R | debit A first          | GAMEROUNDVOIDED | voided | 30 | 1

  # D4.6 and D5.4: the void of a first debit that fell voids the round, which is closed; that of another leaves it
  15   | debit A first; debit B follow | void A           | processed | voided | 15 | 1
  15   | debit A first; debit B follow | void B           | processed | closed | 15 | 1
  15   | debit A first; debit B follow | credit C         | GAMEROUNDNOTACTIVE | stranded | 15 | 1

  # D4.6 and D4.5: the round notes the debit that the wallet declined, and none that fell with it
  25   | debit A first / debit B follow; debit C follow | credit D | DEBITFAILEDBEFORE | stranded | 15 | 1
  25   | debit A first / debit B follow; debit C follow / void B | credit D | DEBITFAILEDBEFORE | stranded | 15 | 1
  25   | debit A first / debit B follow; debit C follow / void C | credit D | processed | open | 25 | 1
  25   | debit A first / debit B follow; debit C first  | credit D | processed | open | 25 | 1
  25   | debit A first / debit Z follow amount=90 / debit B follow; debit C first | credit D | DEBITFAILEDBEFORE | stranded | 15 | 1

  # D4.6 and P10: no part of a call is committed before a debit that fails by its record: by its refusal, its void, or other content
  25   | debit A first / debit B follow amount=90 | debit C follow; void X; debit B follow amount=90 | DEBITFAILEDBEFORE, processed, BALANCETOOLOW again | open | 15 | 2
  25   | debit A first / void B | debit C follow; void X; debit B follow | DEBITFAILEDBEFORE, processed, GAMEROUNDVOIDED | open | 15 | 3
  35   | debit A first / debit B follow | debit C follow; void X; debit B follow amount=1; credit D | DEBITFAILEDBEFORE, processed, TRANSACTIONALREADYEXISTS, DEBITFAILEDBEFORE | open | 15 | 3
  35   | debit A first / credit B amount=0 | debit C follow; void X; debit B follow | DEBITFAILEDBEFORE, processed, TRANSACTIONALREADYEXISTS | open | 25 | 2

  # D4.6 and D7: where a new debit of the call is committed before another one fails, the outcome is unknown
  30   | debit A first | debit B follow; void X; credit C; debit D first; end E | processed, processed, unknown | open | 10 | 2
  30   | debit A first; credit Z amount=0 | debit B follow; void X; credit Z amount=0; debit D follow amount=90 | processed, processed, processed again, unknown | open | 10 | 2

  # D4.7 a credit refused for good strands, or crashes where a credit was accepted; later ones find no open round
  10   | - | debit A first; credit B currency=USD; credit C; end D | processed, CURRENCYNOTSUPPORTED, GAMEROUNDNOTACTIVE, processed | stranded | 0 | 1
  10   | - | debit A first; credit B; credit C currency=USD; end D | processed, processed, CURRENCYNOTSUPPORTED, processed | crashed | 10 | 1
  10   | - | debit A first; credit B amount=0; credit C currency=USD | processed, processed, CURRENCYNOTSUPPORTED | crashed | 0 | 1

  # D4.7 so does one that is refused because the round is closed, but not behind a failed debit of its call (D4.5)
  20   | debit A first; end C            | credit D               | GAMEROUNDNOTACTIVE | stranded | 10 | 1
  20   | debit A first; credit B; end C  | credit D               | GAMEROUNDNOTACTIVE | crashed  | 20 | 1
  5    | debit A first                   | credit D               | GAMEROUNDNOTACTIVE | stranded | 5  | 1
  20   | debit A first; end C            | debit B follow; credit D | GAMEROUNDNOTACTIVE, DEBITFAILEDBEFORE | closed | 10 | 1
  5    | debit A first                   | debit A first; credit D  | BALANCETOOLOW again, DEBITFAILEDBEFORE | closed | 5 | 1
  20   | debit A first; end C / credit D | credit D               | GAMEROUNDNOTACTIVE again | stranded | 10 | 0
  20   | debit A first; end C / credit D | void A                 | processed | voided | 20 | 1
  5    | debit A first / credit D        | void A                 | processed | voided | 5  | 1

  # D5.3 what a later call stranded stays so when the debit before the end is voided; what stranded it behind that debit does not
  40   | debit A first / debit B follow; end C / credit D | void B | processed | stranded | 30 | 1
  40   | debit A first / debit B follow; end C / debit B follow; credit D | void B | processed | open | 30 | 1
  40   | debit A first / debit B follow; end C / debit B follow; credit D; credit E / void B | credit D; credit E | DEBITFAILEDBEFORE again, GAMEROUNDNOTACTIVE again | open | 30 | 0

  # D3.1 a refusal stays a refusal, though funds came since
  5    | debit A first          | debit A first   | BALANCETOOLOW again | closed | 5 | 0
  15   | debit A first / debit B follow / debit D follow amount=0 / credit C amount=90 | debit B follow | BALANCETOOLOW again | open | 95 | 0

  # Voids are committed apart from all else of their call, and after a debit, which tells how it was paid
  10   | - | debit A first; void A                        | processed, processed | voided | 10 | 2
  10   | - | debit A first; credit B amount=4; void A     | processed, processed, processed | voided | 10 | 2
  5/9  | - | debit A first; void A                        | processed, processed | voided | 5/9 | 2
  30   | debit A first | debit B follow; void B; credit C | processed, processed, DEBITFAILEDBEFORE | open | 20 | 3
  30   | debit A first | void A; debit B follow           | processed, GAMEROUNDVOIDED | voided | 30 | 2
  30   | debit A first | void A; credit B; end C          | processed, GAMEROUNDVOIDED, GAMEROUNDVOIDED | voided | 30 | 2

  # D3.3 and D5.5: a void is known apart from its debit, and may come before it
  30   | void A | debit A first                | GAMEROUNDVOIDED | voided | 30 | 1
  30   | void A / debit A first | debit A first | GAMEROUNDVOIDED again | voided | 30 | 0
  30   | void A / debit A first | void A       | processed again | voided | 30 | 0
  30   | void R | debit R first                | GAMEROUNDVOIDED | voided | 30 | 1
  30   | void R | debit A first                | GAMEROUNDVOIDED | voided | 30 | 1
  30   | debit A first / void B | debit B follow; credit C | GAMEROUNDVOIDED, DEBITFAILEDBEFORE | open | 20 | 1
  30   | debit A first / void A | debit A first | GAMEROUNDVOIDED again | voided | 30 | 0
  30   | debit A first; credit B; end C / void A | debit A first; credit B; end C | GAMEROUNDVOIDED again, GAMEROUNDVOIDED again, GAMEROUNDVOIDED again | voided | 30 | 0
  30   | debit A first / debit B follow / void B | debit B follow; credit C | GAMEROUNDVOIDED again, DEBITFAILEDBEFORE | open | 20 | 1
  30   | void A | void A; debit A first; credit B | processed again, GAMEROUNDVOIDED, GAMEROUNDVOIDED | voided | 30 | 1

  # D5.2 the balance may go below zero: a reversal is never refused for funds
  10   | debit A first / credit B amount=50 / debit C follow amount=45 | void A | processed | voided | 10 | 1
  5/5  | debit A first / credit B amount=50 | void A | processed | voided | 5/5 | 1

  # D5.3 the void of a follow-up debit takes back what was first accepted behind it, before the next debit of the call
  100  | debit A first | debit B follow; credit C amount=490; void B | processed, processed, processed | open | 90 | 2
  100  | debit A first / debit B follow; credit C amount=490 | void B   | processed | open   | 90  | 1
  100  | debit A first / void B | debit B follow; credit C amount=490   | GAMEROUNDVOIDED, DEBITFAILEDBEFORE | open | 90 | 1
  100  | debit A first / debit B follow; credit C amount=490; end D | void B | processed | open | 90 | 1
  100  | debit A first / debit B follow; credit C amount=490; end D / void B | credit C amount=490; end D | DEBITFAILEDBEFORE again, DEBITFAILEDBEFORE again | open | 90 | 0
  100  | debit A first / credit C amount=5; debit B follow; credit D amount=7 | void B | processed | open | 95 | 1
  100  | debit A first / debit B follow; credit C amount=5; debit D follow; credit E amount=7 | void D | processed | open | 85 | 1
  100  | debit A first / debit B follow; credit C amount=5; debit D follow; credit E amount=7 | void B | processed | open | 87 | 1
  100  | debit A first / debit B follow; credit C amount=5; debit D follow; credit E amount=7 | void B; void D | processed, processed | open | 90 | 1
  100  | debit A first / debit B follow; credit C amount=5 / debit B follow; credit D amount=7 | void B | processed | open | 90 | 1
  100  | debit A first / credit C amount=5 / debit B follow; credit C amount=5 | void B | processed | open | 95 | 1
  100  | debit A first; credit C amount=5 / debit B follow; credit D amount=7 | void A | processed | voided | 100 | 1
  100  | debit A first / debit B follow; credit C amount=5 / void A | void B | processed | voided | 100 | 1
  100  | debit A first / debit B follow; credit C amount=5 / void B | void A | processed | voided | 100 | 1

  # D5.3 a round that one of them closed, stranded or crashed is open again, unless a later call did so since
  100  | debit A first / debit B follow; end C / debit A first; end D | void B | processed | closed | 90 | 1
  100  | debit A first / debit B follow; end C / end D | void B | processed | closed | 90 | 1
  100  | debit A first / debit B follow; credit C currency=USD | void B | processed | open | 90 | 1
  100  | debit A first / debit B follow; credit C; credit D currency=USD; end E | void B | processed | open | 90 | 1
  100  | debit A first / debit B follow; credit C / credit D currency=USD | void B | processed | crashed | 90 | 1
  100  | debit A first / debit B follow; credit C currency=USD / end D | void B | processed | closed | 90 | 1
  100  | debit A first / debit B follow; credit C / void B | credit D currency=USD | CURRENCYNOTSUPPORTED | stranded | 90 | 1

  # D5.3 the void of a follow-up debit gives back that debit, to where it was taken from
  30/5 | debit A first amount=1 / debit B follow | void B | processed | open | 30/4 | 1
  30   | debit A first / debit B follow / end C | void B | processed | closed | 20 | 1
  30   | debit A first / debit B follow / void B | void A | processed | voided | 30 | 1
`;

const lines = linesOf(table);

describe.each([...new Set(lines.map(({ rule }) => rule))])('%s', (rule) => {
  const cases = lines.filter((line) => line.rule === rule).map((line) => line.cells);
  test.each(cases)('with %s, after %s: %s is %s, round %s, balance %s, %s changes', (...cells) => {
    const [start, before, call, answers, state, after, changes] = cells as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const wallet = new PureWallet(purseOf(start));
    const answered = unsignedDelivery(noDelivery);
    if (before !== '-') {
      for (const earlier of before.split('/')) wallet.call(callOf(earlier), answered);
    }
    const played = wallet.call(callOf(call));
    expect(played.verdicts.map(wordsFor).join(', ')).toBe(answers);
    expect(wallet.head.state).toBe(state);
    expect(wallet.balance).toEqual(purseOf(after));
    expect(played.changes).toHaveLength(Number(changes));
  });
});

function callOf(cell: string) {
  return cell.split(';').map((one) => transactionOf(one.trim()));
}

function wordsFor(verdict: Verdict): string {
  if (verdict.outcome === 'unknown') return 'unknown';
  const answer = verdict.outcome === 'refused' ? verdict.code : verdict.outcome;
  return verdict.replay ? `${answer} again` : answer;
}

describe('the policy on bonus money', () => {
  const call = callOf('debit A first amount=10; credit B amount=9');

  test('useBonusFirst takes from the bonus balance first, and the rest from real', () => {
    const wallet = new PureWallet(purseOf('8/7'), { useBonusFirst: true, creditTo: 'real' });
    expect(wallet.call(call).changes).toHaveLength(1);
    expect(wallet.balance).toEqual(purseOf('14/0'));
    expect(wallet.head.debits).toEqual(purseOf('3/7'));
  });

  test('without useBonusFirst the real balance pays first', () => {
    const wallet = new PureWallet(purseOf('8/7'), { useBonusFirst: false, creditTo: 'real' });
    wallet.call(call);
    expect(wallet.balance).toEqual(purseOf('9/5'));
    expect(wallet.head.debits).toEqual(purseOf('8/2'));
  });

  test('stakeShares splits a credit as the debits were paid, which takes a second commit', () => {
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    const wallet = new PureWallet(purseOf('8/7'), policy);
    expect(wallet.call(call).changes).toHaveLength(2);
    expect(wallet.balance).toEqual(purseOf('8/6'));
    expect(wallet.head.credits).toEqual(purseOf('3/6'));
  });

  test('stakeShares with the credit in a later call needs one commit for each call', () => {
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    const wallet = new PureWallet(purseOf('8/7'), policy);
    const [debit, credit] = call;
    if (debit === undefined || credit === undefined) throw new Error('no call');
    wallet.call([debit]);
    expect(wallet.call([credit]).changes).toHaveLength(1);
    expect(wallet.balance).toEqual(purseOf('8/6'));
  });

  test('a void takes back credits by shares from where they went', () => {
    const policy = { useBonusFirst: true, creditTo: 'stakeShares' } as const;
    const wallet = new PureWallet(purseOf('8/7'), policy);
    wallet.call(call);
    wallet.call(callOf('void A'));
    expect(wallet.balance).toEqual(purseOf('8/7'));
  });
});

describe('a call that was answered 5xx', () => {
  test('is left without an outcome from its first debit on when it is resent', () => {
    const wallet = new PureWallet(purseOf('30'));
    const call = callOf('debit A first; credit B; end C');
    wallet.cancel(call);
    expect(wallet.call(call).verdicts.map(wordsFor)).toEqual(['unknown']);
    expect(wallet.balance).toEqual(purseOf('30'));
  });

  test('nets to zero once its first debit is voided, though it had been processed', () => {
    const wallet = new PureWallet(purseOf('30'));
    const call = callOf('debit A first; credit B amount=50; end C');
    wallet.call(call);
    wallet.cancel(call);
    expect(wallet.head.state).toBe('cancelled');
    wallet.call(callOf('void A'));
    expect(wallet.head.state).toBe('voided');
    expect(wallet.balance).toEqual(purseOf('30'));
  });

  test('lets the round continue once its follow-up debits are voided, whatever the order', () => {
    const wallet = new PureWallet(purseOf('50'));
    wallet.call(callOf('debit A first'));
    const call = callOf('debit B follow; debit C follow');
    wallet.call(call);
    wallet.cancel(call);
    expect(wallet.call(callOf('credit D')).verdicts.map(wordsFor)).toEqual(['unknown']);
    expect(wallet.call(callOf('end E')).verdicts.map(wordsFor)).toEqual(['unknown']);
    wallet.call(callOf('void C'));
    expect(wallet.head.state).toBe('cancelled');
    wallet.call(callOf('void B'));
    expect(wallet.head.state).toBe('open');
    expect(wallet.balance).toEqual(purseOf('40'));
    expect(wallet.call(callOf('credit D')).verdicts.map(wordsFor)).toEqual(['processed']);
  });

  test('leaves out a win that waits for the void of a debit that was declined, and pays it after that', () => {
    const wallet = new PureWallet(purseOf('20'));
    wallet.call(callOf('debit A first'));
    const call = callOf('debit B follow amount=30');
    wallet.call(call);
    wallet.cancel(call);
    expect(wallet.call(callOf('credit C')).verdicts.map(wordsFor)).toEqual(['unknown']);
    wallet.call(callOf('void B'));
    expect(wallet.call(callOf('credit C')).verdicts.map(wordsFor)).toEqual(['processed']);
    expect(wallet.head.state).toBe('open');
    expect(wallet.balance).toEqual(purseOf('20'));
  });

  test('is recorded as one that will never happen, so that its late commit is stale', () => {
    const wallet = new PureWallet(purseOf('30'));
    const [change] = wallet.cancel(callOf('debit A first')).changes;
    expect(change?.after.version).toBe(1);
    expect(wallet.entries.get('A')?.transaction?.outcome).toBe('unanswered');
  });
});
