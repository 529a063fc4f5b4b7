import { expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createStandingClock } from '../real-wallet';
import { readStep } from '../story';
import { compareRepairs } from './compare';
import { createRepairedWallet, type RepairedWallet } from './real-people';
import type { PeopleStep, RepairStory } from './story';

const player = { operatorId: 'operator', playerId: 'player' };

async function inMemory(): Promise<RepairedWallet> {
  const clock = createStandingClock();
  const store = createMemoryStore({ clock });
  await store.ready();
  return createRepairedWallet({ store, players: store.players, clock, deadlineMs: 1_000, player });
}

const approved: PeopleStep = { kind: 'approve', of: 0, by: 'juan' };
const rejected: PeopleStep = { kind: 'reject', of: 0, by: 'juan' };

function proposed(repair: 'pay' | 'resolve', hash: string | null = null): PeopleStep {
  return { kind: 'propose', repair, hash, by: 'maria' };
}

let sent = 0;

/** Calls of the RGS, each with an id of its own. */
function calls(text: string): RepairStory {
  return text.split('; ').map((call) => readStep(call, (sent += 1), new Map()));
}

function times(count: number, make: (n: number) => RepairStory): RepairStory {
  return Array.from({ length: count }, (_, n) => make(n)).flat();
}

/** Plays it, and returns whether the round is stranded and what the player has in EUR. */
async function after(story: RepairStory): Promise<string> {
  const wallet = await inMemory();
  await compareRepairs(wallet, story);
  return `${await wallet.state()} ${await wallet.balance('EUR')}`;
}

const stranded = calls('first r 3; credit v 1; debit c 12; credit w 3');

test.each([
  ['the refused win', 'credit w 3'],
  ['an accepted one', 'credit v 1'],
  ['both, several times', 'credit w 3, credit v 1; credit w 3; credit v 1, credit w 3'],
  ['a win with another content', 'credit w 4'],
  ['the void of a credit', 'void v'],
])('a proposal stays valid where %s is sent again (D11.2)', async (_, again) => {
  expect(await after([...stranded, proposed('pay'), ...calls(again), approved])).toBe('closed 11');
});

test.each([
  ['a new win', 'credit x 3'],
  ['an end', 'end e'],
  ['the void of a debit', 'void u'],
  ['a debit', 'debit b 1'],
])('a proposal is not valid any more where %s comes (D11.2)', async (_, call) => {
  expect(await after([...stranded, proposed('pay'), ...calls(call), approved])).toBe('crashed 8');
});

test('proposals that were rejected do not count towards twenty (D11.2)', async () => {
  const refused = times(25, () => [proposed('pay'), rejected]);
  expect(await after([...stranded, ...refused, proposed('pay'), approved])).toBe('closed 11');
});

test('proposals that a call made stale do not count towards twenty (D11.2)', async () => {
  const stale = times(25, (n) => [proposed('pay', 'w'), ...calls(`end e${n}`), approved]);
  expect(await after([...stranded, ...stale, proposed('pay', 'w'), approved])).toBe('closed 11');
});

test('a win that no account can take is not proposed, and can be resolved (D11.1)', async () => {
  const story = calls('first r 3; credit z 3 SEK');
  expect(await after([...story, proposed('pay'), approved])).toBe('stranded 7');
  expect(await after([...story, proposed('resolve'), approved])).toBe('closed 7');
});

test('a round takes twenty repairs, and no other (D11.1)', async () => {
  const repaired = times(20, (n) => [...calls(`credit w${n} 1`), proposed('pay'), approved]);
  const story = [...calls('first r 3, end e'), ...repaired];
  expect(await after(story)).toBe('closed 27');
  const another = [...calls('credit x 1'), proposed('pay', 'x'), approved];
  expect(await after([...story, ...another])).toBe('stranded 27');
});

test('repairs that a void took back count towards twenty, for they were made (D11.1, D11.4)', async () => {
  const takenBack = times(20, (n) => [
    ...calls(`debit a${n} 1, credit w${n} 1 USD`),
    proposed('pay'),
    approved,
    ...calls(`void a${n}`),
  ]);
  const story = [...calls('first r 3'), ...takenBack, ...calls('credit x 1 USD')];
  expect(await after([...story, proposed('pay'), approved])).toBe('stranded 7');
});
