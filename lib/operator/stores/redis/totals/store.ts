import {
  mostFoundPlayers,
  notableKeptMs,
  notableKinds,
  type NotablePlace,
  type NotableQuery,
  StoreUnavailableError,
  type Totals,
  type TotalsChange,
  type TotalsGap,
  type TotalsName,
  totalsNames,
  type TotalsPage,
  type TotalsRow,
  type TotalsSums,
  totalsTimes,
} from '../../wallet';
import { checkBounds, checkIdentifiers, checkQuarters } from '../check-input';
import { checkNotable, notableMember, notableTime, readNotable } from '../codec/notable';
import type { Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import { piecesOf } from './latest-members';

/** What totals need of a store. */
interface RedisTotalsParts {
  readonly executor: Executor;
  readonly keys: Keys;
  readonly clock: { now(): number };
}

/** What a page moves in one bucket: from the last event that was acknowledged to the last one of the page. */
export interface BucketMove {
  readonly bucket: number;
  readonly from: string;
  readonly to: string;
}

/** Hashes that one script reads, and that one adds up: Redis serves nobody else meanwhile. */
const [hashesAtOnce, summedAtOnce] = [96, 24];

/** The totals of a Redis store. All keys of an operator have one tag, so that one script adds to them. */
export class RedisTotals implements Omit<Totals, 'batches'> {
  constructor(private readonly parts: RedisTotalsParts) {}

  /**
   * Adds what the events of a page change, once. Null if it was added; else, by bucket, the last event that the totals have,
   * where that is another one than the page assumes: then nothing was added.
   * @throws StoreUnavailableError
   */
  async add(
    operatorId: string,
    moves: readonly BucketMove[],
    { rows, rounds, gaps, since, notable = [], isLookup = false }: TotalsChange,
  ): Promise<ReadonlyMap<number, string> | null> {
    const { keys, executor, clock } = this.parts;
    const of = keys.totals(operatorId);
    const { cursors, marks, quarter, round } = of;
    const now = clock.now();
    const quarters = [...fieldsByQuarter(rows)].map(([at, fields]) => {
      return [quarter(at), `q${JSON.stringify(fields)}`] as const;
    });
    const kept = rounds.flatMap(({ playerId, gameRound, text, expiresAt }) => {
      const keepMs = expiresAt === null ? '-' : Math.max(1, Math.ceil(expiresAt - now));
      const own = [round(playerId, gameRound), `k${keepMs} ${text}`] as const;
      const player = `p${expiresAt ?? '+inf'} ${keepMs} ${playerId}`;
      return isLookup ? [own, [of.players(gameRound), player] as const] : [own];
    });
    const listed = notableKinds.flatMap((kind) => {
      const members = notable.filter((one) => one.kind === kind).map(notableMember);
      if (members.length === 0) return [];
      const texts = JSON.stringify([notableTime(now - notableKeptMs), ...members]);
      return [[of.notable(kind), `n${texts}`] as const];
    });
    const written = [...quarters, ...kept, ...listed];
    const reply = (await executor.run(scripts.addTotals, {
      cursors,
      marks,
      since,
      moves: JSON.stringify(moves.map(({ bucket, from, to }) => [String(bucket), from, to])),
      gaps: JSON.stringify(gaps.map((gap) => [String(gap.quarter), gapText(gap)])),
      targets: written.map(([key]) => key),
      writes: written.map(([, text]) => text),
    })) as [number, ...string[]];
    const [result, ...found] = reply;
    if (result === 1) return null;
    if (result === 2)
      throw new StoreUnavailableError('a sum of the totals does not fit into 64 bits');
    const elsewhere = new Map<number, string>();
    for (let at = 0; at < found.length; at += 2) {
      elsewhere.set(Number(found[at]), found[at + 1] ?? '');
    }
    return elsewhere;
  }

  /** Events may be missing from now on. */
  async interrupt(operatorId: string): Promise<void> {
    const { keys, executor } = this.parts;
    await executor.run(scripts.interruptTotals, { marks: keys.totals(operatorId).marks });
  }

  async rounds(
    operatorId: string,
    asked: Parameters<Totals['rounds']>[1],
  ): Promise<(string | null)[]> {
    checkIdentifiers({ operatorId });
    const { round } = this.parts.keys.totals(operatorId);
    const kept = await readHashes(
      this.parts.executor,
      asked.map(({ playerId, gameRound }) => round(playerId, gameRound)),
    );
    return kept.map((fields) => fields.get('t') ?? null);
  }

  async read(operatorId: string, from: number, to: number): Promise<TotalsPage> {
    checkIdentifiers({ operatorId });
    checkQuarters(from, to);
    const { marks, quarter } = this.parts.keys.totals(operatorId);
    const quarters = Array.from({ length: to - from }, (_, at) => from + at);
    const [marked = new Map<string, string>(), ...hashes] = await readHashes(this.parts.executor, [
      marks,
      ...quarters.map(quarter),
    ]);
    const rows = hashes.flatMap((fields, at) => rowsOf(from + at, fields));
    return { rows, ...readMarks(marked, from, to) };
  }

  async sum(operatorId: string, bounds: readonly number[]): Promise<TotalsSums> {
    checkIdentifiers({ operatorId });
    const { from, to } = checkBounds(bounds);
    const { executor, keys } = this.parts;
    const { marks, quarter } = keys.totals(operatorId);
    const quarters = bounds.slice(0, -1).flatMap((part, at) => {
      const length = (bounds[at + 1] ?? part) - part;
      return Array.from({ length }, (_, each) => [quarter(part + each), String(part)] as const);
    });
    const except = totalsTimes.indexOf('end');
    const asked = piecesOf(quarters, summedAtOnce).map((some) => {
      const [named, parts] = [some.map(([key]) => key), some.map(([, part]) => part)];
      return executor.run(scripts.sumTotals, { quarters: named, except, parts });
    });
    const sums = await Promise.all(asked as Promise<readonly [parts: string[], games: string[]]>[]);
    // After the sums: a gap that came meanwhile is named rather than not.
    const [marked = new Map<string, string>()] = await readHashes(executor, [marks]);
    const parts = sums.flatMap(([some]) => [...pairs(some)]);
    const games = sums.flatMap(([, some]) => [...pairs(some)]);
    return { parts: partsOf(parts), games: rowsOf(from, games), ...readMarks(marked, from, to) };
  }

  async notable(operatorId: string, query: NotableQuery): Promise<NotablePlace[]> {
    const { kind, from, to, limit, after } = checkNotable(operatorId, query);
    const call = {
      notable: this.parts.keys.totals(operatorId).notable(kind),
      before: after === undefined || after.at >= to ? notableTime(to) : notableMember(after),
      from: notableTime(from),
      most: limit,
    };
    const members = (await this.parts.executor.run(scripts.readNotable, call)) as string[];
    return members.map(readNotable);
  }

  async players(operatorId: string, gameRound: string): Promise<string[]> {
    checkIdentifiers({ operatorId, gameRound });
    const { keys, executor } = this.parts;
    const call = { players: keys.totals(operatorId).players(gameRound), most: mostFoundPlayers };
    return ((await executor.run(scripts.readFoundPlayers, call)) as string[]).toSorted();
  }
}

function readMarks(
  marked: ReadonlyMap<string, string>,
  from: number,
  to: number,
): Pick<TotalsPage, 'gaps' | 'since'> {
  const since = marked.get('since');
  const gaps = [...marked].flatMap(([name, text]) => {
    const at = name.startsWith('g') ? Number(name.slice(1)) : -1;
    return from <= at && at < to ? [readGap(at, text)] : [];
  });
  return { gaps, since: since === undefined ? null : Number(since) };
}

/** Hashes that have one hash tag, in the order of their keys. */
export async function readHashes(
  executor: Executor,
  targets: readonly string[],
): Promise<Map<string, string>[]> {
  const hashes: Map<string, string>[] = [];
  for (let at = 0; at < targets.length; at += hashesAtOnce) {
    const call = { targets: targets.slice(at, at + hashesAtOnce) };
    const replies = (await executor.run(scripts.readHashes, call)) as string[][];
    hashes.push(...replies.map((reply) => new Map(pairs(reply))));
  }
  return hashes;
}

function* pairs(reply: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at < reply.length; at += 2) yield [reply[at] ?? '', reply[at + 1] ?? ''];
}

