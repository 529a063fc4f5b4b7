import assert from 'node:assert/strict';
import type { Limit, LimitKind, PlayerKey } from '../../../../lib/operator/wallet';
import type { Dice } from '../../../../lib/proof/subject/dice';
import { contractPlayer, sorted } from '../../../../lib/proof/subject/players';
import { freshRound } from '../../../../lib/proof/contracts/case';
import { limitsOf } from '../model/book';
import { keyOf } from '../model/counters';
import { windowNumber } from '../model/calendar';
import { at, limitsAt, type Process, type World } from '../case';
import { PlayedPlayer } from '../model/player';
import type { PlayedRound } from '../model/played-round';
import type { Reading } from '../model/readings';
import { later, startOf, zones } from './times';

/** How the store and the list of all that happened were driven apart. */
const latestSteps = 40;

/** Which limits are set, and whether they count what moved before them. */
export interface PlayedLimits {
  readonly kinds: readonly LimitKind[];
  readonly isFromPast: boolean;
}

/** A player in two processes, and the list of all that happened to it. */
export class Play {
  readonly key: PlayerKey = freshRound();
  readonly player: PlayedPlayer;
  readonly rounds: PlayedRound[] = [];
  readonly zones: readonly string[];
  process: Process;
  private readonly trace: string[] = [];

  constructor(
    readonly world: World,
    readonly dice: Dice,
    readonly behindMs: number,
    /** All that still explain what was seen. */
    public readings: readonly Reading[],
    readonly limits: PlayedLimits,
  ) {
    this.player = new PlayedPlayer(limits.isFromPast);
    this.zones = dice.times(1, 3, () => dice.pick(zones));
    [this.process] = at(world, startOf(dice), behindMs);
  }

  /** Opens the player in EUR, with a bonus balance, and USD. */
  async open(): Promise<void> {
    for (const [currency, real, bonus] of [
      ['EUR', 700n, 400n],
      ['USD', 9_000n, undefined],
    ] as const) {
      await this.process.store.players.openPlayer(contractPlayer(this.key, currency, real, bonus));
      this.player.accounts.set(currency, { real, bonus: bonus ?? 0n });
    }
  }

  /** The time of the process that acts. */
  get now(): number {
    return this.process.clock.now();
  }

  /** Some time passes, and any of the processes acts. */
  pass(): void {
    const { world, dice, behindMs } = this;
    const until = this.player.blocked?.until ?? null;
    let now = later(world.wall.now, dice, dice.pick(this.zones), behindMs);
    while (now === until || now - behindMs === until) now += 1; // "after it" does not say when (D13.2)
    this.process = dice.pick(at(world, now, behindMs));
  }

  note(step: string): void {
    const who = this.world.processes.indexOf(this.process);
    this.trace.push(`${new Date(this.now).toISOString()} process ${who}: ${step}`);
  }

  /** Keeps the readings that allow what was seen; none left is a fault of the store. */
  keep(what: string, seen: unknown, allowed: (reading: Reading) => readonly unknown[]): void {
    const seenText = textOf(seen);
    const left = this.readings.filter((one) => allowed(one).map(textOf).includes(seenText));
    if (left.length === 0) {
      const expected = [...new Set(this.readings.flatMap((one) => allowed(one).map(textOf)))];
      const lines = [
        `${what} was ${seenText}`,
        `instead of ${expected.join(' or ')}`,
        ...this.trace.slice(-latestSteps),
      ];
      assert.fail(lines.join('\n'));
    }
    this.readings = left;
  }

  /** Compares what the store tells of limits, block and balances with the list. */
  async check(): Promise<void> {
    this.process = this.dice.pick(this.world.processes);
    const { limits } = await limitsAt(this.process, this.key);
    const told = limits.map(({ kind, currency, window, zone, counts, amount, used, remaining }) => {
      return { kind, currency, window, zone, counts, amount, used, remaining };
    });
    this.keep('what limits() tells', told, (reading) => [this.expected(limits, reading)]);
    const seen = limits.map((one) => [keyOf(one, one.window), one.used] as const);
    this.player.book.add({ type: 'seen', used: new Map(seen), at: this.now });
    for (const { zone, window, resetsAt } of limits) this.checkReset(zone, window, resetsAt);
    const known = await this.process.store.players.readPlayer(this.key);
    assert.ok(known.kind === 'known');
    const isBlocked = this.player.isBlocked(this.now);
    const until = isBlocked ? (this.player.blocked?.until ?? null) : null;
    this.keep('the block', [known.blocked, known.blockedUntil], () => [[isBlocked, until]]);
    const has = sorted(known.accounts).map(({ real, bonus }) => [real, bonus ?? 0n]);
    const balances = ['EUR', 'USD'].map((currency) => {
      const { real, bonus } = this.player.has(currency);
      return [real, bonus];
    });
    this.keep('what the player has', has, () => [balances]);
  }

  /** What the list says, and of what may count what was reported. */
  private expected(told: readonly Limit[], reading: Reading): unknown {
    const { book } = this.player;
    return limitsOf(book.groups()).map(({ group, window, most }, index) => {
      const { kind, currency, zone, counts } = group;
      const all = book.used(group, window, this.now, reading);
      const used = all.find((one) => one === told[index]?.used) ?? all[0] ?? 0n;
      const remaining = used > most ? 0n : most - used;
      return { kind, currency, window, zone, counts, amount: most, used, remaining };
    });
  }

  /** The next window begins then; for a process whose clock is slow, that of either clock. */
  private checkReset(zone: string, window: 'day' | 'week' | 'month', resetsAt: number): void {
    const number = windowNumber(zone, window, resetsAt - 1);
    const running = this.world.wall.clocks.map((clock) => windowNumber(zone, window, clock.now()));
    const isEdge = windowNumber(zone, window, resetsAt) > number && running.includes(number);
    this.keep(`when a ${window} in ${zone} resets (${resetsAt})`, isEdge, () => [true]);
  }
}

/** In one form for what was expected and what was seen: names in their order. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return `${one}n`;
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
