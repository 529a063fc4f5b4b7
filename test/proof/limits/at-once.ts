import assert from 'node:assert/strict';
import { type LimitOrder, limitWindows, type RoundKey } from '../../../lib/operator/wallet';
import { Dice } from '../../../lib/proof/subject/dice';
import { anotherRound, orderOf, playerWith } from '../../../lib/proof/contracts/case';
import { credit, debit, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import type { Case } from '../../../lib/proof/contracts/suite';
import { at, call, limited, limitsAt, type Process, usedOf, type World } from './case';
import { limitOf } from './orders';

const noon = Date.UTC(2026, 10, 25, 12);

/** Many debits at the same moment, in several rounds and both processes (D13.1). */
export function atOnceRules(it: Case<World>): void {
  it('of many debits at once, as many are accepted as the limit has room for', async (world) => {
    const processes = at(world, noon);
    const rounds = await openRounds(processes, 6);
    const [first] = rounds;
    for (const window of limitWindows)
      await limited(processes[0], first, limitOf(100n, { window }));
    const words = await Promise.all(
      Array.from({ length: 36 }, (_, index) => {
        const [process, round] = [pick(processes, index), pick(rounds, index)];
        return call(process, round, [debit(`many-${index}`, 7n)]);
      }),
    );
    const accepted = words.filter(([word]) => word === 'processed').length;
    assert.equal(accepted, 14);
    assert.deepEqual([...new Set(words.flat())].toSorted(), ['LIMITREACHED', 'processed']);
    for (const { limits } of await Promise.all(processes.map((one) => limitsAt(one, first)))) {
      assert.deepEqual(
        Array.from(limits, ({ used }) => used),
        [98n, 98n, 98n],
      );
    }
  });

  it('once a lower limit is acknowledged, no debit is accepted that goes against it', async (world) => {
    const processes = at(world, noon);
    const rounds = await openRounds(processes, 4);
    const [first] = rounds;
    await limited(processes[0], first, limitOf(10_000n));
    const { before, after } = await playAround(processes, rounds, () =>
      limited(processes[1], first, limitOf(30n)),
    );
    const used = await usedOf(processes[0], first);
    assert.equal(used, BigInt(before + after) * 3n);
    assert.ok(
      after === 0 || used <= 30n,
      `${after} debits were accepted over the limit, to ${used}`,
    );
  });

  it('once a block is acknowledged, no debit is accepted, in any process', async (world) => {
    const processes = at(world, noon);
    const rounds = await openRounds(processes, 4);
    const [first] = rounds;
    const until = noon + 60_000;
    const { after } = await playAround(processes, rounds, () =>
      processes[1].store.players.setBlocked(first, true, { until }),
    );
    assert.equal(after, 0);
  });

  it('debits, voids and limits at once leave what counts equal to what stays', async (world) => {
    const processes = at(world, noon);
    const rounds = await openRounds(processes, 4);
    const [first] = rounds;
    await limited(processes[0], first, limitOf(200n));
    const kept = await Promise.all(
      Array.from({ length: 24 }, async (_, index): Promise<bigint> => {
        const [process, round] = [pick(processes, index), pick(rounds, index)];
        const hash = `moved-${index}`;
        const [word] = await call(process, round, [debit(hash, 9n)]);
        if (word === 'processed' && index % 3 > 0) return 9n;
        await call(pick(processes, index + 1), round, [voidOf(hash)]);
        if (index % 5 === 0) await limited(process, first, limitOf(BigInt(150 + index)));
        return 0n;
      }),
    );
    const sum = kept.reduce((a, b) => a + b, 0n);
    assert.equal(await usedOf(processes[1], first), sum);
  });

  it('of many deposits at once, as many are done as the limit has room for', async (world) => {
    const processes = at(world, noon);
    const player = await playerWith(processes[0].store.players, 0n);
    await limited(processes[0], player, limitOf(100n, { kind: 'deposit' }));
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        pick(processes, index).store.players.deposit(orderOf(player, 9n)),
      ),
    );
    assert.equal(results.filter(({ kind }) => kind === 'done').length, 11);
    assert.equal(await usedOf(processes[1], player), 99n);
  });
}

