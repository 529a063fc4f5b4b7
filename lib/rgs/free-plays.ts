import {
  EngineRefusedError,
  type FreePlayInfo,
  type FreePlays,
  type FreePlaysAvailable,
} from '../protocol/engine-api';
import type { FreePlayRequest } from '../protocol/operator-api/served';
import type { Owner, Round } from './rounds';

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
  /** Plays taken: 1 as long as its debit is due or stands, otherwise 0 (E18.2). */
  readonly used: number;
  /** Units collected (E18.3). */
  readonly won: bigint;
}

/** The play of a round; null if its debit is not paid by a package. A ticket never pays a later debit (E8.4). */
function playOf({ owner, debits, entries }: Round): PlayOfRound | null {
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

/**
 * The free plays of REAL players (E18). Assignments are events; what was played follows from the rounds: each
 * change of a round goes through `follow`, at run time as on replay, and is counted there. A snapshot has
 * these counts, so that they outlive the rounds.
 */
export interface FreePlayRegistry {
  /**
   * Assigns a package; a known serial gives the first one (E18.1).
   * @throws EngineRefusedError 19 if the new one expires in the past, or has no count of 1 to 10,000 (E18.4)
   */
  assign(request: FreePlayRequest, facts: AssignFacts): Assignment;
  /** Whether a package with this serial was assigned, to whichever player. */
  has(operatorId: string, serial: string): boolean;
  /** The serial that pays a debit of this stake: the first by expiry, then by assignment; null if none (E17.4). */
  pick(owner: Owner, stake: bigint, at: number): string | null;
  /**
   * What replies say (E18.3): the plays left for the token's player and game, and the package of the round,
   * by its serial; without one the package that is used next.
   */
  view(owner: Owner, serial: string | null, at: number): FreePlays;
  apply(event: FreePlayEvent): void;
  /**
   * A round changed: its play is taken with the debit's intent, returned when the debit is declined,
   * withdrawn or voided (E18.2), and what it collects is won (E18.3).
   */
  follow(before: Round | null, after: Round): void;
  /** Events that give this state to an empty registry. */
  snapshot(): readonly FreePlayEvent[];
  /** Every package, in order of assignment. */
  list(): readonly FreePlayPackage[];
}

/** Most plays of a package (E18.4). */
const maxPlays = 10_000;

/** Free plays, none at first. */
export function createFreePlays(): FreePlayRegistry {
  const packages = new Map<string, HeldPackage>();
  const queues = new Map<string, PlayQueue>();
  const heldBy = (operatorId: string, serial: string): HeldPackage | undefined =>
    packages.get(JSON.stringify([operatorId, serial]));
  const usable = (owner: Owner, at: number): readonly HeldPackage[] =>
    owner.mode === 'REAL' ? (queues.get(seatOf(owner))?.usable(at) ?? []) : [];
  const queueOf = (one: HeldPackage): PlayQueue => {
    const seat = seatOf(one.assigned);
    const queue = queues.get(seat) ?? new PlayQueue();
    queues.set(seat, queue);
    return queue;
  };
  const count = (one: HeldPackage, used: number, won: bigint): void => {
    one.used += used;
    one.won += won;
    if (one.used < one.assigned.count) queueOf(one).add(one);
    else queueOf(one).remove(one);
  };
  const hold = (assigned: AssignedPackage): void => {
    const key = JSON.stringify([assigned.operatorId, assigned.serial]);
    if (packages.has(key)) return;
    const held: HeldPackage = { assigned, nth: packages.size, used: 0, won: 0n };
    packages.set(key, held);
    queueOf(held).add(held);
  };
  return {
    assign(request, facts) {
      const known = heldBy(facts.operatorId, request.serial);
      if (known !== undefined)
        return { assigned: packageOf(known), events: [], isStakeOffered: true };
      checkNew(request, facts.at);
      const { operatorId, internalid, ladder } = facts;
      const assigned = { ...request, operatorId, internalid };
      return {
        assigned: { ...assigned, used: 0, won: 0n },
        events: [{ type: 'freePlaysAssigned', assigned }],
        isStakeOffered: ladder === null || ladder.includes(request.stake),
      };
    },
    has: (operatorId, serial) => heldBy(operatorId, serial) !== undefined,
    pick: (owner, stake, at) => {
      const fits = ({ assigned: one }: HeldPackage): boolean =>
        one.stake === stake && one.currency === owner.currency;
      return usable(owner, at).find(fits)?.assigned.serial ?? null;
    },
    view(owner, serial, at) {
      const left = usable(owner, at);
      const played = serial === null ? undefined : heldBy(owner.operatorId, serial);
      const info = played ?? left.find(({ assigned }) => assigned.currency === owner.currency);
      return {
        freePlayInfo: info === undefined ? null : infoOf(info),
        freePlaysAvailable: availableOf(left),
      };
    },
    apply(event) {
      if (event.type === 'freePlaysAssigned') return hold(event.assigned);
      const held = heldBy(event.operatorId, event.serial);
      if (held !== undefined) count(held, event.used - held.used, event.won - held.won);
    },
    follow(before, after) {
      const play = playOf(after);
      const held = play === null ? undefined : heldBy(play.operatorId, play.serial);
      if (play === null || held === undefined) return;
      const was = before === null ? null : playOf(before);
      const [used, won] = [play.used - (was?.used ?? 0), play.won - (was?.won ?? 0n)];
      if (used !== 0 || won !== 0n) count(held, used, won);
    },
    snapshot: () => [...packages.values()].flatMap(eventsOf),
    list: () => [...packages.values()].map(packageOf),
  };
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
