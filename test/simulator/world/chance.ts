import { createSeededRandom, type Random } from '../../../lib/platform';
import type { Fault, FaultSource, Place } from './faults';

// Taken once: where globals are looked up by interceptors, as under a test runner, that is most of the time.
const { floor, imul } = Math;

/**
 * What is drawn for one name, a gameRound or a player: how long each way takes, and what goes wrong. Each name
 * has its own numbers, so that leaving another one out changes nothing for this one.
 */
export class Chance {
  private readonly delays: Random;
  private readonly faulty: Random;
  private readonly points = { line: 0, port: 0 };

  constructor(
    readonly name: string,
    seed: number,
    private readonly source: FaultSource,
  ) {
    const own = mixed(seed, name);
    this.delays = createSeededRandom(own);
    this.faulty = createSeededRandom(own ^ 0x5bd1e995);
  }

  /** Milliseconds of one way: mostly one or two. */
  delay(): number {
    const share = this.delays.next();
    return 1 + floor(share * share * share * 12);
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return floor(this.delays.next() * limit);
  }

  /** What goes wrong at the next point of this kind. */
  fault(place: Place): Fault | null {
    return this.source.at(this.faulty, this.name, place, this.points[place]++);
  }
}

function mixed(seed: number, name: string): number {
  let state = seed ^ 0x9e3779b9;
  for (let at = 0; at < name.length; at++) {
    state = imul(state ^ name.charCodeAt(at), 0x01000193);
    state ^= state >>> 13;
  }
  return imul(state, 0x2c1b3c6d);
}
