import type { Clock } from '../../../platform';
import { createRoundReport } from '../../wallet';
import { type RoundChange, type RoundView, tellsNothing } from '../../gameround';
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
  RoundSnapshot,
} from '../../wallet';
import { checkPlayerKey, checkRoundKey } from '../check-input';
import type { LimitedPlayers } from '../../wallet/limits/limited-players';
import { limitMoment, needsWholeRound, takenBackOf } from '../../wallet/limits/moment';
import { keptLonger } from '../event-limit';
import { orUnknown, unknownFor } from '../or-unknown';
import { bringsLoad } from '../stale-load';
import { balancesIn } from './codec/balances';
import { commitCall, type Extras, readCommitReply } from './codec/commit';
import { followCall, readFollowReply, versionIn } from './codec/follow';
import type { Keys } from './codec/keys';
import { encodeMoment, zonesAsked } from './codec/limits';
import { decodeAccounts } from './codec/record';
import { decodeRound, fieldsOf } from './codec/round';
import { decodeSnapshot, type LoadReply } from './codec/snapshot';
import type { Call, Script, ScriptNames } from './commands/script';
import { scripts } from './commands/scripts';
import type { Acknowledged } from './connection/acknowledged';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';
import type { RedisEvents } from './events';
import type { History } from './history';
import { readAccounts } from './players';

/** What the rounds need of their store. */
export interface RedisRoundsParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly decimals: number;
  readonly retentionMs: number;
  readonly clock: Clock;
  /** Null if the process does not serve. */
  readonly acknowledged: Acknowledged | null;
}

/** Every method is one script, and so one moment. See the port for the guarantees. */
export class RedisRounds implements Rounds {
  constructor(
    private readonly parts: RedisRoundsParts,
    private readonly events: RedisEvents,
    private readonly history: History,
    private readonly limited: LimitedPlayers,
  ) {}

  async load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    const { keys, executor } = this.parts;
    const fields = hashes.flatMap((hash) => fieldsOf(hash, round.gameRound));
    return orUnknown(async () => {
      const reply = await executor.run(scripts.load, { ...keys.accountAndRound(round), fields });
      const snapshot = decodeSnapshot(reply as LoadReply, hashes);
      await this.confirmFound(snapshot);
      return { kind: 'loaded', snapshot } as const;
    });
  }

  async commit(
    round: RoundKey,
    change: RoundChange,
    hashes?: readonly string[],
  ): Promise<CommitResult> {
    const { acknowledged } = this.parts;
    const { extras, keptMs } = this.extrasFor(round, !tellsNothing(change));
    const call = commitCall(this.parts.keys, round, change, keptMs, extras);
    try {
      const script = bringsLoad(change, hashes) ? scripts.open : scripts.commit;
      const known = this.limited.zonesOf(call.account);
      // Only with a moment does a commit without movements ask for the zones.
      const first = countsHidden(change) ? { ...call, limits: this.momentIn([], []) } : call;
      let reply = known === undefined ? await this.write(script, first, extras) : null;
      const zones = known ?? zonesAsked(reply);
      if (zones !== null) {
        const back = await this.takenBackBy(round, change);
        const attempt = (now: readonly string[]): Promise<unknown> =>
          this.write(script, { ...call, limits: this.momentIn(now, back ?? []) }, extras);
        reply = back && (await this.limited.send(call.account, zones, attempt, zonesAsked));
      }
      const result = readCommitReply(reply ?? 'stale', change);
      if (result.kind === 'committed') acknowledged?.note(call.round, change.after.version);
      if (extras.lists) this.history.noteCommit(round, change, result);
      if (result.kind === 'refused' && result.reason === 'noPlayer') await this.confirmStore();
      return result;
    } catch (error) {
      return unknownFor(error);
    }
  }

  async follow(round: RoundKey, followUp: FollowUp): Promise<FollowResult> {
    const { acknowledged } = this.parts;
    const { extras, keptMs } = this.extrasFor(round);
    const call = followCall(this.parts.keys, round, followUp, keptMs, extras);
    try {
      const known = this.limited.zonesOf(call.account);
      let reply = known === undefined ? await this.write(scripts.follow, call, extras) : null;
      const zones = known ?? zonesAsked(reply);
      if (zones !== null) {
        const attempt = (now: readonly string[]): Promise<unknown> =>
          this.write(scripts.follow, { ...call, limits: this.momentIn(now, []) }, extras);
        reply = await this.limited.send(call.account, zones, attempt, zonesAsked);
      }
      const result = readFollowReply(reply, followUp);
      if (result.kind === 'committed') acknowledged?.note(call.round, versionIn(reply));
      if (result.kind === 'other') await this.confirmFound(result.snapshot);
      return result;
    } catch (error) {
      return unknownFor(error);
    }
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return orUnknown(async () => {
      const accounts = decodeAccounts(await readAccounts(this.parts, player));
      return { kind: 'known', accounts } as const;
    });
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(round);
    const reply = await this.parts.executor.run(scripts.readRound, {
      round: this.parts.keys.round(round),
    });
    const view = decodeRound(reply as string[], round.gameRound);
    if (view === null) await this.confirmStore();
    if (view === null) return null;
    return createRoundReport(round, view, this.parts.decimals, balancesIn(reply as string[]));
  }

  private momentIn(zones: readonly string[], takenBack: readonly TakenBack[]) {
    return encodeMoment(limitMoment(zones, this.parts.clock.now(), takenBack));
  }

  /** What a change takes back, each with its time; null if the round has another version by now. */
  private async takenBackBy(
    round: RoundKey,
    { takenBack = [], before }: RoundChange,
  ): Promise<readonly TakenBack[] | null> {
    if (!needsWholeRound(takenBack)) return takenBack;
    const view = await this.readWhole(round);
    return view?.head.version === before.version ? takenBackOf(takenBack, view) : null;
  }

  /** A round with all its records; null if nothing is known of it. */
  async readWhole(round: RoundKey): Promise<RoundView | null> {
    const key = { round: this.parts.keys.round(round) };
    const reply = await this.parts.executor.run(scripts.readRound, key);
    return decodeRound(reply as string[], round.gameRound);
  }

  /**
   * Call it if nothing was found: confirms that Redis still holds the store. A Redis that lost its data
   * knows nothing, and such answers would be final.
   */
  private confirmStore(): Promise<void> {
    return this.parts.gate.confirmStore();
  }

  private async confirmFound({ head, accounts }: RoundSnapshot): Promise<void> {
    if (head.version === 0 && accounts === null) await this.confirmStore();
  }

  private extrasFor({ operatorId }: RoundKey, isTold = true): { extras: Extras; keptMs: number } {
    const { retentionMs, clock } = this.parts;
    const kind = this.events.kindFor(operatorId);
    const keptMs = kind === 'pointer' ? keptLonger(retentionMs) : retentionMs;
    const eventKind = isTold ? kind : null;
    const at = eventKind === null ? 0 : clock.now();
    return { extras: { eventKind, at, lists: this.history.isOn }, keptMs };
  }

  private write<N extends ScriptNames>(
    script: Script<N>,
    call: Call<N>,
    extras: Extras,
  ): Promise<unknown> {
    const { eventKind, lists } = extras;
    if (eventKind === null && !lists) return this.parts.executor.run(script, call);
    return this.declare(extras).then(() => this.parts.executor.run(script, call));
  }

  private async declare({ eventKind, lists }: Extras): Promise<void> {
    if (eventKind !== null) await this.events.declare();
    if (lists) await this.history.note().catch(() => {}); // the first commit repeats it
  }
}
