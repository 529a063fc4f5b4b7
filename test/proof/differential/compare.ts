import type { AttentionEntry } from '../../../lib/operator/wallet';
import { generateHistory } from '../../../lib/proof/histories/generator';
import { type Subject, tellHistory, textOf } from './play';

/** Each has an operator of its own; of the first one, the rounds in attention and those that are open are compared too. */
const historiesAtOnce = 16;

/** What was played, and the first difference; null if all stores told the same. */
export interface Comparison {
  readonly histories: number;
  /** doTransactions of each store. */
  readonly calls: number;
  readonly difference: string | null;
}

/** Plays the same histories to all stores, until so many calls were played to each or they differ. */
export async function compareStores(
  subjects: readonly Subject[],
  options: { readonly seed: number; readonly calls: number },
): Promise<Comparison> {
  let [histories, calls] = [0, 0];
  while (calls < options.calls) {
    const seeds = Array.from({ length: historiesAtOnce }, (_, at) => options.seed + histories + at);
    const told = await Promise.all(
      subjects.map((subject) =>
        Promise.all(
          seeds.map((seed) => tellHistory(subject, `operator-${seed}`, generateHistory(seed))),
        ),
      ),
    );
    for (const [at, seed] of seeds.entries()) {
      const lines = told.map((ofStore) => ofStore[at] ?? []);
      calls += (lines[0] ?? []).filter((line) => isCall.test(line)).length;
      histories += 1;
      const difference = differenceOf(subjects, lines);
      if (difference !== null)
        return { histories, calls, difference: `history ${seed}: ${difference}` };
    }
    const difference = await compareLists(subjects, `operator-${seeds[0]}`);
    if (difference !== null) return { histories, calls, difference };
    for (const { clock } of subjects) clock.setWallClock(1000);
  }
  return { histories, calls, difference: null };
}

const isCall = /^(?:call|lostCall|resend|again) /;

async function compareLists(subjects: readonly Subject[], operatorId: string) {
  for (const [name, list] of lists) {
    const listed = await Promise.all(
      subjects.map(async (subject) => {
        const entries: AttentionEntry[] = [];
        for await (const entry of list(subject, operatorId)) entries.push(entry);
        return entries.map(textOf).toSorted();
      }),
    );
    const difference = differenceOf(subjects, listed);
    if (difference !== null) return `the ${name} list of ${operatorId}: ${difference}`;
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
  subjects: readonly Subject[],
  told: readonly (readonly string[])[],
): string | null {
  const [must = []] = told;
  for (const [place, lines] of told.entries()) {
    const other = lines.length < must.length ? must : lines;
    const at = other.findIndex((_, index) => lines[index] !== must[index]);
    if (at < 0) continue;
    const names = [subjects[0]?.name, subjects[place]?.name];
    return `line ${at}: ${names[0]} tells\n${must[at]}\nand ${names[1]}\n${lines[at]}`;
  }
  return null;
}
