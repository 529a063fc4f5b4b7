import type { AttentionEntry } from '../../../lib/operator/wallet';
import { generateHistory } from '../../../lib/proof/histories/generator';
import { type Subject, tellHistory, textOf, type Told } from './play';

/** Each has an operator of its own; of the first one, the rounds in attention and those that are open are compared too. */
const historiesAtOnce = 16;

/** What was played, and the first difference; null if all stores told the same. */
export interface Comparison {
  readonly histories: number;
  /** doTransactions of each store. */
  readonly calls: number;
  readonly difference: string | null;
}

/**
 * Plays the same histories to all stores, until so many calls were played to the first or they differ. A history in
 * which a call falls there is not played to a store that leaves such a call to its voids.
 */
export async function compareStores(
  subjects: readonly Subject[],
  options: { readonly seed: number; readonly calls: number },
): Promise<Comparison> {
  const [reference, ...others] = subjects;
  if (reference === undefined) throw new Error('There is no store to compare with.');
  let [histories, calls] = [0, 0];
  while (calls < options.calls) {
    const seeds = Array.from({ length: historiesAtOnce }, (_, at) => options.seed + histories + at);
    const must = await tellAll(reference, seeds);
    const told = await Promise.all(
      others.map((other) => {
        const isPlayed = (at: number) => !other.leavesFallen || must[at]?.hasFallen === false;
        return tellAll(other, seeds, isPlayed);
      }),
    );
    for (const [at, seed] of seeds.entries()) {
      const lines = must[at]?.lines ?? [];
      calls += lines.filter((line) => isCall.test(line)).length;
      histories += 1;
      const names = subjects.map(({ name }) => name);
      const ofStores = told.map((ofStore) => (ofStore[at] ?? null)?.lines ?? lines);
      const difference = differenceOf(names, [lines, ...ofStores]);
      if (difference !== null)
        return { histories, calls, difference: `history ${seed}: ${difference}` };
    }
    const listed = subjects.filter((one) => !one.leavesFallen || must[0]?.hasFallen === false);
    const difference = await compareLists(listed, `operator-${seeds[0]}`);
    if (difference !== null) return { histories, calls, difference };
    for (const { clock } of subjects) clock.setWallClock(1000);
  }
  return { histories, calls, difference: null };
}

/** What a store tells of each history; null of one that it is not played. */
function tellAll(
  subject: Subject,
  seeds: readonly number[],
  isPlayed: (at: number) => boolean = () => true,
): Promise<(Told | null)[]> {
  return Promise.all(
    seeds.map(async (seed, at) => {
      if (!isPlayed(at)) return null;
      return tellHistory(subject, `operator-${seed}`, generateHistory(seed));
    }),
  );
}

const isCall = /^(?:call|lostCall|resend|again) /;

async function compareLists(subjects: readonly Subject[], operatorId: string) {
  for (const [kind, list] of lists) {
    const listed = await Promise.all(
      subjects.map(async (subject) => {
        const entries: AttentionEntry[] = [];
        for await (const entry of list(subject, operatorId)) entries.push(entry);
        return entries.map(textOf).toSorted();
      }),
    );
    const names = subjects.map(({ name }) => name);
    const difference = differenceOf(names, listed);
    if (difference !== null) return `the ${kind} list of ${operatorId}: ${difference}`;
  }
  return null;
}

type List = (subject: Subject, operatorId: string) => AsyncIterable<AttentionEntry>;

const lists: readonly (readonly [string, List])[] = [
  ['attention', ({ store }, operatorId) => store.lists.attention(operatorId)],
  [
    'open',
    ({ store, clock, name }, operatorId) => {
      if (store.lists.openRounds === undefined)
        throw new Error(`${name} does not list open rounds`);
      return store.lists.openRounds(operatorId, clock.now());
    },
  ],
];

function differenceOf(
  names: readonly string[],
  told: readonly (readonly string[])[],
): string | null {
  const [must = []] = told;
  for (const [place, lines] of told.entries()) {
    const other = lines.length < must.length ? must : lines;
    const at = other.findIndex((_, index) => lines[index] !== must[index]);
    if (at < 0) continue;
    return `line ${at}: ${names[0]} tells\n${must[at]}\nand ${names[place]}\n${lines[at]}`;
  }
  return null;
}
