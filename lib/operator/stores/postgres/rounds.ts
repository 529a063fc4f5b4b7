import type { Clock } from '../../../platform';
import { createRoundReport } from '../../wallet';
import { type RoundChange, tellsNothing } from '../../gameround';
import { countsHidden, type TakenBack } from '../../gameround/change';
import type { FollowUp } from '../../gameround/follow-up';
import type {
  AccountsResult,
  CommitResult,
  FollowResult,
  LoadResult,
  PlayerKey,
  RoundKey,
  RoundReport,
  Rounds,
  Unknown,
} from '../../wallet';
import { checkPlayerKey, checkRoundKey } from '../check-input';
import { encodeChange } from '../codec/event';
import { keptLonger } from '../event-limit';
import type { LimitedPlayers } from '../../wallet/limits/limited-players';
import { limitMoment, needsWholeRound, takenBackOf } from '../../wallet/limits/moment';
import { orUnknown } from '../or-unknown';
import { bringsLoad } from '../stale-load';
import { type CommitSettings, readCommitLines } from './codec/commit';
import { asAddition, readFollowLines } from './codec/follow';
import { encodeMoment, zonesAsked } from './codec/limits';
import { nameOf, ofPlayer, ofRound } from './codec/names';
import { readBalanceLines, readRoundLines } from './codec/round';
import type { DataPast } from './connections/data-past';
import type { Executor, Line } from './connections/executor';
import type { PostgresEvents } from './events';
import type { Money } from './money';
import { functions } from './schema/functions';

/** What the rounds need of their store. */
export interface PostgresRoundsParts extends CommitSettings {
  readonly executor: Executor;
  readonly decimals: number;
  /** Where the money is, and so which functions commit and read. */
  readonly money: Money;
  readonly clock: Clock;
  readonly limited: LimitedPlayers;
  /** Null if the process does not serve. */
  readonly past: DataPast | null;
}

/**
 * Rounds in PostgreSQL, with the money where `money` has it. Every method is one call of one function, and so one
 * transaction. See the port for the guarantees.
 */
export class PostgresRounds implements Rounds {
  constructor(
    private readonly parts: PostgresRoundsParts,
    private readonly events: PostgresEvents,
  ) {}

  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const { executor, money } = this.parts;
    const values = { ...ofRound(round), hashes };
    return orUnknown(async () => {
      const lines = await executor.run(money.load, values);
      return { kind: 'loaded', snapshot: readRoundLines(lines, hashes) } as const;
    });
  }

  async commit(
    round: RoundKey,
    change: RoundChange,
    hashes?: readonly string[],
  ): Promise<CommitResult> {
    const { money, past } = this.parts;
    return this.withEvent(round, change, (settings) => {
      const send = money.commitOf(round, change, settings, bringsLoad(change, hashes));
      return async (event) => {
        const lines = await this.withLimits(round, change, (moment) => send(event, moment));
        if (lines === null) return { kind: 'stale' } as const;
        const result = readCommitLines(lines, change);
        if (result.kind === 'committed') past?.note(round, change.after.version);
        return result;
      };
    });
  }

  async follow(round: RoundKey, followUp: FollowUp): Promise<FollowResult> {
    const { money, past } = this.parts;
    return this.withEvent(round, asAddition(followUp), (settings) => {
      const send = money.followOf(round, followUp, settings);
      return async (event) => {
        const lines = await this.withLimits(round, null, (moment) => send(event, moment));
        const result = readFollowLines(lines ?? [], followUp);
        // The answer has no version; it is the second at least.
        if (result.kind === 'committed') past?.note(round, 2);
        return result;
      };
    });
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    const { executor, money } = this.parts;
    return orUnknown(async () => {
      const lines = await executor.run(money.accounts, ofPlayer(player));
      return { kind: 'known', accounts: readRoundLines(lines).accounts } as const;
    });
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const lines = await this.parts.executor.run(functions.readRound, ofRound(round));
    if (lines.length === 0) return null;
    const view = readRoundLines(lines);
    return createRoundReport(round, view, this.parts.decimals, readBalanceLines(lines));
  }

  /** Sends with the moment that the limits of the player need, if any; null if the round has another version by now. */
  private async withLimits(
    round: RoundKey,
    change: RoundChange | null,
    send: (moment: string | null) => Promise<Line[]>,
  ): Promise<Line[] | null> {
    const { limited, clock } = this.parts;
    const known = limited.zonesOf(nameOf(round));
    // Only with a moment does a commit without movements ask for the zones.
    const isHidden = change !== null && countsHidden(change);
    const first = isHidden ? encodeMoment(limitMoment([], clock.now())) : null;
    const lines = known === undefined ? await send(first) : null;
    const zones = known ?? (lines === null ? null : zonesAsked(lines));
    if (zones === null) return lines;
    const back = change === null ? [] : await this.takenBackBy(round, change);
    if (back === null) return null;
    const attempt = (now: readonly string[]): Promise<Line[]> =>
      send(encodeMoment(limitMoment(now, clock.now(), back)));
    return limited.send(nameOf(round), zones, attempt, zonesAsked);
  }

  /** What a change takes back, each with its time; null if the round has another version by now. */
  private async takenBackBy(
    round: RoundKey,
    { takenBack = [], before }: RoundChange,
  ): Promise<readonly TakenBack[] | null> {
    if (!needsWholeRound(takenBack)) return takenBack;
    const view = readRoundLines(await this.parts.executor.run(functions.readRound, ofRound(round)));
    return view.head.version === before.version ? takenBackOf(takenBack, view) : null;
  }

  /** Sends what writes a change, made at once, with the event of the change. */
  private async withEvent<T>(
    { operatorId }: RoundKey,
    change: RoundChange,
    make: (settings: CommitSettings) => (event: string | null) => Promise<T>,
  ): Promise<T | Unknown> {
    const { parts, events } = this;
    const kind = events.kindFor(operatorId);
    const isPointer = kind === 'pointer';
    const send = make(isPointer ? { ...parts, retentionMs: keptLonger(parts.retentionMs) } : parts);
    return orUnknown(async () => {
      if (kind === null || tellsNothing(change)) return send(null);
      await events.declare();
      return send(isPointer ? change.after.state : encodeChange(change));
    });
  }
}
