import { EngineRefusedError } from '../protocol/engine-api/errors';
import type { FreePlayInfo, FreePlays, FreePlaysAvailable } from '../protocol/engine-api/replies';
import type { FreePlayRequest } from '../protocol/operator-api/served-messages';
import type { Owner, Round } from './rounds/round';

/** A package of free plays as assigned (operator-api 4.3). It never changes (E18.1). */
interface AssignedPackage {
  readonly operatorId: string;
  readonly playerId: string;
  readonly gameCode: string;
  /** The operator's; with its id the key (E18.1). */
  readonly serial: string;
  /** Ours. */
  readonly internalid: string;
  readonly currency: string;
  /** Units. */
  readonly stake: bigint;
  /** Plays granted: 1 to 10,000. */
  readonly count: number;
  /** Milliseconds of the service's clock; null for one that never expires. */
  readonly expires: number | null;
}

/** A package, and what its plays came to. */
export interface FreePlayPackage extends AssignedPackage {
  readonly used: number;
  /** Units that its rounds collected (E18.3). */
  readonly won: bigint;
}

/** A package was assigned. */
interface FreePlaysAssigned {
  readonly type: 'freePlaysAssigned';
  readonly assigned: AssignedPackage;
}

/** What the plays of a package came to so far; in a snapshot alone. */
interface FreePlaysCounted {
  readonly type: 'freePlaysCounted';
  readonly operatorId: string;
  readonly serial: string;
  readonly used: number;
  readonly won: bigint;
}

/** What changes the packages besides the rounds that play them; a journal keeps these (B4). */
export type FreePlayEvent = FreePlaysAssigned | FreePlaysCounted;

/** A package in its registry; its counts are moved on by rounds. */
interface HeldPackage {
  readonly assigned: AssignedPackage;
  /** Its place among all packages, by assignment. */
  readonly nth: number;
  used: number;
  won: bigint;
}

/** The packages of one player and game with plays left, in the order of use: expiry, then assignment (E18.2). */
class PlayQueue {
  readonly #packages: HeldPackage[] = [];

  /** Puts a package in its place; one that is there already stays. */
  add(one: HeldPackage): void {
    if (this.#packages.includes(one)) return;
    const at = this.#packages.findIndex((other) => isBefore(one, other));
    this.#packages.splice(at < 0 ? this.#packages.length : at, 0, one);
  }

  remove(one: HeldPackage): void {
    const at = this.#packages.indexOf(one);
    if (at >= 0) this.#packages.splice(at, 1);
  }

  /** Those that have not expired. Those that have leave: they are first, and the clock goes forwards. */
  usable(at: number): readonly HeldPackage[] {
    const first = this.#packages.findIndex(
      ({ assigned: { expires } }) => expires === null || expires > at,
    );
    this.#packages.splice(0, first < 0 ? this.#packages.length : first);
    return this.#packages;
  }
}

function isBefore(one: HeldPackage, other: HeldPackage): boolean {
  const [mine, theirs] = [one, other].map(
    ({ assigned }) => assigned.expires ?? Number.POSITIVE_INFINITY,
  );
  return mine === theirs ? one.nth < other.nth : (mine ?? 0) < (theirs ?? 0);
}

/** What a round does to the package that pays its first debit. */
interface PlayOfRound {
  readonly operatorId: string;
  readonly serial: string;
  /** Plays taken: 1 as long as its debit is due or stands, otherwise 0 (E13.4, E18.2). */
  readonly used: number;
  /** Units collected (E18.3). */
  readonly won: bigint;
}

/** The play of a round; null if its debit is not paid by a package. A ticket never pays a later debit (E8.4). */
export function playOf({ owner, debits, entries }: Round): PlayOfRound | null {
  const first = debits[0];
  const serial = first?.due.serial ?? null;
  if (first === undefined || serial === null) return null;
  const isTaken = first.state === 'due' || first.state === 'accepted';
  const won = entries.reduce((sum, { collected }) => sum + collected, 0n);
  return { operatorId: owner.operatorId, serial, used: isTaken ? 1 : 0, won };
}

/** What assigning a package has to know besides the request. */
interface AssignFacts {
  readonly operatorId: string;
  /** The package's id of ours, fresh. */
  readonly internalid: string;
  /** Milliseconds of the service's clock. */
  readonly at: number;
  /** The game's stakes; null if the provider's configuration is unknown. */
  readonly ladder: readonly bigint[] | null;
}

/** A package that was assigned, now or before. */
interface Assignment {
  readonly assigned: FreePlayPackage;
  /** None if the serial is known (E18.1). */
  readonly events: readonly FreePlayEvent[];
  /** A finding: the game offers no such stake (E18.4). */
  readonly isStakeOffered: boolean;
}

/** Most plays of a package (E18.4). */
const maxPlays = 10_000;

/**
 * The free plays of REAL players (E18). Assignments are events; what was played follows from the rounds: each
 * change of a round goes through `follow`, at run time as on replay, and is counted there. A snapshot has
 * these counts, so that they outlive the rounds.
 */
export class FreePlayRegistry {
  readonly #packages = new Map<string, HeldPackage>();
  readonly #queues = new Map<string, PlayQueue>();

  /**
   * Assigns a package; a known serial gives the first one (E18.1).
   * @throws EngineRefusedError 19 if the new one expires in the past, or has no count of 1 to 10,000 (E18.4)
   */
  assign(request: FreePlayRequest, facts: AssignFacts): Assignment {
    const { operatorId, internalid, ladder } = facts;
    const known = this.#held(operatorId, request.serial);
    if (known !== undefined) {
      return { assigned: packageOf(known), events: [], isStakeOffered: true };
    }
    checkNew(request, facts.at);
    const assigned = { ...request, operatorId, internalid };
    return {
      assigned: { ...assigned, used: 0, won: 0n },
      events: [{ type: 'freePlaysAssigned', assigned }],
      isStakeOffered: ladder === null || ladder.includes(request.stake),
    };
  }

