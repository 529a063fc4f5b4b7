import { parts, type Spool } from './spool';
import type { EntryText, EventText, RepairText } from './event-line';
import { debitWaitMs, type UnmatchedVoids } from './unmatched-voids';

/** A void, as it reduces what its round counts. */
export interface RoundVoid {
  readonly at: number;
  /** 1 if it took back the whole round. */
  readonly games: 0 | 1;
  readonly bet: bigint;
  readonly win: bigint;
}

/** What a person paid for a round. */
export interface RoundRepair {
  readonly id: string;
  readonly at: number;
  readonly units: bigint;
  /** Who proposed and who decided; null if the events do not say. */
  readonly by: string | null;
}

/** A round by its events. Amounts in units, times in milliseconds since 1970. */
export interface PlayedRound {
  readonly round: string;
  readonly player: string;
  readonly game: string;
  readonly currency: string;
  /** When its first debit was accepted; null if the events begin in the middle of the round. */
  readonly startedAt: number | null;
  /** When it first was in a state other than open; null while it is open. */
  readonly endedAt: number | null;
  readonly firstAt: number;
  readonly state: string;
  /** 1; 0 if the round was voided as a whole. */
  readonly games: 0 | 1;
  /** Accepted debits less their discounts and what was voided. */
  readonly bet: bigint;
  /** Accepted credits less what was voided; without repairs. */
  readonly win: bigint;
  readonly isFree: boolean;
  readonly voids: readonly RoundVoid[];
  readonly repairs: readonly RoundRepair[];
  readonly credits: readonly bigint[];
  readonly refusedCredits: readonly bigint[];
}

/** What people paid for the round, in its currency. */
export function repairedOf({ repairs }: PlayedRound): bigint {
  return repairs.reduce((sum, { units }) => sum + units, 0n);
}

/** What the round counted before it was voided. */
export function beforeVoids({ games, bet, win, voids }: PlayedRound): {
  games: number;
  bet: bigint;
  win: bigint;
} {
  const sums = { games: games as number, bet, win };
  for (const one of voids) {
    sums.games += one.games;
    sums.bet += one.bet;
    sums.win += one.win;
  }
  return sums;
}

/**
 * The rounds of a part, from all events of the part. An event that is there twice counts once: every transaction counts
 * once by its hash. A round that moved nothing is left out.
 * @param voids Gets the voids without a debit.
 */
export function roundsOf(lines: readonly string[], voids?: UnmatchedVoids): PlayedRound[] {
  const drafts = new Map<string, RoundDraft>();
  const finished: PlayedRound[] = [];
  for (const line of lines) {
    const text = JSON.parse(line) as EventText;
    const key = JSON.stringify([text[0], text[1]]);
    let draft = drafts.get(key);
    if (draft?.isUsedAgainBy(text)) {
      finished.push(...draft.rounds(voids));
      draft = undefined;
    }
    if (draft === undefined) drafts.set(key, (draft = new RoundDraft(text)));
    draft.add(text);
  }
  for (const draft of drafts.values()) finished.push(...draft.rounds(voids));
  return finished;
}

class RoundDraft {
  readonly #seen = new Set<string>();
  readonly #debits = new Map<string, bigint>();
  readonly #unanswered = new Set<string>();
  /** Debits that were refused after the first one; null without any, as in most rounds. */
  #refusedDebits: Set<string> | null = null;
  /** When voids of unknown hashes came, until their debit comes; null without any. */
  #ahead: Map<string, number> | null = null;
  readonly #credits: bigint[] = [];
  readonly #refused: bigint[] = [];
  readonly #voids: RoundVoid[] = [];
  readonly #repairs: RoundRepair[] = [];
  readonly #first: EventText;
  #version = 0;
  #state = 'none';
  #game: string | null = null;
  #currency: string | null = null;
  #startedAt: number | null = null;
  #endedAt: number | null = null;
  #bet = 0n;
  #win = 0n;
  #games: 0 | 1 = 1;
  #isFree = false;

  constructor(first: EventText) {
    this.#first = first;
  }

  /** Whether the id was used again after the retention: its versions begin anew. */
  isUsedAgainBy([, , version, at]: EventText): boolean {
    return version === 1 && this.#first[2] === 1 && at > this.#first[3] && this.#endedAt !== null;
  }

