import {
  type CaseContext,
  CaseFailure,
  described,
  type LoadSlice,
  NotTried,
  Undecided,
} from '../../talk';
import { casesIn } from '../../talk/case';
import { Books } from '../service';
import { type Load, type Measured, playAtRate, remarkOf, slicesOf } from './at-rate';
import { trendOf } from './trend';

/** Least calls of a load from which a trend is read. */
const minCalls = 200;
/** Least steadiness of a trend that counts, and least rise: in milliseconds, and as a share of the first slice. */
const [steady, minRiseMs, minRiseShare] = [0.7, 2, 0.05];
/** Least growth that counts, in bytes: in all, and for each call. */
const [minGrowth, minGrowthOfCall] = [16 * 1024 * 1024, 24 * 1024];

/** Signed rounds at a fixed rate, and what they do to the wallet. Played only if they are asked for. */
export const load = casesIn('load', [
  {
    id: 'fixed-rate',
    rule: 'Operator API 4.1, rules 1 and 6',
    given: 'two players with money',
    when: 'rounds of a debit, and a credit with the end, begin at a fixed rate, whatever the wallet takes for them',
    expected: 'no credit is answered 5xx, and in the end both books have the same money',
    after: ['plain-round', 'plain-void'],
    async play(context) {
      const { measured, wanted } = await playLoad(context);
      if (measured.creditAnswered5xx !== null) {
        const { exchange } = measured.creditAnswered5xx;
        const message = `a call with a credit and no debit must not be answered 5xx, but got ${described(measured.creditAnswered5xx)}`;
        throw new CaseFailure(message, { exchange });
      }
      if (measured.debitMs.length === 0) throw new Undecided('no debit was processed');
      return remarkOf(measured, wanted);
    },
  },
  {
    id: 'load-answers-in-the-same-time',
    rule: 'Operator API 8, gaps (D7)',
    given: 'a load at a fixed rate, in ten slices',
    when: 'the times of the slices are compared, and those of a second load where they rise',
    expected: 'an answer does not take longer with each call before it',
    otherwise: 'The specification sets no times.',
    after: ['fixed-rate'],
    play: (context) => mustNotRise(context, slowing),
  },
  {
    id: 'load-leaves-memory-as-it-was',
    rule: 'Operator API 8, gaps (D10.1)',
    given: "a load at a fixed rate, in ten slices, and a command that prints the wallet's memory",
    when: 'the memory after each slice is compared, and that of a second load where it grows',
    expected: 'the memory does not grow by 24 KiB and more with each call',
    otherwise: 'A wallet may keep its rounds in memory.',
    after: ['fixed-rate'],
    play(context) {
      if (!context.knowsMemory) throw new NotTried('--memory');
      return mustNotRise(context, growth);
    },
  },
]);

/** Plays the load that was asked for, and keeps its slices for the other cases. */
async function playLoad(context: CaseContext): Promise<{ measured: Measured; wanted: Load }> {
  const { load: wanted } = context.settings;
  if (wanted === null) throw new Undecided('no load was asked for');
  const books = await Books.open(context);
  const measured = await playAtRate(context, books, wanted);
  await books.repair();
  await books.compare(`after ${measured.rounds} rounds at ${wanted.rate} a second`);
  context.keepLoad(await slicesOf(measured));
  return { measured, wanted };
}

/** What a load did to the wallet, and whether that counts. */
interface Finding {
  readonly text: string;
  readonly isRise: boolean;
}

/** @throws CaseFailure if the load has shown a rise, and a second one shows it again: a machine may be disturbed for once. */
async function mustNotRise(
  context: CaseContext,
  look: (slices: readonly LoadSlice[]) => Finding,
): Promise<string> {
  const first = look(slicesSoFar(context));
  if (!first.isRise) return first.text;
  await playLoad(context);
  const second = look(slicesSoFar(context));
  const both = `${first.text}; in a second load, ${second.text}`;
  if (second.isRise) throw new CaseFailure(both);
  return both;
}

function slicesSoFar(context: CaseContext): readonly LoadSlice[] {
  const slices = context.loadSoFar();
  const calls = callsOf(slices);
  if (calls >= minCalls) return slices;
  throw new Undecided(`a load of ${calls} calls is too short: it needs ${minCalls}`);
}

function callsOf(slices: readonly LoadSlice[]): number {
  return slices.reduce((sum, { calls }) => sum + calls, 0);
}

function slowing(slices: readonly LoadSlice[]): Finding {
  const times = slices.map(({ ms }) => ms);
  const { steadiness, rise } = trendOf(times);
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  const isRise = steadiness >= steady && rise >= minRiseMs && rise >= from * minRiseShare;
  const text = `a quarter of the answers took at most ${inMs(from)} at the beginning and ${inMs(to)} at the end of ${callsOf(slices)} calls`;
  return { text, isRise };
}

function growth(slices: readonly LoadSlice[]): Finding {
  const sizes = slices.flatMap(({ memoryBytes }) => (memoryBytes === null ? [] : [memoryBytes]));
  const { steadiness, rise } = trendOf(sizes);
  const calls = callsOf(slices);
  const isRise = steadiness >= steady && rise >= minGrowth && rise >= calls * minGrowthOfCall;
  const text = `the memory was ${inMib(sizes[0] ?? 0)} at the beginning and ${inMib(sizes.at(-1) ?? 0)} at the end of ${calls} calls`;
  return { text, isRise };
}

function inMs(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function inMib(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
