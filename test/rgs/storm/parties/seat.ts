import {
  GameEngineError,
  type GameRound,
  GameRoundError,
  lastSeenOf,
  type LostCall,
} from '../../../../lib/provider';
import type { Casino } from './casino';
import { closeAbandoned, type Studio } from './studio';
import { type Entry, undo } from './studio-book';

/** Ids of refusals that faults and this workload explain. */
const explained = new Set([1008, 9001, 9100, 9102, 9107]);
const sessionInvalid = 1008;
const neverStarted = 15;

/** A call whose outcome is unknown is asked for so many times. */
const patience = 200;

/** What a seat stands on. */
export interface SeatParts {
  readonly studio: Studio;
  readonly casino: Casino;
  /** What must not happen, in words. */
  readonly violations: string[];
  /** How often something happened, by its name. */
  readonly tally: Map<string, number>;
  /** Has the RGS send what is due. */
  readonly nudge: () => Promise<void>;
}

/** A round at a seat. `isCut`: the session that it was played in is gone. */
export interface Table {
  readonly entry: Entry;
  readonly round: GameRound;
  isCut: boolean;
}

/** One player's seat: its session, and what its failed calls come to. */
export class Seat {
  #token: string | null = null;

  constructor(
    readonly playerId: string,
    private readonly parts: SeatParts,
  ) {}

  async token(): Promise<string> {
    this.#token ??= await this.parts.casino.session(this.playerId);
    return this.#token;
  }

  /** The next call makes a new session. */
  leave(): void {
    this.#token = null;
  }

  /** Makes a call of a round, and books it once it is known to have counted. */
  async act(table: Table, send: () => Promise<unknown>, apply: () => void): Promise<boolean> {
    try {
      await send();
      apply();
      return true;
    } catch (error) {
      if (error instanceof GameRoundError && error.code === 'UNDONE') {
        undo(table.entry);
        return false;
      }
      if (isUnknown(error)) return this.settle(table, apply);
      this.refused(table.entry, error);
      table.isCut ||= idOf(error) === sessionInvalid;
      return false;
    }
  }

  /** A refusal: nothing happened. */
  refused({ gameRound }: Entry, error: unknown, expected: readonly number[] = []): void {
    const id = idOf(error);
    this.count(`refused ${id ?? (error as Error).name}`);
    if (id === sessionInvalid) this.leave();
    const isExplained = id !== null && (explained.has(id) || expected.includes(id));
    const isTooMany = error instanceof GameEngineError && 'status' in error && error.status === 429;
    const isNotTaken = error instanceof GameRoundError && error.code === 'NOT_TAKEN';
    if (isExplained || isTooMany || isNotTaken) return;
    this.violation(gameRound, `refused: ${String(error)}`);
  }

  /** Asks until the outcome of the lost call is known: first by the round, then in a session anew. */
  private async settle(table: Table, apply: () => void): Promise<boolean> {
    const { round, entry } = table;
    this.count('in doubt');
    for (let asked = 1; asked <= patience; asked++) {
      if (asked % 3 === 0) await this.parts.nudge();
      if (round.lost === null) return this.settled(entry, true, apply);
      if (asked > 2) {
        table.isCut = true;
        this.leave();
        const known = await this.recover(entry, round.lost, lastSeenOf(round.state));
        if (known !== null) return this.settled(entry, known, apply);
        continue;
      }
      try {
        await round.recover();
      } catch (error) {
        if (error instanceof GameRoundError && error.code === 'UNDONE') {
          undo(entry);
          return false;
        }
        if (isUnknown(error)) continue;
        this.refused(entry, error);
        table.isCut ||= idOf(error) === sessionInvalid;
        if (round.lost === null) return false;
      }
    }
    this.violation(entry.gameRound, 'stays in doubt');
    return false;
  }

  private settled(entry: Entry, isDone: boolean, apply: () => void): boolean {
    if (isDone) apply();
    else this.count('lost, and not taken');
    return isDone && entry.state !== 'undone';
  }

  /** Whether a lost call counted; null if that is not known yet. */
  async recover(
    { gameRound }: Entry,
    lost: LostCall,
    last: ReturnType<typeof lastSeenOf> | null,
  ): Promise<boolean | null> {
    try {
      const token = await this.token();
      const recovery = await this.parts.studio.rgs.recover({ token, gameRound, lost, last });
      if (recovery.kind === 'done') return true;
      if (recovery.kind === 'notTaken') return false;
      if (recovery.kind === 'undone' && lost.call === 'void') return true;
      if (recovery.kind === 'unclear' && recovery.refusal?.id === sessionInvalid) this.leave();
      else this.violation(gameRound, `${lost.call} is ${JSON.stringify(recovery.kind)}`);
      return null;
    } catch {
      return null;
    }
  }

  /** Whether a start counted that even recover could not find out about. */
  async wasTaken(entry: Entry): Promise<boolean> {
    for (let asked = 1; asked <= patience; asked++) {
      try {
        const token = await this.token();
        const { gameRound } = entry;
        await this.parts.studio.rgs.getGameRoundInfo({ token, gameRound });
        return true;
      } catch (error) {
        if (idOf(error) === neverStarted) return false;
        if (idOf(error) === sessionInvalid) this.leave();
      }
    }
    this.violation(entry.gameRound, 'its start stays in doubt');
    return false;
  }

  /** Ends a round that is still open, as for an abandoned one. */
  async closeNow(entry: Entry): Promise<void> {
    this.leave();
    for (let attempt = 1; attempt <= patience; attempt++) {
      try {
        return await closeAbandoned(this.parts.studio, entry.gameRound);
      } catch (error) {
        if (attempt === patience) this.violation(entry.gameRound, `not closed: ${String(error)}`);
      }
    }
  }

  count(what: string): void {
    const { tally } = this.parts;
    tally.set(what, (tally.get(what) ?? 0) + 1);
  }

  violation(gameRound: string, text: string): void {
    this.parts.violations.push(`${this.playerId} ${gameRound}: ${text}`);
  }
}

export function isUnknown(error: unknown): boolean {
  const isKnown = error instanceof GameEngineError || error instanceof GameRoundError;
  if (!isKnown) throw error;
  return error.outcome === 'unknown';
}

export function idOf(error: unknown): number | null {
  const { id } = error as { readonly id?: unknown };
  return typeof id === 'number' ? id : null;
}
