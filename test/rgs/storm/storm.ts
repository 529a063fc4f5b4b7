import { setTimeout as delay } from 'node:timers/promises';

import type { AccountStore } from '../../../lib/operator/wallet';
import { Cleanup } from '../../servers/cleanup';
import { kinds, lines } from './parties/sandbox-api';
import { type Scene, setScene, untilQuiet } from './scene';

/** How much is played, and how much goes wrong. */
export interface StormOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly players: number;
  /** The probability of each of nine kinds of fault for a call. */
  readonly faults: number;
}

/** What came of it. */
export interface StormFigures {
  readonly seed: number;
  /** Everything that differs, in words. */
  readonly problems: readonly string[];
  /** That the studio asked for, taken or not. */
  readonly rounds: number;
  /** Faults that never came, such as `rgs-wallet cut`. */
  readonly missing: readonly string[];
  /** How often each call and each fault came on the wire. */
  readonly onWire: ReadonlyMap<string, number>;
  /** How often what was played, and what was refused. */
  readonly tally: ReadonlyMap<string, number>;
}

const hour = 3_600_000;
/** A call that is late or out of order is held this long: longer than the wallet line waits. */
const delayMs = 1000;
const timeouts = { walletTimeoutMs: 700, attemptTimeoutMs: 2000 };
/** Rounds that a player plays at most before the abandoned ones are closed. */
const maxInTurn = 20;

/**
 * Plays rounds of all kinds with faults on every line, some more until every kind of fault has come on every
 * line; ends the faults, and compares the books (B3).
 */
export async function storm(store: AccountStore, options: StormOptions): Promise<StormFigures> {
  const cleanup = new Cleanup();
  const { seed } = options;
  try {
    const scene = await setScene(store, { ...options, ...timeouts }, cleanup);
    await play(scene, options);
    await calm(scene);
    const { onWire, tally, studio } = scene;
    const problems = await scene.problems();
    const missing = missingFaults(scene);
    return { seed, problems, rounds: studio.book.entries.length, missing, onWire, tally };
  } finally {
    await cleanup.run();
  }
}

async function play(scene: Scene, { rounds, faults }: StormOptions): Promise<void> {
  const { api, players } = scene;
  await api.setEveryFault(faults, delayMs);
  let left = rounds;
  for (let turns = 1; left > 0 || (missingFaults(scene).length > 0 && turns <= 30); turns++) {
    const share = Math.max(5, Math.min(maxInTurn, Math.ceil((1.5 * left) / players.length)));
    const played = await Promise.all(players.map((player) => player.play(share)));
    left -= played.reduce((sum, one) => sum + one, 0);
    await closeAbandoned(scene);
  }
}

/** What has not come yet of every kind of fault on every line. */
function missingFaults({ onWire }: Scene): string[] {
  const wanted = Object.keys(lines).flatMap((line) => kinds.map((kind) => `${line} ${kind}`));
  return wanted.filter((fault) => !onWire.has(fault));
}

/** Moves the clock on until the studio has closed every round that its player left (E16.1). */
async function closeAbandoned({ api, studio, players }: Scene): Promise<void> {
  for (const { seat } of players) seat.leave();
  await api.advance(24 * hour);
  for (let hours = 1; hours <= 100 && studio.book.unsettled.length > 0; hours++) {
    await api.advance(hour);
    while (studio.closing > 0) await delay(20);
  }
}

/** Ends the faults, lets what was held arrive, and moves the clock on until nothing is due (E16.3). */
async function calm(scene: Scene): Promise<void> {
  const { api } = scene;
  await api.clearFaults();
  // The timers of what is held end before this one.
  await delay(delayMs);
  await untilQuiet(scene);
  for (let hours = 1; hours <= 100; hours++) {
    await api.advance(hour);
    await untilQuiet(scene);
    if ((await api.state()).due.length === 0) return;
  }
}
