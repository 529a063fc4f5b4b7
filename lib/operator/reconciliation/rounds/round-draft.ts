import { type FirstEvent, type KeptRound, shortName } from './kept-round';
import type { EntryText, EventText, RepairText } from './event-line';
import { SmallMap } from './small-map';
import { debitWaitMs, type UnmatchedVoids } from './unmatched-voids';
import type { PlayedRound, RoundRepair, RoundVoid } from './round';

/** A round while its events are added. */
export class RoundDraft {
  #seen = new SmallMap<true>();
  /** Those that no void has named. */
  #debits = new SmallMap<bigint>();
  #firstDebit: string | null = null;
  /** Null without any, as in most rounds; so are the next ones. */
  #unanswered: Set<string> | null = null;
  /** Debits that were refused after the first one. */
  #refusedDebits: Set<string> | null = null;
  /** When voids of unknown hashes came, until their debit comes. It is not kept. */
  #ahead: Map<string, number> | null = null;
  #credits: bigint[] | null = null;
  #refused: bigint[] | null = null;
  #voids: RoundVoid[] | null = null;
  #repairs: RoundRepair[] | null = null;
  readonly #first: FirstEvent;
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

  private constructor(first: FirstEvent, nameOf: (hash: string) => string) {
    this.#first = first;
    this.#nameOf = nameOf;
  }

  /** @param isKept Whether {@link keep} will be called: hashes are then kept as digests. */
  static begin([round, player, version, at, , , isWhole]: EventText, isKept = false): RoundDraft {
    const first = [round, player, version, at, isWhole] as const;
    return new RoundDraft(first, isKept ? shortName : (hash) => hash);
  }