  add([, , version, at, game, state, , entries, repairs]: EventText): void {
    for (const entry of entries) this.#addEntry(entry);
    for (const repair of repairs) this.#addRepair(repair, at);
    this.#game ??= game;
    if (version < this.#version) return;
    this.#version = version;
    this.#state = state;
    if (state !== 'open' && state !== 'none') this.#endedAt ??= at;
    if (state === 'voided' && this.#games === 1) this.#voidWhole(at);
  }

  #addEntry([kind, hash, units, currency, isFree, isFirst, at]: EntryText): void {
    if (kind === 'd' || kind === 'u' || kind === 'x') this.#noteDebit(hash, at);
    if (kind === 'u') return void this.#unanswered.add(hash);
    if (kind === 'x') return void (this.#refusedDebits ??= new Set()).add(hash);
    const key = `${kind === 'v' ? 'v' : ''}#${hash}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const amount = BigInt(units);
    if (kind === 'r') return void this.#refused.push(amount);
    if (kind === 'v') return this.#addVoid(hash, amount, at);
    this.#currency ??= currency;
    if (kind === 'c') {
      this.#credits.push(amount);
      this.#win += amount;
      return;
    }
    this.#debits.set(hash, amount);
    this.#bet += amount;
    if (isFirst === 1 && this.#startedAt === null) {
      this.#startedAt = at;
      this.#isFree = isFree === 1;
    }
  }

  #noteDebit(hash: string, at: number): void {
    const voidedAt = this.#ahead?.get(hash);
    if (voidedAt !== undefined && at <= voidedAt + debitWaitMs) this.#ahead?.delete(hash);
  }

  /** What a void moved beyond its debit is what it took back of credits. */
  #addVoid(hash: string, moved: bigint, at: number): void {
    const isKnown = this.#debits.has(hash);
    if (!isKnown && this.#unanswered.has(hash)) return;
    if (!isKnown && moved === 0n && this.#refusedDebits?.has(hash) !== true) {
      (this.#ahead ??= new Map()).set(hash, at);
    }
    const bet = this.#debits.get(hash) ?? 0n;
    this.#debits.delete(hash);
    const win = bet - moved;
    if (bet === 0n && win === 0n) return;
    this.#take({ at, games: 0, bet, win });
  }

  /** A void of the first debit takes back all that is left. */
  #voidWhole(at: number): void {
    const last = this.#voids.at(-1);
    const same = last?.at === at ? this.#voids.pop() : undefined;
    if (same !== undefined) [this.#bet, this.#win] = [this.#bet + same.bet, this.#win + same.win];
    this.#take({ at, games: 1, bet: this.#bet, win: this.#win });
    this.#games = 0;
  }

  #take(one: RoundVoid): void {
    this.#voids.push(one);
    this.#bet -= one.bet;
    this.#win -= one.win;
  }

  #addRepair([id, units, currency, by]: RepairText, at: number): void {
    if (this.#currency !== null && currency !== this.#currency) return;
    const key = `repair#${id}#${units < 0 ? 'back' : ''}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#repairs.push({ id, at, units: BigInt(units), by });
  }

  /** Whether it is the rest of a round without its beginning: it was played, and no debit of it is known. */
  #isTail(): boolean {
    // A round that began with a void of an unknown hash has nothing before it.
    const isWhole = this.#hasBeginning() && this.#ahead !== null;
    if (this.#voids.length > 0) return !isWhole || this.#voids.some(({ win }) => win !== 0n);
    return this.#unanswered.size === 0 && /^(?:open|closed|stranded|crashed)$/.test(this.#state);
  }

  #hasBeginning(): boolean {
    const [, , version, , , , isWhole] = this.#first;
    return version === 1 || isWhole === 1;
  }

  rounds(voids?: UnmatchedVoids): PlayedRound[] {
    if (this.#ahead !== null && this.#hasBeginning()) {
      const [round, player] = this.#first;
      for (const [hash, at] of this.#ahead) voids?.add({ round, player, hash, at });
    }
    if (this.#currency === null && !this.#isTail()) return [];
    const [round, player, , firstAt] = this.#first;
    return [
      {
        round,
        player,
        firstAt,
        game: this.#game ?? '',
        currency: this.#currency ?? '',
        startedAt: this.#startedAt,
        endedAt: this.#endedAt,
        state: this.#state,
        games: this.#games,
        bet: this.#bet,
        win: this.#win,
        isFree: this.#isFree,
        voids: this.#voids,
        repairs: this.#repairs,
        credits: this.#credits,
        refusedCredits: this.#refused,
      },
    ];
  }
}

/** All rounds, a part in memory at a time. @param voids Gets the voids without a debit. */
export function* eachRound(spool: Spool, voids?: UnmatchedVoids): IterableIterator<PlayedRound> {
  for (let part = 0; part < parts; part++) yield* roundsOf(spool.read(part), voids);
}
