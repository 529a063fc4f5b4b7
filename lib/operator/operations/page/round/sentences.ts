import { counted, html, type HtmlPart, money, type Verdict } from '../../../../platform/html';
import type { RoundState } from '../../../gameround';
import type { RepairJson, RoundJson, TransactionJson } from '../../../wallet';
import { purse, reasonOf, shortNameOf } from '../words';

/** What each state says of a round, and what is to be done. */
const states: Readonly<
  Record<RoundState, (round: RoundJson, unpaid: readonly TransactionJson[]) => Verdict>
> = {
  none: () => ({
    tone: 'note',
    title: 'Never started',
    text: 'No first bet of this round was accepted, so nothing was taken.',
  }),
  open: (round) => ({
    tone: 'note',
    title: 'Open',
    text: html`Its end has not come. ${soFar(round)} ${notOwed(round, [])}`,
  }),
  closed: (round, unpaid) => ({ tone: 'good', title: 'Closed', text: closedText(round, unpaid) }),
  voided: () => ({
    tone: 'note',
    title: 'Voided',
    text: 'Every bet of it was voided: the player has back what was taken, and the wallet what was given.',
  }),
  cancelled: ({ unanswered }) => ({
    tone: 'warn',
    title: 'Cancelled: waits for the void',
    text: `The outcome of ${unanswered === 1 ? 'a bet' : `${unanswered} bets`} was answered as unknown. The RGS owes a void for each. If none comes, a person can void here.`,
  }),
  stranded: (_, unpaid) => stuck('Stranded: a win was refused', unpaid),
  crashed: (_, unpaid) => stuck('Crashed: a later win was refused', unpaid),
};

/**
 * The sentence that the page of a round begins with.
 * @param unpaid The credits that were refused for good and that no repair has paid.
 */
export function roundVerdict(round: RoundJson, unpaid: readonly TransactionJson[]): Verdict {
  return states[round.state](round, unpaid);
}

function soFar(round: RoundJson): HtmlPart {
  const currency = round.currency ?? '';
  return html`So far it took ${purse(round.debits, currency)} and gave ${purse(round.credits, currency)}.`;
}

function closedText(round: RoundJson, unpaid: readonly TransactionJson[]): HtmlPart {
  const declined = notOwed(round, unpaid);
  const repairs = (round.repairs ?? []).filter(({ status }) => status === 'done');
  if (repairs.some(({ kind }) => kind === 'resolve')) {
    return 'A person settled it elsewhere: no money moved here for that.';
  }
  const paid = repairs.findLast(({ kind }) => kind === 'pay');
  if (paid !== undefined) return html`It is over. ${paidText(paid)}`;
  if (repairs.length > 0) return 'A person repaired it.';
  if (unpaid.length > 0) return 'It is over. A win that came later was refused.';
  return declined === null
    ? 'It is over, and every win that came was given.'
    : html`It is over. ${declined}`;
}

/** Who paid a win that had been refused: the answer to a player who asks for it. */
function paidText({ amount, currency, proposedBy, decidedBy = proposedBy }: RepairJson): HtmlPart {
  const win = html`<strong>${money(amount, currency ?? '')}</strong>`;
  return html`The win of ${win} that was refused is paid: ${shortNameOf(proposedBy)} proposed it, ${shortNameOf(decidedBy)} approved it.`;
}

/** Says that wins of a failed or voided bet are not owed (D4.5, D5.3): players ask about them. Null without such a win. */
function notOwed({ transactions }: RoundJson, unpaid: readonly TransactionJson[]): HtmlPart | null {
  const [first, ...more] = transactions.filter(
    (one) => one.type === 'credit' && one.outcome === 'DEBITFAILEDBEFORE' && !unpaid.includes(one),
  );
  if (first === undefined) return null;
  const amount = html`<strong>${money(first.amount ?? '0', first.currency ?? '')}</strong>`;
  const subject =
    more.length === 0
      ? html`The win of ${amount} was`
      : html`${counted(more.length + 1, 'win')}, the first of ${amount}, were`;
  return html`${subject} not given, because a bet had failed or was voided: nothing is owed for ${more.length === 0 ? 'it' : 'them'}.`;
}

function stuck(title: string, [first, ...more]: readonly TransactionJson[]): Verdict {
  if (first === undefined) {
    return { tone: 'bad', title, text: 'No win is left to pay: a person must close the round.' };
  }
  const others =
    more.length === 0
      ? ''
      : ` So ${more.length === 1 ? 'was one more' : `were ${more.length} more`}.`;
  const amount = html`<strong>${money(first.amount ?? '0', first.currency ?? '')}</strong>`;
  const text = html`The win of ${amount} was refused, because ${reasonOf(first.outcome)}.${others} The player does not have ${more.length === 0 ? 'it' : 'them'}.`;
  return { tone: 'bad', title, text };
}
