import type { RoundReport } from '../../../lib/operator/wallet';
import { type BookedItem, isDropped } from '../../rgs/load/protocol-rgs';
import type { BookedPosting } from './strict-ledger';
import { type FaultRun, round, units } from './fault-run';

/** What does not hold after a run that has come to its end; then all is sent again. */
export async function breachesOf(run: FaultRun): Promise<string[]> {
  const found = await breachesNow(run);
  for (let times = 0; times < 2; times++) {
    await run.rgs.sendAllAgain();
    found.push(...(await breachesNow(run)));
  }
  found.push(
    ...run.violations,
    ...run.rgs.violations,
    ...run.ledger.violations,
    ...run.watch.violations,
  );
  return [...new Set(found)];
}

async function breachesNow(run: FaultRun): Promise<string[]> {
  const report = await run.journal.rounds.readRound(round);
  return [
    ...balanceBreaches(run),
    ...[...run.rgs.book.values()].flatMap((item) => effectBreaches(run, item)),
    ...(await unresolved(run)),
    ...(report === null ? [] : roundBreaches(run, report)),
  ];
}

/** O1. */
function balanceBreaches({ rgs, ledger, scenario }: FaultRun): string[] {
  let must = units(scenario.start.real + scenario.start.bonus);
  for (const item of rgs.book.values()) must += signOf(item) * effectOf(item, rgs.isVoided);
  const { real, bonus } = ledger.balance;
  return real + bonus === must ? [] : [`the balance is ${real + bonus}, not ${must} (O1)`];
}

/** O2 to O5, of each hash alone. */
function effectBreaches({ rgs, ledger }: FaultRun, item: BookedItem): string[] {
  const postings = ledger.postings.filter(({ hash }) => hash === item.hash);
  const net = postings.filter(({ isReversed }) => !isReversed).reduce(addMoved, 0n);
  const must = effectOf(item, rgs.isVoided);
  const found: string[] = [];
  if (postings.length > 1) found.push(`${item.hash} was posted ${postings.length} times (O2)`);
  if (net !== signOf(item) * must) {
    found.push(`${item.hash} (${item.told ?? 'not told'}) moved ${net}, not ${must} (O3, O4, O5)`);
  }
  return found;
}

/** O9. */
async function unresolved(run: FaultRun): Promise<string[]> {
  return (await run.unfinished()).map((gameRound) => `${gameRound} is unfinished (O9)`);
}

function roundBreaches({ rgs, ledger }: FaultRun, { head, entries }: RoundReport): string[] {
  const found: string[] = [];
  if (head.state === 'cancelled' || head.unanswered !== 0) {
    found.push(`the round is ${head.state}, ${head.unanswered} unanswered (O9)`);
  }
  if (rgs.isVoided && head.state !== 'voided') found.push(`a voided round is ${head.state} (O4)`);
  const hasEnded = [...rgs.book.values()].some((item) => item.type === 'end' && isEffective(item));
  if (head.started && head.state === (hasEnded ? 'open' : 'closed')) {
    found.push(
      `the round is ${head.state}, and its end was ${hasEnded ? 'done' : 'not'} (D4.8, D5.3)`,
    );
  }
  for (const [hash, { transaction, void: voided }] of entries) {
    if (transaction?.outcome === 'pending') found.push(`${hash} is pending (O9)`);
    if (transaction?.outcome === 'unanswered' && voided === undefined && !rgs.isVoided) {
      found.push(`${hash} waits for its void (O9)`);
    }
  }
  const effective = ledger.postings.filter(({ isReversed }) => !isReversed);
  for (const kind of ['debit', 'credit'] as const) {
    const sums = kind === 'debit' ? head.debits : head.credits;
    const sign = kind === 'debit' ? -1n : 1n;
    const own = effective.filter((posting) => posting.kind === kind);
    for (const part of ['real', 'bonus'] as const) {
      const must = own.reduce((sum, { moved }) => sum + sign * moved[part], 0n);
      if (sums[part] !== must) found.push(`${part} ${kind}s: ${sums[part]}, not ${must}`);
    }
  }
  return found;
}

/** Units that a transaction must have moved in the end, by what the RGS knows of it. */
function effectOf(item: BookedItem, isRoundVoided: boolean): bigint {
  const { amount = 0, type } = item;
  return isEffective(item) && !isRoundVoided && type !== 'end' ? units(amount) : 0n;
}

function isEffective(item: BookedItem): boolean {
  return item.told === 'processed' && !item.isVoided && !isDropped(item);
}

function signOf({ type }: BookedItem): bigint {
  return type === 'debit' ? -1n : 1n;
}

function addMoved(sum: bigint, { moved }: BookedPosting): bigint {
  return sum + moved.real + moved.bonus;
}
