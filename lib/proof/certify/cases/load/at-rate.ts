import { type Answer, type CaseContext, described, type LoadSlice } from '../../talk';
import type { Books, ServiceRound } from '../service';

/**
 * Most rounds in flight at one time. A round that is due and has to wait is measured from the moment when it
 * was due, so that a slow wallet does not slow down its own measurement.
 */
const maxInFlight = 64;

/** Parts of a load that are compared: each has as many rounds. */
const sliceCount = 10;

/** Of the times of a slice this share is shorter than the one that counts: what disturbs only adds to a time. */
const shareBelow = 0.25;

/** A load: rounds a second, and for how many seconds. */
export interface Load {
  readonly rate: number;
  readonly seconds: number;
}

/** What a load measured, in milliseconds. */
export interface Measured {
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
  /** Of each round, in the order in which they began: the times of its answers. */
  readonly answerMs: number[][];
  /** The wallet's memory in bytes at the beginning of each slice, and at the end; empty if nobody can say. */
  readonly memoryBytes: Promise<number>[];
}

/** Plays signed rounds of a debit, and a credit with the end, which begin at a fixed rate. */
export async function playAtRate(
  context: CaseContext,
  books: Books,
  { rate, seconds }: Load,
): Promise<Measured> {
  const { clock } = context;
  const measured: Measured = {
    rounds: Math.floor(rate * seconds),
    debitMs: [],
    roundMs: [],
    errors: new Map(),
    creditAnswered5xx: null,
    failures: [],
    answerMs: [],
    memoryBytes: [],
  };
  const inSlice = Math.ceil(measured.rounds / sliceCount);
  const startMs = clock.monotonicMs();
  const inFlight = new Set<Promise<void>>();
  for (let number = 0; number < measured.rounds && measured.failures.length === 0; number += 1) {
    const dueMs = startMs + (number * 1000) / rate;
    const waitMs = dueMs - clock.monotonicMs();
    if (waitMs > 0) await clock.pause(waitMs);
    while (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    if (number % inSlice === 0) lookAtMemory(context, measured);
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
  lookAtMemory(context, measured);
  await Promise.allSettled(measured.memoryBytes);
  for (const error of measured.failures) throw error;
  return measured;
}

async function playRound(
  { clock, stake }: Pick<CaseContext, 'clock' | 'stake'>,
  round: ServiceRound,
  dueMs: number,
  measured: Measured,
): Promise<void> {
  const answerMs: number[] = [];
  measured.answerMs.push(answerMs);
  const debit = await round.send(round.debit(stake, true));
  answerMs.push(debit.exchange.reply.ms);
  const debitMs = clock.monotonicMs() - dueMs;
  if (!isCounted(debit, measured)) return;
  measured.debitMs.push(debitMs);
  const credit = await round.send(round.credit(stake), round.end());
  answerMs.push(credit.exchange.reply.ms);
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

function lookAtMemory(context: CaseContext, { memoryBytes }: Measured): void {
  if (!context.knowsMemory) return;
  const read = context.memoryBytes();
  // Its reader gets the failure.
  read.catch(() => undefined);
  memoryBytes.push(read);
}

/**
 * The load in slices, in order.
 * @throws Undecided if the wallet's memory could not be read.
 */
export async function slicesOf(measured: Measured): Promise<readonly LoadSlice[]> {
  const { answerMs } = measured;
  const memory = await Promise.all(measured.memoryBytes);
  const length = Math.ceil(answerMs.length / sliceCount);
  return Array.from({ length: sliceCount }, (_, at) => {
    const times = answerMs.slice(at * length, (at + 1) * length).flat();
    const sorted = times.toSorted((one, other) => one - other);
    const ms = sorted[Math.floor(sorted.length * shareBelow)] ?? 0;
    return { calls: times.length, ms, memoryBytes: memory[at + 1] ?? null };
  }).filter(({ calls }) => calls > 0);
}

/** What a load measured, in words. */
export function remarkOf(
  { rounds, debitMs, roundMs, errors }: Measured,
  { rate, seconds }: Load,
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
