import type { Clock } from '../../../platform';
import type { RoundChange } from '../../gameround';
import {
  type BesideResult,
  type CommitResult,
  createRoundSummary,
  type FindRoundResult,
  type PlayerKey,
  type RoundByHash,
  type RoundHistory,
  type RoundKey,
  type RoundsPageResult,
  type RoundsQuery,
  type Unknown,
} from '../../wallet';
import { checkPlayerKey, checkRoundByHash } from '../check-input';
import { roundsCursors, type RoundsScope } from '../lists/cursor';
import { decodePending } from '../codec/pending';
import { unreadable } from '../codec/record';
import { orUnknown } from '../or-unknown';
import {
  checkBeside,
  checkHistoryQuery,
  type CheckedRoundsQuery,
  filterOf,
} from '../lists/rounds-query';
import { type NumberedRound, type ReadRounds, walkBeside, walkRounds } from '../lists/rounds-walk';
import { unpackHash } from './codec/hash-fields';
import type { Keys } from './codec/keys';
import { decodeRound, fieldsOf, hasNumber } from './codec/round';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';
import { piecesOf } from '../../../platform/pieces';

/** What the history needs of its store. */
interface HistoryParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly keepsHistory: boolean;
  readonly decimals: number;
  readonly clock: Clock;
}

/** Rounds that one script reads whole, and rounds that one script searches for a hash. */
const [readAtOnce, searchedAtOnce] = [25, 200];
/** Most batches that one call reads if rounds were deleted or do not have the hash. */
const maxParts = 10;
const dayMs = 86_400_000;
/** Rounds that one request of a page reads at once, and in all. */
const walked = { atOnce: 200, atMost: 2000 };

/** The rounds of each player, from the list that commits keep. */
export class History implements RoundHistory {
  readonly #cleaner: HistoryCleaner;
  #noted: Promise<unknown> | null = null;

  constructor(private readonly parts: HistoryParts) {
    this.#cleaner = new HistoryCleaner(parts);
  }

  /**
   * Whether commits list their rounds: also if another process does, as of the last server check. Otherwise the list
   * of a player would outlast a round that one process lists and another ends.
   */
  get isOn(): boolean {
    return this.parts.keepsHistory || this.parts.gate.hasHistory;
  }

  /** Notes that the store has a history, so that other processes know. */
  async note(): Promise<void> {
    if (!this.isOn) return;
    const settings = this.parts.keys.settings();
    this.#noted ??= this.parts.executor
      .run(scripts.noteHistory, { settings, now: String(this.parts.clock.now()) })
      .catch((error: unknown) => {
        this.#noted = null;
        throw error;
      });
    await this.#noted;
  }

  /** Removes what is deleted, now and then, as rounds are added. */
  noteCommit(round: PlayerKey, { before }: RoundChange, { kind }: CommitResult): void {
    if (kind === 'committed' && before.version === 0) this.#cleaner.noteRound(round);
  }

  async rounds(player: PlayerKey, query?: RoundsQuery): Promise<RoundsPageResult> {
    checkPlayerKey(player);
    const checked = checkHistoryQuery(query, this.parts.decimals);
    const list = { player, filter: filterOf(checked) };
    return this.answer(list, checked.cursor, (scope, before) =>
      this.readPage(scope, before, checked),
    );
  }

  async findRound(query: RoundByHash): Promise<FindRoundResult> {
    checkRoundByHash(query);
    const { hash, cursor = null } = query;
    return this.answer({ player: query, filter: null }, cursor, (scope, before) =>
      this.search(scope, before, hash),
    );
  }

  async beside(round: RoundKey, openedAt: number): Promise<BesideResult> {
    checkBeside(round, openedAt);
    const list = { player: round, filter: null };
    return this.answer(list, null, (scope) =>
      walkBeside(this.readerOf(scope), round.gameRound, openedAt),
    );
  }

  /** @throws TypeError for a cursor of another list. */
  private async answer<T>(
    list: { readonly player: PlayerKey; readonly filter: string | null },
    cursor: string | null,
    read: (scope: RoundsScope, before: string | null) => Promise<T>,
  ): Promise<T | Unknown | { readonly kind: 'off' }> {
    const given = roundsCursors.parse(cursor);
    const opened = await orUnknown(() => this.open(list.player));
    if (opened.kind !== 'open') return opened;
    const scope = { ...opened.scope, filter: list.filter };
    const before = roundsCursors.placeIn(scope, given);
    return orUnknown(() => read(scope, before));
  }

  /** The list's scope, once the store is known. A process that writes nothing learns here whether there are lists. */
  private async open({ operatorId, playerId }: PlayerKey) {
    const { gate, keys, executor } = this.parts;
    if (!gate.isOpen) await gate.passed();
    if (!this.isOn) {
      const call = { settings: keys.settings(), names: ['history'] };
      const [noted] = (await executor.run(scripts.readSettings, call)) as (string | null)[];
      if (noted !== '1') return { kind: 'off' } as const;
    }
    const scope = { store: `redis ${gate.storeId}`, operatorId, playerId };
    return { kind: 'open', scope } as const;
  }

  /**
   * From when on the lists have every round that moves money, in milliseconds since 1970: a day after the first process kept
   * them, since a round that was opened before may still run.
   */
  async completeFrom(): Promise<number> {
    await this.note();
    const call = { settings: this.parts.keys.settings(), names: ['historyFrom'] };
    const [from] = (await this.parts.executor.run(scripts.readSettings, call)) as (string | null)[];
    if (typeof from !== 'string') return Number.POSITIVE_INFINITY;
    return from === '0' ? 0 : Number(from) + dayMs;
  }

