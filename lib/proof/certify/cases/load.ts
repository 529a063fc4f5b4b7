import { casesIn } from '../talk/case';
import { Books, type ServiceRound } from './service';
import { type Answer, type CaseContext, CaseFailure, described, Undecided } from '../talk';

/**
 * Most rounds in flight at one time. A round that is due and has to wait is measured from the moment when it
 * was due, so that a slow wallet does not slow down its own measurement.
 */
const maxInFlight = 64;

/** Signed rounds at a fixed rate. It is played only if it is asked for. */
export const load = casesIn('load', [
  {
    id: 'fixed-rate',
    rule: 'Operator API 4.1, rules 1 and 6',
    given: 'two players with money',
    when: 'rounds of a debit, and a credit with the end, begin at a fixed rate, whatever the wallet takes for them',
    expected: 'no credit is answered 5xx, and in the end both books have the same money',
    after: ['plain-round', 'plain-void'],
    async play(context) {
      const { load: wanted } = context.settings;
      if (wanted === null) throw new Undecided('no load was asked for');
      const books = await Books.open(context);
      const measured = await playAtRate(context, books, wanted);
      await books.repair();
      await books.compare(`after ${measured.rounds} rounds at ${wanted.rate} a second`);
      if (measured.creditAnswered5xx !== null) {
        const { exchange } = measured.creditAnswered5xx;
        const message = `a call with a credit and no debit must not be answered 5xx, but came ${described(measured.creditAnswered5xx)}`;
        throw new CaseFailure(message, { exchange });
      }
      if (measured.debitMs.length === 0) throw new Undecided('no debit was processed');
      return remarkOf(measured, wanted);
    },
  },
]);

/** What a load measured, in milliseconds. */
interface Measured {
  rounds: number;
  /** Of debits, from the moment when they were due to the answer. */
  readonly debitMs: number[];
  /** Of whole rounds, from the moment when they were due to the last answer. */
  readonly roundMs: number[];
  /** Calls that were not processed, by what came. */
  readonly errors: Map<string, number>;
  creditAnswered5xx: Answer | null;
  /** Rounds that could not be played, such as for the stake budget. */
  readonly failures: unknown[];
}

async function playAtRate(
  context: CaseContext,
  books: Books,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Measured> {
  const { clock } = context;
  const measured: Measured = {
    rounds: Math.floor(rate * seconds),
    debitMs: [],
    roundMs: [],
    errors: new Map(),
    creditAnswered5xx: null,
    failures: [],
  };
  const startMs = clock.monotonicMs();
  const inFlight = new Set<Promise<void>>();
  for (let number = 0; number < measured.rounds && measured.failures.length === 0; number += 1) {
    const dueMs = startMs + (number * 1000) / rate;
    const waitMs = dueMs - clock.monotonicMs();
    if (waitMs > 0) await clock.pause(waitMs);
    while (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    const playerId = books.playerIds[number % books.playerIds.length] ?? '';
    const round = books.begin(playerId);
    const played: Promise<void> = playRound(context, round, dueMs, measured)
      // What is in doubt is voided or sent again at once, as the service does.
      .then(async () => void (await round.repair()))
      .catch((error: unknown) => {
        measured.failures.push(error);
      })
      .finally(() => inFlight.delete(played));
    inFlight.add(played);
    if ((number + 1) % Math.max(1, Math.floor(rate)) === 0) {
      context.note(`${number + 1} of ${measured.rounds} rounds`);
    }
  }
  await Promise.all(inFlight);
  for (const error of measured.failures) throw error;
  return measured;
}

async function playRound(
  { clock, stake }: Pick<CaseContext, 'clock' | 'stake'>,
  round: ServiceRound,
  dueMs: number,
  measured: Measured,
): Promise<void> {
  const debit = await round.send(round.debit(stake, true));
  const debitMs = clock.monotonicMs() - dueMs;
  if (!isCounted(debit, measured)) return;
  measured.debitMs.push(debitMs);
  const credit = await round.send(round.credit(stake), round.end());
  if (credit.status >= 500) measured.creditAnswered5xx ??= credit;
  if (isCounted(credit, measured)) measured.roundMs.push(clock.monotonicMs() - dueMs);
}

/** Whether a call was processed; one that was not is counted by what came. */
function isCounted(answer: Answer, { errors }: Measured): boolean {
  if (answer.meaning === 'success' && answer.error === null) return true;
  const { reply } = answer.exchange;
  const kind = reply.kind === 'timeOut' ? 'no reply in time' : described(answer);
  errors.set(kind, (errors.get(kind) ?? 0) + 1);
  return false;
}

function remarkOf(
  { rounds, debitMs, roundMs, errors }: Measured,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): string {
  const failed = [...errors].map(([kind, count]) => `${count} times ${kind}`).join(', ');
  return [
    `${rounds} rounds at ${rate} a second for ${seconds} s`,
    `debits from when they were due: ${percentilesOf(debitMs)}`,
    `whole rounds: ${percentilesOf(roundMs)}`,
    failed === '' ? 'no errors' : `errors: ${failed}`,
    'this is no benchmark: the network and this machine are in it',
  ].join('; ');
}

const shownPercentiles = [50, 90, 99] as const;

/** Percentiles of times in milliseconds, as text: `p50 3 ms, p90 5 ms, p99 9 ms, max 12 ms`. */
export function percentilesOf(times: readonly number[]): string {
  if (times.length === 0) return 'none';
  const sorted = times.toSorted((one, other) => one - other);
  const texts = shownPercentiles.map(
    (percent) => `p${percent} ${Math.round(percentile(sorted, percent))} ms`,
  );
  return [...texts, `max ${Math.round(sorted.at(-1) ?? 0)} ms`].join(', ');
}

/** The smallest time that at least this percentage do not exceed. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}