  /** Whether a package with this serial was assigned, to any player. */
  has(operatorId: string, serial: string): boolean {
    return this.#held(operatorId, serial) !== undefined;
  }

  /** The serial that pays a debit of this stake: the first by expiry, then by assignment; null if none (E17.4). */
  pick(owner: Owner, stake: bigint, at: number): string | null {
    const fits = ({ assigned: one }: HeldPackage): boolean =>
      one.stake === stake && one.currency === owner.currency;
    return this.#usable(owner, at).find(fits)?.assigned.serial ?? null;
  }

  /**
   * What replies say (E18.3): the plays left for the token's player and game, and the package of the round,
   * by its serial; if the round has none, the package that is used next.
   */
  view(owner: Owner, serial: string | null, at: number): FreePlays {
    const left = this.#usable(owner, at);
    const played = serial === null ? undefined : this.#held(owner.operatorId, serial);
    const info = played ?? left.find(({ assigned }) => assigned.currency === owner.currency);
    return {
      freePlayInfo: info === undefined ? null : infoOf(info),
      freePlaysAvailable: availableOf(left),
    };
  }

  apply(event: FreePlayEvent): void {
    if (event.type === 'freePlaysAssigned') return this.#hold(event.assigned);
    const held = this.#held(event.operatorId, event.serial);
    if (held !== undefined) this.#count(held, event.used - held.used, event.won - held.won);
  }

  /**
   * A round changed: its play is taken with the debit's intent, returned when the debit is declined,
   * withdrawn or voided (E18.2), and what it collects is won (E18.3).
   */
  follow(before: Round | null, after: Round): void {
    const play = playOf(after);
    const held = play === null ? undefined : this.#held(play.operatorId, play.serial);
    if (play === null || held === undefined) return;
    const was = before === null ? null : playOf(before);
    const [used, won] = [play.used - (was?.used ?? 0), play.won - (was?.won ?? 0n)];
    if (used !== 0 || won !== 0n) this.#count(held, used, won);
  }

  /** Events that give this state to an empty registry. */
  snapshot(): readonly FreePlayEvent[] {
    return [...this.#packages.values()].flatMap(eventsOf);
  }

  /** Every package, in order of assignment. */
  list(): readonly FreePlayPackage[] {
    return [...this.#packages.values()].map(packageOf);
  }

  #held(operatorId: string, serial: string): HeldPackage | undefined {
    return this.#packages.get(JSON.stringify([operatorId, serial]));
  }

  #hold(assigned: AssignedPackage): void {
    const key = JSON.stringify([assigned.operatorId, assigned.serial]);
    if (this.#packages.has(key)) return;
    const held: HeldPackage = { assigned, nth: this.#packages.size, used: 0, won: 0n };
    this.#packages.set(key, held);
    this.#queueOf(held).add(held);
  }

  #usable(owner: Owner, at: number): readonly HeldPackage[] {
    return owner.mode === 'REAL' ? (this.#queues.get(seatOf(owner))?.usable(at) ?? []) : [];
  }

  #queueOf(one: HeldPackage): PlayQueue {
    const seat = seatOf(one.assigned);
    const queue = this.#queues.get(seat) ?? new PlayQueue();
    this.#queues.set(seat, queue);
    return queue;
  }

  #count(one: HeldPackage, used: number, won: bigint): void {
    one.used += used;
    one.won += won;
    if (one.used < one.assigned.count) this.#queueOf(one).add(one);
    else this.#queueOf(one).remove(one);
  }
}

function checkNew({ count, expires }: FreePlayRequest, at: number): void {
  const isCount = Number.isSafeInteger(count) && count >= 1 && count <= maxPlays;
  const isOver = expires !== null && expires <= at;
  if (!isCount || isOver) throw new EngineRefusedError('INVALIDPARAMETER', 'E18.4');
}

function seatOf({
  operatorId,
  playerId,
  gameCode,
}: Pick<Owner, 'operatorId' | 'playerId' | 'gameCode'>): string {
  return JSON.stringify([operatorId, playerId, gameCode]);
}

function packageOf({ assigned, used, won }: HeldPackage): FreePlayPackage {
  return { ...assigned, used, won };
}

function infoOf({ assigned: { count, serial }, used, won }: HeldPackage): FreePlayInfo {
  return { used, granted: count, won, isLast: used === count, serial };
}

/** The plays left for each currency and stake, with the serial that is used next (E18.3). */
function availableOf(left: readonly HeldPackage[]): readonly FreePlaysAvailable[] {
  const sums = new Map<string, FreePlaysAvailable>();
  for (const { assigned, used } of left) {
    const { currency, stake, count, serial } = assigned;
    const key = `${currency} ${stake}`;
    const first = sums.get(key) ?? { currency, stake, count: 0, feature: null, serial };
    sums.set(key, { ...first, count: first.count + count - used });
  }
  return [...sums.values()];
}

function eventsOf({ assigned, used, won }: HeldPackage): FreePlayEvent[] {
  const { operatorId, serial } = assigned;
  const made: FreePlayEvent = { type: 'freePlaysAssigned', assigned };
  if (used === 0 && won === 0n) return [made];
  return [made, { type: 'freePlaysCounted', operatorId, serial, used, won }];
}
