import type { Totals, TotalsChange } from '../../../wallet';
import type { Keys } from '../codec/keys';
import { scripts } from '../commands/scripts';
import type { Executor } from '../connection/executor';
import { readHashes } from './hashes';
import { piecesOf } from '../../../../platform/pieces';

type TotalsKeys = ReturnType<Keys['totals']>;

const dayMs = 86_400_000;
/** Hashes that one script reads: Redis serves nobody else meanwhile. */
const hashesAtOnce = 96;

/**
 * What is kept of rounds, in their order. Those that are kept for ever are in one hash. The others are looked for day by day,
 * but for those that begin now: the cursors let no event come twice.
 */
export async function readKeptRounds(
  executor: Executor,
  of: TotalsKeys,
  asked: Parameters<Totals['rounds']>[1],
  now: number,
): Promise<(string | null)[]> {
  const names = asked.map(({ playerId, gameRound }) => of.round(playerId, gameRound));
  const kept = await readKept(executor, names, () => of.kept);
  const later = names.filter((_, at) => (asked[at]?.version ?? 1) > 1);
  let missed = later.filter((name) => !kept.has(name));
  const [marks] = missed.length === 0 ? [] : await readHashes(executor, [of.marks]);
  for (const day of daysOf(marks ?? new Map<string, string>(), now)) {
    const found = await readKept(executor, missed, (name) => of.keptUntil(day, name));
    for (const [name, text] of found) kept.set(name, text);
    missed = missed.filter((name) => !kept.has(name));
  }
  return names.map((name) => kept.get(name) ?? null);
}

/** The days to look at, the last first: it has what replaces that of an earlier one. */
function daysOf(marks: ReadonlyMap<string, string>, now: number): number[] {
  const marked = [...marks.keys()].filter((mark) => mark.startsWith('k'));
  const days = marked.map((mark) => Number(mark.slice(1)));
  return days.filter((day) => (day + 2) * dayMs > now).toSorted((one, other) => other - one);
}

/** What is kept of rounds in the hashes of their names, by name. */
async function readKept(
  executor: Executor,
  names: readonly string[],
  keyOf: (name: string) => string,
): Promise<Map<string, string>> {
  const byKey = new Map<string, string[]>();
  for (const name of names) {
    const own = byKey.get(keyOf(name)) ?? [];
    byKey.set(keyOf(name), own);
    own.push(name);
  }
  const kept = new Map<string, string>();
  for (const some of piecesOf([...byKey], hashesAtOnce)) {
    const [targets, asks] = [some.map(([key]) => key), some.map(([, own]) => own.join(' '))];
    const replies = await executor.run(scripts.readKeptRounds, { targets, names: asks });
    const texts = (replies as (string | null)[][]).flat();
    for (const [at, name] of some.flatMap(([, own]) => own).entries()) {
      const text = texts[at];
      if (typeof text === 'string') kept.set(name, text);
    }
  }
  return kept;
}

/**
 * Rounds that are over are written to the hashes of the day on which they may be forgotten, so that none needs a time to live; a later day's replaces what an earlier one has.
 */
export function keptWrites(
  of: TotalsKeys,
  rounds: TotalsChange['rounds'],
  now: number,
): (readonly [key: string, write: string])[] {
  const writes = new Map<string, string>();
  const over: string[] = [];
  for (const { playerId, gameRound, text, expiresAt } of rounds) {
    const name = of.round(playerId, gameRound);
    const day = expiresAt === null ? null : Math.floor(expiresAt / dayMs);
    const key = day === null ? of.kept : of.keptUntil(day, name);
    const keepMs = day === null ? 0 : Math.max(1, Math.ceil((day + 1) * dayMs - now));
    if (day !== null) over.push(name);
    const before = writes.get(key) ?? (day === null ? 'k-' : `d${day} ${keepMs}`);
    writes.set(key, `${before}\n${name}\n${text}`);
  }
  return over.length === 0 ? [...writes] : [...writes, [of.kept, `l${over.join(' ')}`]];
}
