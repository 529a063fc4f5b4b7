import { LatestMap } from '../../../platform/latest-map';
import { ownText } from '../../../platform/own-text';
import type { JsonValue } from '../../../protocol/json/parse';
import type { Owner, Round } from '../../rounds/round';
import { ownerKey, playerKey, type PlayerName, roundKey } from './keys';
import { ownedRound } from './round-shape';

/** A round at rest, packed: the text costs less memory than its objects, and many rounds share an owner. */
interface Resting {
  readonly owner: Owner;
  readonly lastCallAt: number;
  readonly text: string;
}

/** Rounds at rest that are kept as objects too, because they are asked for at once. */
const maxRecent = 100;

/** The rounds of a player, by their keys. */
interface OfPlayer {
  /** One object for each owner of rounds at rest. */
  readonly owners: Map<string, Owner>;
  readonly all: Set<string>;
  readonly open: Set<string>;
}

/** The rounds of the service in memory, by player too (B4). A round at rest takes a third of the memory of its JSON. */
export class KeptRounds {
  readonly #rounds = new Map<string, Round | Resting>();
  readonly #working = new Set<string>();
  readonly #byPlayer = new Map<string, OfPlayer>();
  /** Every provider that has had a round; they are few. */
  readonly #providers = new Set<string>();
  readonly #recent = new LatestMap<Round>(maxRecent);

  get size(): number {
    return this.#rounds.size;
  }

  /** The round with this id of this provider; null if there is none. */
  find(gameProviderId: string, gameRound: string): Round | null {
    return this.#get(roundKey(gameProviderId, gameRound));
  }

  /**
   * Whether the owner's player has a round with this id at another provider: the wallet would take the two for
   * one, since it knows a hash by operator, player and round (E15.1).
   */
  isElsewhere(owner: Owner, gameRound: string): boolean {
    const known = this.#byPlayer.get(playerKey(owner))?.all;
    if (known === undefined || owner.mode === 'DEMO') return false;
    return [...this.#providers].some(
      (id) => id !== owner.gameProviderId && known.has(roundKey(id, gameRound)),
    );
  }

  /** Keeps a new round, or the next state of one. */
  put(round: Round): void {
    this.#providers.add(round.owner.gameProviderId);
    const key = ownText(roundKey(round.owner.gameProviderId, round.gameRound));
    const { all, open } = this.#ofPlayer(round.owner);
    const isAtWork = isWorking(round);
    all.add(key);
    toggle(open, key, isOpen(round));
    toggle(this.#working, key, isAtWork);
    this.#rounds.set(key, isAtWork ? round : resting(round, this.#sharedOwner(round.owner)));
    if (isAtWork) this.#recent.delete(key);
    else this.#recent.set(key, round);
  }

  forget(gameProviderId: string, gameRound: string): void {
    const key = roundKey(gameProviderId, gameRound);
    const kept = this.#rounds.get(key);
    if (kept === undefined) return;
    this.#rounds.delete(key);
    this.#working.delete(key);
    this.#recent.delete(key);
    const { all, open } = this.#ofPlayer(kept.owner);
    all.delete(key);
    open.delete(key);
    if (all.size === 0) this.#byPlayer.delete(playerKey(kept.owner));
  }

  /** Rounds of the player that are starting or open, of every game and provider (E7.2). */
  openOf(player: PlayerName): readonly Round[] {
    return this.#getAll(this.#byPlayer.get(playerKey(player))?.open ?? []);
  }

  /** Every round of the player, the latest start first (E14.4). */
  *latestOf(player: PlayerName): IterableIterator<Round> {
    const keys = [...(this.#byPlayer.get(playerKey(player))?.all ?? [])];
    for (const key of keys.toReversed()) {
      const round = this.#get(key);
      if (round !== null) yield round;
    }
  }

  /** Rounds that are open, or have something due, or need a person: what the janitor looks at. */
  atWork(): readonly Round[] {
    return this.#getAll(this.#working);
  }

  /** Whether the round is one of {@link atWork}. */
  isAtWork(gameProviderId: string, gameRound: string): boolean {
    return this.#working.has(roundKey(gameProviderId, gameRound));
  }

  /** So many rounds, the latest start first. */
  latest(count: number): readonly Round[] {
    return this.#getAll([...this.#rounds.keys()].toReversed().slice(0, count));
  }

  /** Every round, in the order of the starts. */
  *all(): IterableIterator<Round> {
    for (const kept of this.#rounds.values()) yield roundOf(kept);
  }

  /** Rounds at rest that no call has changed since then. */
  restingSince(at: number): readonly Round[] {
    return this.#since(at, (kept) => 'text' in kept);
  }

  /** Rounds of DEMO that no call has changed since then, open ones too (E19.1). */
  demoSince(at: number): readonly Round[] {
    return this.#since(at, ({ owner }) => owner.mode === 'DEMO');
  }

  #since(at: number, isWanted: (kept: Round | Resting) => boolean): Round[] {
    return [...this.#rounds.values()]
      .filter((kept) => kept.lastCallAt <= at && isWanted(kept))
      .map(roundOf);
  }

  #get(key: string): Round | null {
    const kept = this.#rounds.get(key);
    if (kept === undefined) return null;
    if (!('text' in kept)) return kept;
    const round = this.#recent.get(key) ?? roundOf(kept);
    if (!this.#recent.has(key)) this.#recent.set(key, round);
    return round;
  }

  #getAll(keys: Iterable<string>): Round[] {
    return [...keys].flatMap((key) => this.#get(key) ?? []);
  }

  #ofPlayer(player: PlayerName): OfPlayer {
    const key = playerKey(player);
    const known = this.#byPlayer.get(key) ?? { owners: new Map(), all: new Set(), open: new Set() };
    this.#byPlayer.set(key, known);
    return known;
  }

  #sharedOwner(owner: Owner): Owner {
    const { owners } = this.#ofPlayer(owner);
    const key = ownerKey(owner);
    const known = owners.get(key) ?? owner;
    owners.set(key, known);
    return known;
  }
}

function isOpen({ state }: Round): boolean {
  return state === 'starting' || state === 'open';
}

function isWorking(round: Round): boolean {
  return isOpen(round) || round.queue.length > 0 || round.needsPerson;
}

function toggle(keys: Set<string>, key: string, isIn: boolean): void {
  if (isIn) keys.add(key);
  else keys.delete(key);
}

function resting(round: Round, owner: Owner): Resting {
  const { lastCallAt } = round;
  return { owner, lastCallAt, text: ownText(JSON.stringify(ownedRound.pack(round))) };
}

function roundOf(kept: Round | Resting): Round {
  if (!('text' in kept)) return kept;
  // This process wrote the text, so it is not checked.
  return { owner: kept.owner, ...ownedRound.unpack(JSON.parse(kept.text) as JsonValue) };
}