/** The same where a limit counts what moved before it: nothing that moves while it is set is lost or counted twice (P18). */
export function pastAtOnceRules(it: Case<World>): void {
  for (const kind of ['stake', 'loss'] as const) {
    it(`a limit of ${kind} that is set while money moves counts all of it once`, async (world) => {
      const processes = at(world, noon);
      const rounds = await openRounds(processes, 4);
      const [first] = rounds;
      let kept = 4n; // the first debits
      const play = async (lane: number): Promise<void> => {
        for (let turn = 0; turn < 12; turn += 1) {
          const hash = `${lane}-${turn}`;
          const round = pick(rounds, lane + turn);
          await call(pick(processes, lane), round, [debit(hash, 7n)]);
          if (turn % 3 === 0) await call(pick(processes, lane + 1), round, [voidOf(hash)]);
          else kept += 7n;
          if (turn % 4 !== 1) continue;
          await call(pick(processes, lane), round, [credit(`won ${hash}`, 2n)]);
          if (kind === 'loss') kept -= 2n;
        }
      };
      const opening = async (): Promise<void> => {
        for (let turn = 0; turn < 6; turn += 1) {
          const round = anotherRound(first);
          await call(pick(processes, turn), round, [debit('first', 5n, true)]);
          kept += 5n;
        }
      };
      const setting = async (): Promise<void> => {
        for (const window of limitWindows) {
          await limited(pick(processes, 1), first, limitOf(100_000n, { kind, window }));
        }
      };
      await Promise.all([play(0), play(1), play(2), play(3), opening(), setting()]);
      const { limits } = await limitsAt(processes[0], first);
      assert.deepEqual(
        Array.from(limits, ({ used }) => used),
        [kept, kept, kept],
      );
    });
  }

  it('a limit of deposits that is set while deposits come counts each once', async (world) => {
    const processes = at(world, noon);
    const player = await playerWith(processes[0].store.players, 0n);
    const depositing = async (lane: number): Promise<void> => {
      for (let turn = 0; turn < 8; turn += 1) {
        const result = await pick(processes, lane).store.players.deposit(orderOf(player, 9n));
        assert.equal(result.kind, 'done');
      }
    };
    const setting = async (): Promise<void> => {
      await depositing(0);
      const order = limitOf(100_000n, { kind: 'deposit', window: 'month' });
      await limited(processes[1], player, order);
    };
    await Promise.all([setting(), depositing(1), depositing(2), depositing(3)]);
    assert.equal(await usedOf(processes[0], player), 4n * 8n * 9n);
  });

  it('once it is acknowledged, no debit is accepted that goes against all of the window', async (world) => {
    const processes = at(world, noon);
    const rounds = await openRounds(processes, 4);
    const [first] = rounds;
    const { before, after } = await playAround(processes, rounds, () =>
      limited(processes[1], first, limitOf(40n)),
    );
    const used = await usedOf(processes[0], first);
    assert.equal(used, 4n + BigInt(before + after) * 3n);
    assert.ok(
      after === 0 || used <= 40n,
      `${after} debits were accepted over the limit, to ${used}`,
    );
  });
}

/** Rounds of one player, each with a first debit of 1 from before any limit. */
async function openRounds(
  [process]: readonly [Process, Process],
  count: number,
): Promise<readonly [RoundKey, ...RoundKey[]]> {
  const first = await playerWith(process.store.players, 1_000_000n);
  const others = Array.from({ length: count - 1 }, () => anotherRound(first));
  for (const round of [first, ...others]) await call(process, round, [debit('first', 1n, true)]);
  return [first, ...others];
}

