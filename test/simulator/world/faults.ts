import type { Random } from '../../../lib/platform';

// Taken once: where globals are looked up by interceptors, as under a test runner, that is most of the time.
const { floor } = Math;

/** What goes wrong on the line between the service and a wallet. */
export const lineFaults = [
  'request lost',
  'request late',
  'reply lost',
  'reply late',
  'comes twice',
  'cut',
] as const;

/** What goes wrong between a wallet process and its store, journal or ledger. */
export const portFaults = [
  'slow',
  'silent',
  'done, silent',
  'error',
  'done, error',
  'error, done late',
  'throws',
  'done, throws',
  'done twice',
  'done again late',
  'dies',
  'done, dies',
] as const;

/** Where something can go wrong. */
export type Place = 'line' | 'port';

/** A kind of fault. */
export type FaultKind = (typeof lineFaults)[number] | (typeof portFaults)[number];

/** The n-th point of this kind that somebody came to. */
export interface Point {
  /** A gameRound, or a player: each counts its own points. */
  readonly name: string;
  readonly place: Place;
  readonly point: number;
}

/** A fault at a point. */
export interface Fault extends Point {
  readonly kind: FaultKind;
  /** For what is slow or late: by how much. */
  readonly ms: number;
}

/** Decides at which points something goes wrong. */
export interface FaultSource {
  /** `random` belongs to the name, so that what others do changes nothing here. */
  at(random: Random, name: string, place: Place, point: number): Fault | null;
}

const kinds = { line: lineFaults, port: portFaults };
const longestMs = 9000;

/** Random faults, each noted in `drawn`. */
export function drawnFaults(
  rates: { readonly [place in Place]: number },
  drawn: Fault[],
): FaultSource {
  return {
    at(random, name, place, point) {
      if (random.next() >= rates[place]) return null;
      const list: readonly FaultKind[] = kinds[place];
      const kind = list[floor(random.next() * list.length)] as FaultKind;
      const share = random.next();
      const fault = { name, place, point, kind, ms: 1 + floor(share * share * longestMs) };
      drawn.push(fault);
      return fault;
    },
  };
}

/** These faults, and no others. */
export function listedFaults(faults: readonly Fault[]): FaultSource {
  const byPlace = new Map(faults.map((fault) => [nameOf(fault), fault]));
  return { at: (_, name, place, point) => byPlace.get(nameOf({ name, place, point })) ?? null };
}

function nameOf({ name, place, point }: Omit<Fault, 'kind' | 'ms'>): string {
  return `${name} ${place} ${point}`;
}