/** Of each quarter, the name of each sum and what is added to it, in turn. */
function fieldsByQuarter(rows: readonly TotalsRow[]): Map<number, string[]> {
  const quarters = new Map<number, string[]>();
  for (const { quarter, by, game, currency, sums } of rows) {
    const fields = quarters.get(quarter) ?? [];
    quarters.set(quarter, fields);
    for (const [name, units] of Object.entries(sums) as [TotalsName, bigint][]) {
      if (units === 0n) continue;
      const place = totalsNames.indexOf(name).toString(36);
      fields.push(`${totalsTimes.indexOf(by)}${place} ${currency} ${game}`, String(units));
    }
  }
  return quarters;
}

/** The rows of sums by their names; those of a name are added. */
function rowsOf(quarter: number, fields: Iterable<readonly [string, string]>): TotalsRow[] {
  const rows = new Map<string, TotalsRow & { sums: Partial<Record<TotalsName, bigint>> }>();
  for (const [field, units] of fields) {
    const [time, place, end] = [field.charAt(0), field.charAt(1), field.indexOf(' ', 3)];
    const [by, name] = [totalsTimes[Number(time)], totalsNames[Number.parseInt(place, 36)]];
    if (by === undefined || name === undefined || end < 0)
      throw new Error('a sum of the totals is not known');
    const key = time + field.slice(2);
    const [currency, game] = [field.slice(3, end), field.slice(end + 1)];
    const row = rows.get(key) ?? { quarter, by, game, currency, sums: {} };
    rows.set(key, row);
    row.sums[name] = (row.sums[name] ?? 0n) + BigInt(units);
  }
  return [...rows.values()];
}

/** The rows of parts: each name begins with the part. */
function partsOf(fields: readonly (readonly [string, string])[]): TotalsRow[] {
  const parts = new Map<number, [string, string][]>();
  for (const [name, units] of fields) {
    const end = name.indexOf(' ');
    const part = Number(name.slice(0, end));
    const own = parts.get(part) ?? [];
    parts.set(part, own);
    own.push([`${name.slice(end + 1)} `, units]);
  }
  return [...parts].flatMap(([part, own]) => rowsOf(part, own));
}

function gapText({ kind, playerId, gameRound }: TotalsGap): string {
  return JSON.stringify([kind, playerId, gameRound]);
}

function readGap(quarter: number, text: string): TotalsGap {
  const [kind, playerId, gameRound] = JSON.parse(text) as [TotalsGap['kind'], string, string];
  return { quarter, kind, playerId, gameRound };
}