/** Plays debits of 3 until some time after the act; counts the accepted ones that were sent before and after its answer. */
async function playAround(
  processes: readonly [Process, Process],
  rounds: readonly RoundKey[],
  act: () => Promise<unknown>,
): Promise<{ readonly before: number; readonly after: number }> {
  const counts = { before: 0, after: 0 };
  let isAcknowledged = false;
  let left = 24;
  const play = async (lane: number): Promise<void> => {
    for (let turn = 0; left > 0; turn += 1) {
      const isAfter = isAcknowledged;
      if (isAfter) left -= 1;
      const round = pick(rounds, lane + turn);
      const [word] = await call(pick(processes, lane), round, [debit(`${lane}-${turn}`, 3n)]);
      if (word === 'processed') counts[isAfter ? 'after' : 'before'] += 1;
    }
  };
  const acting = async (): Promise<void> => {
    await call(processes[0], pick(rounds, 0), [debit('warm', 3n)]).then(() => (counts.before += 1));
    await act();
    isAcknowledged = true;
  };
  await Promise.all([play(0), play(1), play(2), play(3), acting()]);
  return counts;
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

/** How much a volume play does. */
export interface LimitVolume {
  readonly players: number;
  readonly debitsEach: number;
  /** Debits of a call at most; 1 if left out. */
  readonly inCall?: number;
  readonly seed: number;
  /** Told now and then. */
  readonly onProgress?: (debits: number) => void;
}

/** The debits that a volume play sent, and how many were accepted. */
export interface VolumeResult {
  debits: number;
  accepted: number;
}

/** Many players, each with a limit or a block that is set while debits are played in several rounds. */
export async function playVolume(
  world: World,
  { players, debitsEach, inCall = 1, seed, onProgress }: LimitVolume,
): Promise<VolumeResult> {
  const processes = at(world, noon);
  const dice = new Dice(seed);
  const result: VolumeResult = { debits: 0, accepted: 0 };
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < players) {
      next += 1;
      await playPlayer({ processes, dice, inCall, count: debitsEach }, result);
      onProgress?.(result.debits);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return result;
}

interface PlayerPlay {
  readonly processes: readonly [Process, Process];
  readonly dice: Dice;
  readonly count: number;
  readonly inCall: number;
}

async function playPlayer(
  { processes, dice, count, inCall }: PlayerPlay,
  result: VolumeResult,
): Promise<void> {
  const rounds = await openRounds(processes, 3);
  const [first] = rounds;
  const most = BigInt(dice.between(0, 40 * count));
  const order: LimitOrder = limitOf(most, { kind: dice.pick(['stake', 'loss'] as const) });
  const isBlock = dice.chance(30);
  const setAfter = dice.below(count);
  const atOnce = Math.max(2, Math.ceil(20 / (inCall + 1)));
  let [acknowledged, sum, accepted, late] = [false, 0n, 0n, 0];
  for (let sent = 0; sent < count; ) {
    if (sent >= setAfter && !acknowledged) {
      if (isBlock) await processes[0].store.players.setBlocked(first, true);
      else await limited(processes[1], first, order);
      acknowledged = true;
    }
    const calls = dice.times(atOnce, atOnce, () =>
      dice.times(1, inCall, () => BigInt(dice.between(1, 60))),
    );
    const isAfter = acknowledged;
    await Promise.all(
      calls.map(async (amounts, index) => {
        const debits = amounts.map((amount, place) => debit(`${sent}-${index}-${place}`, amount));
        const words = await call(pick(processes, index), pick(rounds, index), debits);
        result.debits += words.length;
        if (!words.includes('processed')) return;
        assert.deepEqual([...new Set(words)], ['processed'], 'a part of a call was accepted');
        const units = amounts.reduce((all, one) => all + one, 0n);
        result.accepted += words.length;
        sum += units;
        if (!isAfter) return;
        accepted += units;
        late += 1;
      }),
    );
    sent += calls.reduce((all, amounts) => all + amounts.length, 0);
  }
  if (!acknowledged) return;
  if (isBlock) return assert.equal(late, 0, 'a debit was accepted after the block');
  assert.ok(accepted <= most, `${accepted} of ${sum} were accepted against ${most}`);
  assert.equal(await usedOf(processes[0], first), accepted);
}
