import {
  mostFoundPlayers,
  notableKeptMs,
  notableKinds,
  type NotablePlace,
  type NotableQuery,
  StoreUnavailableError,
  type Totals,
  type TotalsChange,
  type TotalsPage,
  type TotalsRow,
  type TotalsSums,
  totalsTimes,
} from '../../../wallet';
import { checkBounds, checkIdentifiers, checkQuarters } from '../../check-input';
import { checkNotable, notableMember, notableTime, readNotable } from '../../codec/notable';
import type { Keys } from '../codec/keys';
import { scripts } from '../commands/scripts';
import type { Executor } from '../connection/executor';
import { pairs, readHashes } from './hashes';
import { keptWrites, readKeptRounds } from './kept-rounds';
import { addedUp, fieldsByQuarter, gapText, readMarks, type RowSums, rowsOf } from './rows';
import { piecesOf } from '../../../../platform/pieces';

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

/** Hashes that one script adds up: Redis serves nobody else meanwhile. */
const summedAtOnce = 24;

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
    const { cursors, marks, quarter } = of;
    const now = clock.now();
    const quarters = [...fieldsByQuarter(rows)].map(([at, fields]) => {
      return [quarter(at), `q${JSON.stringify(fields)}`] as const;
    });
    const found = (isLookup ? rounds : []).map(({ playerId, gameRound, expiresAt }) => {
      const keepMs = expiresAt === null ? '-' : Math.max(1, Math.ceil(expiresAt - now));
      return [of.players(gameRound), `p${expiresAt ?? '+inf'} ${keepMs} ${playerId}`] as const;
    });
    const listed = notableKinds.flatMap((kind) => {
      const members = notable.filter((one) => one.kind === kind).map(notableMember);
      if (members.length === 0) return [];
      const texts = JSON.stringify([notableTime(now - notableKeptMs), ...members]);
      return [[of.notable(kind), `n${texts}`] as const];
    });
    const written = [...quarters, ...keptWrites(of, rounds, now), ...found, ...listed];
    const reply = (await executor.run(scripts.addTotals, {
      cursors,
      marks,
      since,
      moves: JSON.stringify(moves.map(({ bucket, from, to }) => [String(bucket), from, to])),
      gaps: JSON.stringify(gaps.map((gap) => [String(gap.quarter), gapText(gap)])),
      targets: written.map(([key]) => key),
      writes: written.map(([, text]) => text),
    })) as [number, ...string[]];
    const [result, ...others] = reply;
    if (result === 1) return null;
    if (result === 2)
      throw new StoreUnavailableError('a sum of the totals does not fit into 64 bits');
    const elsewhere = new Map<number, string>();
    for (const [bucket, id] of pairs(others)) elsewhere.set(Number(bucket), id);
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
    const { executor, keys, clock } = this.parts;
    return readKeptRounds(executor, keys.totals(operatorId), asked, clock.now());
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
    const sums = (await Promise.all(asked)).map((reply) => {
      return JSON.parse(String(reply)) as readonly [parts: RowSums[], games: RowSums[]];
    });
    // After the sums: a gap that came meanwhile is named rather than not.
    const [marked = new Map<string, string>()] = await readHashes(executor, [marks]);
    const [parts, games] = [sums.flatMap(([some]) => some), sums.flatMap(([, some]) => some)];
    let read: readonly TotalsRow[] | null = null;
    return {
      parts: addedUp(parts, (part) => ({ quarter: Number(part), game: '' })),
      // Who shows the parts alone does not pay for the games.
      get games() {
        return (read ??= addedUp(games, (game) => ({ quarter: from, game })));
      },
      ...readMarks(marked, from, to),
    };
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
