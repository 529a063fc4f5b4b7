import { expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createStandingClock } from '../real-wallet';
import type { Delivery } from '../reference-log';
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

/** `pay` and `resolve` are proposed and approved; anything else is a call of the RGS. */
function storyOf(story: string): RepairStory {
  const earlier = new Map<string, Delivery>();
  return story.split('; ').flatMap((text, at): RepairStory => {
    const [repair, hash = null] = text.split(' ');
    if (repair !== 'pay' && repair !== 'resolve') {
      const step = readStep(text, at, earlier);
      if (step.kind === 'call') earlier.set(step.delivery.id, step.delivery);
      return [step];
    }
    const proposed: PeopleStep = { kind: 'propose', repair, hash, by: 'maria' };
    return [proposed, { kind: 'approve', of: 0, by: 'juan' }];
  });
}

// what happens | the state after it | what the player has in EUR, of 10
test.each([
  // A late win strands a cancelled round, and only its own debit's void takes that away (D11.5).
  ['first r 3; unwritten: debit a 3; resolve; credit w 3', 'stranded', 7n],
  ['first r 3; unwritten: debit a 3; resolve; credit w 3; void a', 'stranded', 7n],
  ['first r 3; unwritten: debit a 3; resolve; credit w 3, end e; void a', 'stranded', 7n],
  ['first r 3; unwritten: debit a 3; resolve; credit w 3; void a; pay', 'closed', 10n],
  ['first r 3; unwritten: debit a 3; resolve; credit w 3; void r', 'voided', 10n],
  ['first r 3; unwritten: debit a 3; resolve; credit w 3; pay; void r', 'voided', 10n],
  ['first r 3; unwritten: debit a 3; resolve; credit w 3; resolve; void a', 'closed', 7n],
  // A win that its debit's void takes back has stranded the round before; the later win still waits for a person.
  [
    'first r 3; unmarked: debit a 3, credit y 3 USD; mark 1; resolve; credit w 3; void a',
    'stranded',
    7n,
  ],
  // It crashes a round in which a credit was accepted.
  ['first r 3, credit v 1; unwritten: debit a 3; resolve; credit w 3', 'crashed', 8n],
  // An end that comes after a repair counts as one that came before it (D11.4).
  ['first r 3; unwritten: debit a 3; resolve; end e; void a', 'closed', 7n],
  ['first r 3; unwritten: debit a 3; resolve; void a', 'open', 7n],
  ['first r 3; debit a 3, credit y 3 USD; resolve; end e; void a', 'closed', 7n],
  ['first r 3; debit a 3, credit y 3 USD; end e; resolve; void a', 'closed', 7n],
  ['first r 3; debit a 3, credit y 3 USD; resolve; void a', 'open', 7n],
  // A void that leaves the round closed by its end ends the repair: a further win strands it as any closed one (D4.7).
  ['first r 3; debit a 3, credit y 3 USD; end e; resolve; void a; credit w 3', 'stranded', 7n],
  ['first r 3; debit a 3, credit y 3 USD; resolve; end e; void a; credit w 3', 'stranded', 7n],
  // So does one after which a win has made the round again what the repair closed.
  ['first r 3; debit a 3, credit y 3 USD; end e; resolve; credit w 3; void a', 'closed', 7n],
  [
    'first r 3; debit a 3, credit y 3 USD; end e; resolve; credit w 3; void a; credit x 3',
    'stranded',
    7n,
  ],
  // A win of a round that an end or a declined first debit closed can be paid, again and again (D4.7, D11.5).
  ['first r 3; end e; credit w 3; pay', 'closed', 10n],
  ['first r 3; end e; credit w 3; pay; credit x 3', 'stranded', 10n],
  ['first r 3; end e; credit w 3; pay; credit x 3; pay x', 'closed', 13n],
  ['first r 3, credit v 1, end e; credit w 3; resolve; credit x 3', 'crashed', 8n],
  ['first r 3; end e; credit w 3; pay; void r', 'voided', 10n],
  ['first r 12; credit w 3; pay', 'closed', 13n],
  ['first r 12; credit w 3; pay; void r', 'voided', 10n],
  ['first r 3; debit a 3, end e; credit w 3; pay; void a', 'closed', 10n],
  ['first r 3; debit a 3, end e; credit w 3; void a; pay', 'closed', 10n],
  ['first r 3; debit a 3; end e; debit a 3, credit w 3; pay; void a', 'closed', 7n],
  // A win that the mark recorded as declined is never to be paid (D7, D11.3).
  ['first r 3; unwritten: debit a 3, credit w 3; pay w', 'cancelled', 7n],
  ['first r 3; unwritten: debit a 3, credit w 3; void a; credit z 3 SEK; pay w', 'stranded', 7n],
  // Only the win that stranded the round, though all of a call has one time (D11.3).
  ['first r 3; credit y 3 USD, debit a 3, credit w 5; pay w', 'stranded', 7n],
  ['first r 3; debit c 12; credit w 3, credit x 5; pay x', 'closed', 12n],
  ['first r 3; debit c 12; credit w 3, debit a 3, credit x 5; pay x', 'stranded', 7n],
  ['first r 3; debit c 12; credit w 3, debit a 3, credit x 5; pay w', 'closed', 10n],
  // And what went back with the debit is not to be paid any more (D5.3, D11.3).
  ['first r 3; debit a 3, credit y 3 USD; end e; resolve; void a; pay', 'closed', 7n],
] as const)('%s: the round is %s (D11.4, D11.5)', async (text, state, balance) => {
  const wallet = await inMemory();
  await compareRepairs(wallet, storyOf(text));
  expect([await wallet.state(), await wallet.balance('EUR')]).toEqual([state, balance]);
});

