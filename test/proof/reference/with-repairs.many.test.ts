import { describe, test } from '@jest/globals';
import * as fc from 'fast-check';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { Ledger, Rounds } from '../../../lib/operator/wallet';
import type { Clock } from '../../../lib/platform';
import { createMemoryLedger } from '../../../lib/proof';
import { createStandingClock } from './real-wallet';
import { compareRepairs } from './repairs/compare';
import { createRepairedWallet, type RepairedWallet } from './repairs/real-people';
import { randomRepairStory } from './repairs/story';
import { Turns } from './repairs/turns';
import { type CallStep, readStep, type Step } from './story';
import { randomHistories } from '../../support/runs';

const runs = randomHistories(40);

const player = { operatorId: 'operator', playerId: 'player' };
const deadlineMs = 600_000;

interface Racing {
  readonly wallet: RepairedWallet;
  readonly turns: Turns;
}

/** What stops those who race at each answer of their store, and their clock: time passes where all of them wait for it. */
function createRace(): { readonly clock: Clock; readonly turns: Turns } {
  const standing = createStandingClock();
  const turns = new Turns();
  const pause = async (ms: number): Promise<void> => {
    if (await turns.pause()) await standing.pause(ms);
  };
  return { clock: { ...standing, pause }, turns };
}

async function inMemory(): Promise<Racing> {
  const { clock, turns } = createRace();
  const kept = createMemoryStore({ clock });
  await kept.ready();
  const { players } = kept;
  const names = ['load', 'commit', 'readRound', 'accounts'] as const;
  const store = { ...kept, rounds: turns.around<Rounds>(kept.rounds, names) };
  return {
    wallet: await createRepairedWallet({ store, players, clock, deadlineMs, player }),
    turns,
  };
}

async function overLedger(): Promise<Racing> {
  const { clock, turns } = createRace();
  const players = createMemoryLedger();
  const journal = createMemoryStore({ clock });
  const store = createLedgerStore({
    ledger: turns.around<Ledger>(players, ['debit', 'credit', 'reverse', 'balances']),
    journal: {
      ...journal,
      rounds: turns.around<Rounds>(journal.rounds, ['load', 'commit', 'readRound']),
    },
    clock,
    deadlineMs,
  });
  await store.ready();
  return {
    wallet: await createRepairedWallet({ store, players, clock, deadlineMs, player }),
    turns,
  };
}

describe.each([
  ['in memory', inMemory],
  ['over a ledger', overLedger],
] as const)('%s', (_, makeWallet) => {
  test(`answers, state and balance are what the text says after each step of ${runs.numRuns} random stories with repairs (O1, O2, O8, D11)`, () =>
    fc.assert(
      fc.asyncProperty(randomRepairStory(), async (story) => {
        const { wallet, turns } = await makeWallet();
        await compareRepairs(wallet, story, (order, works) => turns.race(order, works));
      }),
      runs,
    ));

  test('a debit and the void of its round at once end alike in every order of their first six steps (D5.2, D7)', async () => {
    const steps = ['first r 3', 'debit b 6, end e, credit w 3', 'void r'];
    const [first, debit, ofRound] = steps.map((text, index) => readStep(text, index, new Map()));
    if (first === undefined || !isCall(debit) || !isCall(ofRound)) throw new Error('no steps');
    for (let bits = 0; bits < 64; bits += 1) {
      const order = [0, 1, 2, 3, 4, 5].map((at) => (bits >> at) & 1);
      const { wallet, turns } = await makeWallet();
      const atOnce = { kind: 'atOnce', acts: [debit, ofRound], order } as const;
      await compareRepairs(wallet, [first, atOnce], (turn, works) => turns.race(turn, works));
    }
  });
});

function isCall(step: Step | undefined): step is CallStep {
  return step?.kind === 'call';
}