  /** How the list of a player is read. */
  readerOf(player: PlayerKey): ReadRounds {
    return async (before, atMost) => {
      const entries = await this.entries(player, before, atMost);
      const last = entries.at(-1)?.number ?? null;
      return { rounds: await this.summaries(entries), last, isEnd: entries.length < atMost };
    };
  }

  private async readPage(
    scope: RoundsScope,
    place: string | null,
    query: CheckedRoundsQuery,
  ): Promise<RoundsPageResult> {
    const read = this.readerOf(scope);
    const { rounds, next } = await walkRounds(read, query, place, walked);
    return { kind: 'known', rounds, next: next === null ? null : roundsCursors.write(scope, next) };
  }

  private async search(
    scope: RoundsScope,
    position: string | null,
    hash: string,
  ): Promise<FindRoundResult> {
    let before = position;
    let searched = 0;
    for (let part = 0; part < maxParts; part++) {
      const entries = await this.entries(scope, before, searchedAtOnce);
      searched += entries.length;
      const found = await this.summaries(await this.withHash(entries, hash));
      const round = found[0]?.summary;
      if (round !== undefined) return { kind: 'found', round };
      if (entries.length < searchedAtOnce) return { kind: 'notFound', searched, next: null };
      before = entries.at(-1)?.number ?? before;
    }
    const next = before === null ? null : roundsCursors.write(scope, before);
    return { kind: 'notFound', searched, next };
  }

  /** The rounds before a position, the newest first. */
  private async entries(
    player: PlayerKey,
    before: string | null,
    atMost: number,
  ): Promise<HistoryEntry[]> {
    const { keys, gate, executor } = this.parts;
    const call = { history: keys.history(player).list, before: before ?? '', atMost };
    const texts = (await executor.run(scripts.readHistory, call)) as string[];
    if (texts.length === 0 && before === null) await gate.confirmStore();
    return texts.map((text) => readEntry(player, text)).toReversed();
  }

  /** Those that are not deleted; the entry of an earlier round of the same name is left out. */
  private async summaries(entries: readonly HistoryEntry[]): Promise<NumberedRound[]> {
    const parts = piecesOf(entries, readAtOnce).map(async (part) => {
      const { keys, executor } = this.parts;
      const rounds = part.map(({ round }) => keys.round(round));
      const replies = (await executor.run(scripts.readRounds, { rounds })) as string[][];
      return part.flatMap(({ round, number }, at) => {
        const fields = replies[at] ?? [];
        const view = hasNumber(fields, number) ? decodeRound(fields, round.gameRound) : null;
        if (view === null) return [];
        return [{ number, version: view.head.version, summary: createRoundSummary(round, view) }];
      });
    });
    return (await Promise.all(parts)).flat();
  }

  /** Those that have recorded something under the hash, or have it pending. */
  private async withHash(entries: readonly HistoryEntry[], hash: string): Promise<HistoryEntry[]> {
    if (entries.length === 0) return [];
    const { keys, executor } = this.parts;
    const fields = entries.map(({ round }) => fieldsOf(hash, round.gameRound));
    const replies = await executor.run(scripts.searchRounds, {
      rounds: entries.map(({ round }) => keys.round(round)),
      transactions: fields.map(([transaction]) => transaction),
      voids: fields.map(([, order]) => order),
    });
    return entries.filter((_, at) => {
      const [isRecorded, pending] = (replies as [number, string | null][])[at] ?? [0, null];
      return isRecorded === 1 || isPending(pending ?? null, hash);
    });
  }
}

function isPending(text: string | null, hash: string): boolean {
  return text !== null && decodePending(text).posts.some((post) => post.hash === hash);
}

/** After how many new rounds a player's list is cleaned, and how many of its rounds are looked at. */
const [roundsBetween, lookedAt] = [16, 64];
/** Steps through a list that come close to each place of it: the golden ratio, in thousandths. */
const step = 618;

/**
 * Removes deleted rounds from the lists of players who keep playing; any other list expires with its last
 * round. Nothing waits for this; what fails is retried later.
 */
class HistoryCleaner {
  #rounds = 0;

  constructor(private readonly parts: { readonly executor: Executor; readonly keys: Keys }) {}

  /** Notes that a round was added. */
  noteRound(player: PlayerKey): void {
    this.#rounds += 1;
    if (this.#rounds % roundsBetween !== 0) return;
    const cleaned = this.#rounds / roundsBetween;
    // The oldest are deleted first; but where those are kept for ever, later ones are deleted.
    const place = cleaned % 2 === 0 ? (cleaned * step) % 1000 : 0;
    this.clean(player, place).catch(() => {});
  }

  private async clean(player: PlayerKey, place: number): Promise<void> {
    const { executor, keys } = this.parts;
    const { list: history } = keys.history(player);
    const looked = { history, place, atMost: lookedAt };
    const entries = (await executor.run(scripts.readHistoryPart, looked)) as string[];
    if (entries.length === 0) return;
    const rounds = entries.map((text) => keys.round(readEntry(player, text).round));
    await executor.run(scripts.removeExpired, { history, rounds, entries });
  }
}

/** A round in its player's history. */
interface HistoryEntry {
  /** As stored. */
  readonly text: string;
  /** Its number, which rises from round to round. */
  readonly number: string;
  readonly round: RoundKey;
}

/** An entry of the history of a player: its number, and the round's name as packHash has it. */
export function readEntry({ operatorId, playerId }: PlayerKey, text: string): HistoryEntry {
  const [, number, name] = /^(\d+)(\D.*)$/s.exec(text) ?? [];
  if (number === undefined || name === undefined) throw unreadable('round of a history', text);
  return { text, number, round: { operatorId, playerId, gameRound: unpackHash(name) } };
}
