import { type KeptRound, shortName } from './kept-round';
import { parts, type Spool } from './spool';
import type { EntryText, EventText, RepairText } from './event-line';

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
  readonly currency: string;
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
  /** In its currency. */
  readonly repairs: readonly RoundRepair[];
  readonly repairsElsewhere: readonly RoundRepair[];
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
 */
export function roundsOf(lines: readonly string[]): PlayedRound[] {
  const drafts = new Map<string, RoundDraft>();
  const finished: PlayedRound[] = [];
  for (const line of lines) {
    const text = JSON.parse(line) as EventText;
    const key = JSON.stringify([text[0], text[1]]);
    let draft = drafts.get(key);
    if (draft?.isUsedAgainBy(text)) {
      finished.push(...draft.rounds());
      draft = undefined;
    }
    if (draft === undefined) drafts.set(key, (draft = new RoundDraft(text)));
    draft.add(text);
  }
  for (const draft of drafts.values()) finished.push(...draft.rounds());
  return finished;
}

/** A round while its events are added. */
export class RoundDraft {
  #seen = new Set<string>();
  #debits = new Map<string, bigint>();
  #unanswered = new Set<string>();
  readonly #credits: bigint[] = [];
  readonly #refused: bigint[] = [];
  #voids: RoundVoid[] = [];
  #repairs: RoundRepair[] = [];
  readonly #first: readonly [round: string, player: string, version: number, at: number];
  readonly #nameOf: (hash: string) => string;
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

  /** @param isKept Whether {@link keep} will be called: hashes are then kept as digests. */
  constructor(
    [round, player, version, at]: readonly [string, string, number, number, ...unknown[]],
    isKept = false,
  ) {
    this.#first = [round, player, version, at];
    this.#nameOf = isKept ? shortName : (hash) => hash;
  }

  /** The draft that was kept as this text. Its round lists no credits, and nobody of its repairs. */
  static restore(text: string): RoundDraft {
    const [ids, version, state, game, currency, startedAt, endedAt, sums, isFree, ...lists] =
      JSON.parse(text) as KeptRound;
    const [seen, debits, unanswered, voids, repairs] = lists;
    const draft = new RoundDraft(ids, true);
    [draft.#version, draft.#state, draft.#game, draft.#currency] = [version, state, game, currency];
    [draft.#startedAt, draft.#endedAt, draft.#isFree] = [startedAt, endedAt, isFree === 1];
    [draft.#games, draft.#bet, draft.#win] = [sums[0], BigInt(sums[1]), BigInt(sums[2])];
    draft.#seen = new Set(seen);
    draft.#debits = new Map(debits.map(([hash, units]) => [hash, BigInt(units)]));
    draft.#unanswered = new Set(unanswered);
    draft.#voids = voids.map(([at, games, bet, win]) => {
      return { at, games, bet: BigInt(bet), win: BigInt(win) };
    });
    draft.#repairs = repairs.map(([id, at, units, paidIn]) => {
      return { id, at, units: BigInt(units), currency: paidIn, by: null };
    });
    return draft;
  }

  /** All that a later event depends on. */
  keep(): string {
    const kept: KeptRound = [
      this.#first,
      this.#version,
      this.#state,
      this.#game,
      this.#currency,
      this.#startedAt,
      this.#endedAt,
      [this.#games, String(this.#bet), String(this.#win)],
      this.#isFree ? 1 : 0,
      [...this.#seen],
      [...this.#debits].map(([hash, units]) => [hash, String(units)]),
      [...this.#unanswered],
      this.#voids.map(({ at, games, bet, win }) => [at, games, String(bet), String(win)]),
      this.#repairs.map(({ id, at, units, currency }) => [id, at, String(units), currency]),
    ];
    return JSON.stringify(kept);
  }

  get state(): string {
    return this.#state;
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

  #addEntry([kind, hashText, units, currency, isFree, isFirst, at]: EntryText): void {
    const hash = this.#nameOf(hashText);
    if (kind === 'u') return void this.#unanswered.add(hash);
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

  /** What a void moved beyond its debit is what it took back of credits. */
  #addVoid(hash: string, moved: bigint, at: number): void {
    if (!this.#debits.has(hash) && this.#unanswered.has(hash)) return;
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
    const key = `repair#${id}#${units < 0 ? 'back' : ''}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#repairs.push({ id, at, units: BigInt(units), currency, by });
  }

  /** Whether it is the rest of a round without its beginning: it was played, and no debit of it is known. */
  #isTail(): boolean {
    if (this.#voids.some(({ bet, win }) => bet !== 0n || win !== 0n)) return true;
    return this.#unanswered.size === 0 && /^(?:open|closed|stranded|crashed)$/.test(this.#state);
  }

  rounds(): PlayedRound[] {
    if (this.#currency === null && !this.#isTail()) return [];
    const [round, player, , firstAt] = this.#first;
    const isOwn = ({ currency }: RoundRepair): boolean =>
      this.#currency === null || currency === this.#currency;
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
        repairs: this.#repairs.filter(isOwn),
        repairsElsewhere: this.#repairs.filter((one) => !isOwn(one)),
        credits: this.#credits,
        refusedCredits: this.#refused,
      },
    ];
  }
}

/** All rounds, a part in memory at a time. */
export function* eachRound(spool: Spool): IterableIterator<PlayedRound> {
  for (let part = 0; part < parts; part++) yield* roundsOf(spool.read(part));
}
