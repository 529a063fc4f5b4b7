import { ownText } from '../../../platform/own-text';
import type { JsonValue } from '../../../protocol/json';
import type { Owner, Round } from '../../rounds';
import { ownedRound } from './round-shape';
import { ownerKey, playerKey, type PlayerName, roundKey } from './keys';

/** The rounds of the service, in memory (B4). */
export interface KeptRounds {
  /** The round with this id of this provider; null if there is none. */
  find(gameProviderId: string, gameRound: string): Round | null;
  /**
   * Whether the owner's player has a round with this id at another provider: the wallet would take the two for
   * one, since it knows a hash by operator, player and round (E15.1).
   */
  isElsewhere(owner: Owner, gameRound: string): boolean;
  /** Keeps a new round, or the next state of one. */
  put(round: Round): void;
  forget(gameProviderId: string, gameRound: string): void;
  /** Rounds of the player that are starting or open, of every game and provider (E7.2). */
  openOf(player: PlayerName): readonly Round[];
  /** Every round of the player, the latest start first (E14.4). */
  latestOf(player: PlayerName): IterableIterator<Round>;
  /** Rounds that are open, or have something due, or need a person: what the janitor looks at. */
  atWork(): readonly Round[];
  /** Whether the round is one of those. */
  isAtWork(gameProviderId: string, gameRound: string): boolean;
  /** So many rounds, the latest start first. */
  latest(count: number): readonly Round[];
  /** Every round, in the order of the starts. */
  all(): IterableIterator<Round>;
  /** Rounds at rest that no call has changed since then. */
  restingSince(at: number): readonly Round[];
  /** Rounds of DEMO that no call has changed since then, open ones too (E19.1). */
  demoSince(at: number): readonly Round[];
  readonly size: number;
}

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

/** Rounds in memory, with an index by player. A round at rest takes a third of the memory of its JSON. */
export function createKeptRounds(): KeptRounds {
  const rounds = new Map<string, Round | Resting>();
  const working = new Set<string>();
  const byPlayer = new Map<string, OfPlayer>();
  /** Every provider that has had a round; they are few. */
  const providers = new Set<string>();

  const recent = new Map<string, Round>();
  const remember = (key: string, round: Round): Round => {
    recent.delete(key);
    recent.set(key, round);
    if (recent.size > maxRecent) recent.delete(recent.keys().next().value ?? '');
    return round;
  };

  const get = (key: string): Round | null => {
    const kept = rounds.get(key);
    if (kept === undefined) return null;
    return 'text' in kept ? (recent.get(key) ?? remember(key, roundOf(kept))) : kept;
  };
  const getAll = (keys: Iterable<string> | undefined): Round[] =>
    [...(keys ?? [])].flatMap((key) => get(key) ?? []);
  const ofPlayer = (player: PlayerName): OfPlayer => {
    const key = playerKey(player);
    const known = byPlayer.get(key) ?? { owners: new Map(), all: new Set(), open: new Set() };
    byPlayer.set(key, known);
    return known;
  };
  const sharedOwner = (owner: Owner): Owner => {
    const { owners } = ofPlayer(owner);
    const key = ownerKey(owner);
    const known = owners.get(key) ?? owner;
    owners.set(key, known);
    return known;
  };

  return {
    find: (gameProviderId, gameRound) => get(roundKey(gameProviderId, gameRound)),
    isElsewhere(owner, gameRound) {
      const known = byPlayer.get(playerKey(owner))?.all;
      if (known === undefined || owner.mode === 'DEMO') return false;
      return [...providers].some(
        (id) => id !== owner.gameProviderId && known.has(roundKey(id, gameRound)),
      );
    },
    put(round) {
      providers.add(round.owner.gameProviderId);
      const key = ownText(roundKey(round.owner.gameProviderId, round.gameRound));
      const { all, open } = ofPlayer(round.owner);
      const isAtWork = isWorking(round);
      all.add(key);
      toggle(open, key, isOpen(round));
      toggle(working, key, isAtWork);
      rounds.set(key, isAtWork ? round : resting(round, sharedOwner(round.owner)));
      if (isAtWork) recent.delete(key);
      else remember(key, round);
    },
    forget(gameProviderId, gameRound) {
      const key = roundKey(gameProviderId, gameRound);
      const kept = rounds.get(key);
      if (kept === undefined) return;
      rounds.delete(key);
      working.delete(key);
      recent.delete(key);
      const { all, open } = ofPlayer(kept.owner);
      all.delete(key);
      open.delete(key);
      if (all.size === 0) byPlayer.delete(playerKey(kept.owner));
    },
    openOf: (player) => getAll(byPlayer.get(playerKey(player))?.open),
    *latestOf(player) {
      const keys = [...(byPlayer.get(playerKey(player))?.all ?? [])];
      for (const key of keys.toReversed()) {
        const round = get(key);
        if (round !== null) yield round;
      }
    },
    atWork: () => getAll(working),
    isAtWork: (gameProviderId, gameRound) => working.has(roundKey(gameProviderId, gameRound)),
    latest: (count) => getAll([...rounds.keys()].toReversed().slice(0, count)),
    *all() {
      for (const kept of rounds.values()) yield roundOf(kept);
    },
    restingSince: (at) =>
      [...rounds.values()].flatMap((kept) =>
        'text' in kept && kept.lastCallAt <= at ? [roundOf(kept)] : [],
      ),
    demoSince: (at) =>
      [...rounds.values()].flatMap((kept) =>
        kept.owner.mode === 'DEMO' && kept.lastCallAt <= at ? [roundOf(kept)] : [],
      ),
    get size() {
      return rounds.size;
    },
  };
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
  // The text is ours, and never leaves the process: nothing of it is in doubt.
  return { owner: kept.owner, ...ownedRound.unpack(JSON.parse(kept.text) as JsonValue) };
}