// what happens | the state after it | what the player has in EUR, of 10
test.each([
  // A debit that is marked late leaves what a repair closed as it was, once it has its void.
  ['pay; mark 1', 'cancelled', 7n],
  ['pay; mark 1; void a', 'closed', 10n],
  ['resolve; mark 1; void a', 'closed', 7n],
  ['pay; mark 1; void a; credit x 1', 'stranded', 10n],
  ['pay; mark 1; void r', 'voided', 10n],
  // A win after the repair has ended it: the late mark and its void leave that win to a person.
  ['resolve; credit x 1; mark 1; void a', 'stranded', 7n],
  // A repair of the cancelled round says nothing of the state behind that.
  ['pay; mark 1; resolve; void a', 'stranded', 10n],
  // The win that stranded the round can be paid once the void has come.
  ['mark 1', 'cancelled', 4n],
  ['mark 1; void a', 'stranded', 7n],
  ['mark 1; void a; pay', 'closed', 10n],
  ['mark 1; resolve; void a; pay', 'closed', 10n],
  ['mark 1; void a; pay; void r', 'voided', 10n],
] as const)(
  'after a win that was declined behind an unmarked debit, %s: the round is %s (D7, D11.3, D11.4)',
  async (rest, state, balance) => {
    const wallet = await inMemory();
    const text = `first r 3; unmarked: debit a 3; debit c 12; credit w 3; ${rest}`;
    await compareRepairs(wallet, storyOf(text));
    expect([await wallet.state(), await wallet.balance('EUR')]).toEqual([state, balance]);
  },
);

test.each([
  // What goes back with the debit takes back what was paid for it, marked or not.
  ['first r 3; unmarked: debit a 3, credit y 3 USD, credit w 3; pay w; void a', 'open', 7n],
  ['first r 3; unmarked: debit a 3, credit y 3 USD, credit w 3; pay w; mark 1; void a', 'open', 7n],
  [
    'first r 3; unmarked: debit a 3, credit v 1; debit c 12; credit w 3; pay; mark 1; void a',
    'closed',
    10n,
  ],
  // A later win makes the round again what the repair closed, though no credit counts as accepted any more (D11.5).
  [
    'first r 3; debit a 3, credit v 1; debit c 12; credit w 3; pay; void a; credit x 1',
    'crashed',
    10n,
  ],
  // A later win goes back with its own debit, and with it nothing that was paid before.
  [
    'first r 3; debit a 3; debit c 12; credit w 3; pay; debit a 3, credit y 3; void a',
    'stranded',
    10n,
  ],
  [
    'first r 3; debit a 3; debit c 12; credit w 3; pay; debit a 3, credit y 3; pay y; void a',
    'closed',
    10n,
  ],
  // Two late marks, each with its void.
  [
    'first r 3; unmarked: debit a 1; unmarked: debit b 1; debit c 12; credit w 3; pay; mark 1; mark 2; void a',
    'cancelled',
    9n,
  ],
  [
    'first r 3; unmarked: debit a 1; unmarked: debit b 1; debit c 12; credit w 3; pay; mark 1; mark 2; void a; void b',
    'closed',
    10n,
  ],
] as const)('%s: the round is %s (D5.3, D11.4)', async (text, state, balance) => {
  const wallet = await inMemory();
  await compareRepairs(wallet, storyOf(text));
  expect([await wallet.state(), await wallet.balance('EUR')]).toEqual([state, balance]);
});
