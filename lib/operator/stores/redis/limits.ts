import type { Clock } from '../../../platform';
import { limitKinds, type LimitResult, type LimitsResult, type PlayerKey } from '../../wallet';
import { type LimitGroup, limitsOf } from '../../wallet/limits/groups';
import { maxBlocks } from '../check-input';
import type { CheckedLimit } from '../check-restrictions';
import { actOfLimit, encodeAct } from '../codec/act';
import { decodeGroup, encodeGroups, encodeTerms } from '../codec/limits';
import { type ChangedPast, depositOf, type PastReader, type SeenPast } from '../lists/past-money';
import {
  type LimitsToWrite,
  type LimitsWritten,
  type ReadingEnd,
  setLimitIn,
} from '../lists/set-limit';
import { orUnknown } from '../or-unknown';
import { encodePlace } from './codec/act';
import { decodeMovement } from './codec/cash';
import type { Keys } from './codec/keys';
import { decodeLimitChange, encodeLimitChange } from './codec/limits';
import { decodeRound, hasNumber } from './codec/round';
import { encodeTime } from './codec/time';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';
import type { RedisEvents } from './events';
import { readEntry } from './history';

/** What the limits need of their store. */
interface RedisLimitsParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly clock: Clock;
}

/** What limits/read.lua read. */
interface ReadLimits {
  /** Names of the account's fields, its currencies among them. */
  readonly currencies: readonly string[];
  readonly groups: readonly LimitGroup[];
  /** The oldest first. */
  readonly changes: readonly string[];
}

/** The limits of players. */
export class RedisLimits {
  constructor(
    private readonly parts: RedisLimitsParts,
    private readonly events: RedisEvents,
    /** Reads what moved before a limit; null where limits do not count it. */
    private readonly past: ((player: PlayerKey) => PastReader) | null,
  ) {}

  set(order: CheckedLimit): Promise<LimitResult> {
    return orUnknown(async () => {
      await this.events.declare();
      const port = {
        now: () => this.parts.clock.now(),
        read: () => this.read(order),
        write: (limits: LimitsToWrite) => this.write(order, limits),
        endReading: (end: ReadingEnd) => this.endReading(order, end),
        past: this.past?.(order) ?? null,
      };
      return setLimitIn(port, order);
    });
  }

  tell(player: PlayerKey): Promise<LimitsResult> {
    return orUnknown(async () => {
      const read = await this.read(player);
      if (read === null) return { kind: 'noPlayer' } as const;
      const limits = limitsOf(read.groups, this.parts.clock.now());
      return { kind: 'known', limits, changes: read.changes.map(decodeLimitChange).toReversed() };
    });
  }

  private async read(player: PlayerKey): Promise<ReadLimits | null> {
    const { executor, gate } = this.parts;
    const call = { ...this.keysOf(player), atMost: maxBlocks };
    const reply = await executor.run(scripts.readLimits, call);
    if (reply === 'noPlayer') await gate.confirmStore();
    if (reply === 'noPlayer') return null;
    const [currencies, lines, changes] = reply as [string[], string[], string[]];
    return { currencies, groups: lines.map(decodeGroup), changes };
  }

  private async write(order: CheckedLimit, limits: LimitsToWrite): Promise<LimitsWritten> {
    const { executor, keys } = this.parts;
    const { terms, at, past } = limits;
    const reply = await executor.run(scripts.setLimit, {
      ...this.keysOf(order),
      acts: keys.acts(order),
      read: encodeTerms(limits.read),
      groups: encodeGroups(limits.groups, past?.windows ?? null),
      ...encodeLimitChange(terms, order, at),
      place: encodePlace(order, 'limit', at),
      event: this.eventOf(order, terms, at),
      seen: past === null ? null : this.seenAs(order, past.seen),
    });
    if (!Array.isArray(reply)) return reply === 1 ? 'done' : 'stale';
    return readChanged(order, past?.seen.rounds ?? [], reply as unknown as ChangedReply);
  }

  private async endReading(player: PlayerKey, { group, reading, windows }: ReadingEnd) {
    const { executor, keys } = this.parts;
    await executor.run(scripts.endReading, {
      account: keys.account(player),
      kind: limitKinds.indexOf(group.kind) + 1,
      currency: group.currency,
      reading: -reading,
      numbers: windows.map(({ number }) => number).join(' '),
      units: windows.map(({ units }) => units).join(' '),
    });
  }

  /** The event of the order; null where no consumer is declared. */
  private eventOf(order: CheckedLimit, terms: LimitsToWrite['terms'], at: number) {
    if (!this.events.isOn) return null;
    const event = encodeAct(actOfLimit(terms, order));
    return { stream: this.parts.keys.events(order), event, at: encodeTime(at) };
  }

  private seenAs(player: PlayerKey, { rounds, versions, newestRound, latestCash }: SeenPast) {
    const { keys } = this.parts;
    const { order, references } = keys.cash(player);
    return {
      history: keys.history(player).list,
      order,
      references,
      rounds: rounds.map((gameRound) => keys.round({ ...player, gameRound })),
      newest: newestRound ?? '',
      latest: latestCash ?? '',
      versions: versions.map(String),
    };
  }

  private keysOf(player: PlayerKey): { account: string; changes: string } {
    const { keys } = this.parts;
    return { account: keys.account(player), changes: keys.limitChanges(player) };
  }
}

/** Each with a name, in turn. */
type Named<T> = readonly (string | number | T)[];

type ChangedReply = readonly [
  bound: string,
  others: Named<string[]>,
  newer: Named<string[]>,
  cash: Named<string>,
];

/** What limits/set.lua found changed. */
function readChanged(
  player: PlayerKey,
  rounds: readonly string[],
  [bound, others, newer, cash]: ChangedReply,
): ChangedPast {
  const changed = inTurn<number, string[]>(others).map(([place, fields]) => {
    const gameRound = rounds[place - 1] ?? '';
    return [gameRound, decodeRound(fields, gameRound)] as const;
  });
  // The entry of a round that has expired says nothing of another that has its name by now.
  const opened = inTurn<string, string[]>(newer).flatMap(([text, fields]) => {
    const { number, round } = readEntry(player, text);
    if (!hasNumber(fields, number)) return [];
    return [[round.gameRound, decodeRound(fields, round.gameRound)] as const];
  });
  const deposits = inTurn<string, string>(cash).flatMap(([reference, text]) =>
    depositOf(decodeMovement(reference, text)),
  );
  return { bound: BigInt(bound), rounds: [...changed, ...opened], deposits };
}

function inTurn<Name, T>(list: Named<T>): (readonly [Name, T])[] {
  return Array.from({ length: list.length / 2 }, (_, at) => {
    return [list[2 * at] as Name, list[2 * at + 1] as T] as const;
  });
}