  /** The draft of a round that was kept as this text. It lists no credits, and nobody of its repairs. */
  static restore(text: string, round: string, player: string): RoundDraft {
    const [first, version, state, game, currency, startedAt, endedAt, sums, isFree, ...lists] =
      JSON.parse(text) as KeptRound;
    const [seen, debits, unanswered, voids, repairs] = lists;
    const draft = new RoundDraft([round, player, ...first], shortName);
    [draft.#version, draft.#state, draft.#game, draft.#currency] = [version, state, game, currency];
    [draft.#startedAt, draft.#endedAt, draft.#isFree] = [startedAt, endedAt, isFree === 1];
    [draft.#games, draft.#bet, draft.#win] = [sums[0], BigInt(sums[1]), BigInt(sums[2])];
    for (const key of seen) draft.#seen.set(key, true);
    for (const [hash, units] of debits) draft.#debits.set(hash, BigInt(units));
    draft.#firstDebit = debits.find(([, , isFirst]) => isFirst === 1)?.[0] ?? null;
    if (unanswered.length > 0) draft.#unanswered = new Set(unanswered);
    const taken = voids.map(([at, games, bet, win]) => {
      return { at, games, bet: BigInt(bet), win: BigInt(win) };
    });
    if (taken.length > 0) draft.#voids = taken;
    const paid = repairs.map(([id, at, units, paidIn]) => {
      return { id, at, units: BigInt(units), currency: paidIn, by: null };
    });
    if (paid.length > 0) draft.#repairs = paid;
    return draft;
  }

  /** All that a later event depends on. */
  keep(): string {
    const kept: KeptRound = [
      [this.#first[2], this.#first[3], this.#first[4]],
      this.#version,
      this.#state,
      this.#game,
      this.#currency,
      this.#startedAt,
      this.#endedAt,
      [this.#games, String(this.#bet), String(this.#win)],
      this.#isFree ? 1 : 0,
      [...this.#seen.keys()],
      [...this.#debits.entries()].map(([hash, units]) =>
        hash === this.#firstDebit ? [hash, String(units), 1] : [hash, String(units)],
      ),
      [...(this.#unanswered ?? none)],
      (this.#voids ?? none).map(({ at, games, bet, win }) => [at, games, String(bet), String(win)]),
      this.repairs.map(({ id, at, units, currency }) => [id, at, String(units), currency]),
    ];
    return JSON.stringify(kept);
  }

  get state(): string {
    return this.#state;
  }

  /** Empty if it is not known. */
  get game(): string {
    return this.#game ?? '';
  }

  /** What people paid, in whatever currency; also for a round that never began. */
  get repairs(): readonly RoundRepair[] {
    return this.#repairs ?? none;
  }

  /** Its ids, and when it began: when its first debit was accepted; if none is known, when its first event was committed. */
  get place(): { readonly playerId: string; readonly gameRound: string; readonly at: number } {
    const [gameRound, playerId, , firstAt] = this.#first;
    return { playerId, gameRound, at: this.#startedAt ?? firstAt };
  }

  /** Whether the id was used again after the retention: its versions begin anew. */
  isUsedAgainBy([, , version, at]: EventText): boolean {
    return version === 1 && this.#first[2] === 1 && at > this.#first[3] && this.#endedAt !== null;
  }

  add([, , version, at, game, state, isWhole, entries, repairs]: EventText): void {
    if (isWhole === 1) this.#win += this.#takenUnseen(entries);
    for (const entry of entries) this.#addEntry(entry);
    for (const repair of repairs) this.#addRepair(repair, at);
    this.#game ??= game;
    if (version < this.#version) return;
    this.#version = version;
    this.#state = state;
    if (state !== 'open' && state !== 'none') this.#endedAt ??= at;
    if (state === 'voided') this.#voidWhole(at);
  }

  #addEntry([kind, hashText, units, currency, isFree, isFirst, at]: EntryText): void {
    const hash = this.#nameOf(hashText);
    if (kind === 'd' || kind === 'u' || kind === 'x') this.#noteDebit(hash, at);
    if (kind === 'u') return void (this.#unanswered ??= new Set()).add(hash);
    if (kind === 'x') return void (this.#refusedDebits ??= new Set()).add(hash);
    const key = `${kind === 'v' || kind === 'r' ? kind : ''}#${hash}`;
    if (this.#seen.has(key)) return;
    this.#seen.set(key, true);
    const amount = BigInt(units);
    if (kind === 'r') {
      if (!this.#seen.has(`#${hash}`)) (this.#refused ??= []).push(amount);
      return;
    }
    if (kind === 'v') {
      if (hash === this.#firstDebit) return this.#voidWhole(at);
      return this.#addVoid(hash, amount, at);
    }
    this.#currency ??= currency;
    if (kind === 'c') {
      (this.#credits ??= []).push(amount);
      this.#win += amount;
      return;
    }
    this.#debits.set(hash, amount);
    this.#bet += amount;
    if (isFirst === 1 && this.#startedAt === null) {
      this.#startedAt = at;
      this.#firstDebit = hash;
      this.#isFree = isFree === 1;
    }
  }

  /**
   * Credits that voids took back with a debit (D5.3) before a pointer was read: the round shows them as declined, and only the
   * void says how much they were. Those that were counted before are not in it. From the void of the first debit on nothing is
   * left to tell: it takes the whole round.
   */
  #takenUnseen(entries: readonly EntryText[]): bigint {
    if (this.#games === 0) return 0n;
    const stakes = new Map<string, bigint>();
    let first = this.#firstDebit;
    for (const [kind, hash, units, , , isFirst] of entries) {
      if (kind !== 'd') continue;
      stakes.set(this.#nameOf(hash), BigInt(units));
      if (isFirst === 1) first ??= this.#nameOf(hash);
    }
    const whole = entries.find(([kind, hash]) => kind === 'v' && this.#nameOf(hash) === first);
    let taken = 0n;
    for (const [kind, hashText, units, , , , at] of entries) {
      const hash = this.#nameOf(hashText);
      const isCounted = this.#seen.has(`#${hash}`);
      if (kind === 'r' && isCounted && !this.#seen.has(`r#${hash}`)) taken -= BigInt(units);
      if (kind !== 'v' || this.#seen.has(`v#${hash}`)) continue;
      if (whole !== undefined && at >= whole[6]) continue;
      const bet = isCounted ? this.#debits.get(hash) : stakes.get(hash);
      if (bet !== undefined) taken += bet - BigInt(units);
    }
    return taken;
  }

  #noteDebit(hash: string, at: number): void {
    const voidedAt = this.#ahead?.get(hash);
    if (voidedAt !== undefined && at <= voidedAt + debitWaitMs) this.#ahead?.delete(hash);
  }

  /** What a void moved beyond its debit is what it took back of credits. */
  #addVoid(hash: string, moved: bigint, at: number): void {
    const isKnown = this.#debits.has(hash);
    if (!isKnown && this.#unanswered?.has(hash) === true) return;
    if (!isKnown && moved === 0n && this.#refusedDebits?.has(hash) !== true) {
      (this.#ahead ??= new Map()).set(hash, at);
    }
    // It is in what the void of the first debit took, which may be listed before it.
    if (this.#games === 0) return;
    const bet = this.#debits.get(hash) ?? 0n;
    this.#debits.delete(hash);
    const win = bet - moved;
    if (bet === 0n && win === 0n) return;
    this.#take({ at, games: 0, bet, win });
  }

  /** A void of the first debit takes back all that is left. */
  #voidWhole(at: number): void {
    if (this.#games === 0) return;
    const last = this.#voids?.at(-1);
    const same = last?.at === at ? this.#voids?.pop() : undefined;
    if (same !== undefined) [this.#bet, this.#win] = [this.#bet + same.bet, this.#win + same.win];
    this.#take({ at, games: 1, bet: this.#bet, win: this.#win });
    this.#games = 0;
  }

  #take(one: RoundVoid): void {
    (this.#voids ??= []).push(one);
    this.#bet -= one.bet;
    this.#win -= one.win;
  }

  #addRepair([id, units, currency, by, decidedAt]: RepairText, eventAt: number): void {
    const key = `repair#${id}#${units < 0 ? 'back' : ''}`;
    if (this.#seen.has(key)) return;
    this.#seen.set(key, true);
    (this.#repairs ??= []).push({
      id,
      at: decidedAt ?? eventAt,
      units: BigInt(units),
      currency,
      by,
    });
  }

  /** Whether it is the rest of a round without its beginning: it was played, and no debit of it is known. */
  #isTail(): boolean {
    const voids = this.#voids ?? none;
    if (voids.some(({ bet, win }) => bet !== 0n || win !== 0n)) return true;
    const isKnown = this.#unanswered !== null;
    if (voids.length > 0 && !this.#hasBeginning() && !isKnown) return true;
    return !isKnown && /^(?:open|closed|stranded|crashed)$/.test(this.#state);
  }

  #hasBeginning(): boolean {
    const [, , version, , isWhole] = this.#first;
    return version === 1 || isWhole === 1;
  }

  rounds(voids?: UnmatchedVoids): PlayedRound[] {
    const rounds: PlayedRound[] = [];
    this.addTo(rounds, voids);
    return rounds;
  }

  /**
   * Adds the round as it is now, if it moved anything.
   * @param voids Gets the voids without a debit.
   * @param isRepairEnough Whether to add one that never began and that people paid: it counts on no day.
   */
  addTo(rounds: PlayedRound[], voids?: UnmatchedVoids, isRepairEnough = false): void {
    if (this.#ahead !== null && this.#hasBeginning()) {
      const [round, player] = this.#first;
      for (const [hash, at] of this.#ahead) voids?.add({ round, player, hash, at });
    }
    const { repairs } = this;
    const isPlayed = this.#currency !== null || this.#isTail();
    if (!isPlayed && !(isRepairEnough && repairs.length > 0)) return;
    const [round, player, , firstAt] = this.#first;
    const isOwn = ({ currency }: RoundRepair): boolean =>
      this.#currency === null || currency === this.#currency;
    rounds.push({
      round,
      player,
      firstAt,
      game: this.game,
      currency: this.#currency ?? (isPlayed ? '' : repairs[0]?.currency) ?? '',
      startedAt: this.#startedAt,
      endedAt: isPlayed ? this.#endedAt : null,
      state: this.#state,
      games: isPlayed ? this.#games : 0,
      bet: this.#bet,
      win: this.#win,
      isFree: this.#isFree,
      voids: this.#voids ?? none,
      repairs: repairs.length > 0 ? repairs.filter(isOwn) : none,
      repairsElsewhere: repairs.length > 0 ? repairs.filter((one) => !isOwn(one)) : none,
      credits: this.#credits ?? none,
      refusedCredits: this.#refused ?? none,
    });
  }
}

/** The list of a round that has none. */
const none: readonly never[] = [];
