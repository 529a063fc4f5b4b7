import { expect, test } from '@jest/globals';
import { array, assert, asyncProperty, boolean, constantFrom, record } from 'fast-check';
import type { GameRound } from '../../../lib/provider';
import { type Fault, ScriptedRgs } from '../scripted-rgs';

const fault = constantFrom<Fault>(
  'none',
  'none',
  'lost',
  'replyLost',
  'late',
  'busy',
  'broken',
  'nonsense',
);
const faults = array(fault, { maxLength: 14 });

/** What the provider's own book says after a step: taken, not taken, or unknown. */
type Told = 'taken' | 'notTaken' | 'unknown';

async function told(rgs: ScriptedRgs, work: Promise<unknown>): Promise<Told> {
  try {
    await rgs.run(work);
    return 'taken';
  } catch (error) {
    const { outcome } = error as { outcome?: unknown };
    expect(['nothing', 'refused', 'unknown']).toContain(outcome);
    return outcome === 'unknown' ? 'unknown' : 'notTaken';
  }
}

/** Asks again for what is lost until it is known, as a provider's job does; nothing fails any more. */
async function settled(rgs: ScriptedRgs, round: GameRound, first: Told): Promise<Told> {
  rgs.faults = [];
  return first === 'unknown' ? told(rgs, round.recover()) : first;
}

/** Registers the invariants of S2, each over this many random histories. */
export function recoveryHistories(numRuns: number): void {
  test('a second start is never sent, and what is reported of the bet is true (S2.2, S2.6)', async () => {
    await assert(
      asyncProperty(faults, async (script) => {
        const rgs = new ScriptedRgs();
        rgs.faults = [...script];
        const opening = rgs.client().openRound({ token: 't', stake: 100, currency: 'EUR' });
        const bet = await told(rgs, opening);
        rgs.arrive();
        expect(rgs.names.filter((name) => name.startsWith('start'))).toHaveLength(1);
        expect(rgs.book.starts).toBeLessThanOrEqual(1);
        if (bet === 'taken') expect(rgs.book.only.status).toBe('open');
        if (bet === 'notTaken') expect(rgs.book.rounds.size).toBe(0);
      }),
      { numRuns },
    );
  });

  test('a win is never paid twice, and never reported as paid if it was not', async () => {
    const scenes = record({ script: faults, isPlain: boolean(), collect: boolean() });
    await assert(
      asyncProperty(scenes, async ({ script, isPlain, collect }) => {
        const rgs = new ScriptedRgs();
        rgs.book.isPlain = isPlain;
        const round = await rgs.run(
          rgs.client().openRound({ token: 't', stake: 100, currency: 'EUR' }),
        );
        rgs.faults = [...script];
        const first = await told(rgs, round.addWin({ winAmount: 250, collect }));
        const win = await settled(rgs, round, first);
        rgs.arrive();
        expect(win).toBe('taken');
        if (!collect) await rgs.run(round.end());
        expect([rgs.book.net, rgs.book.only.status]).toEqual([150, 'closed']);
      }),
      { numRuns },
    );
  });

  test('a gamble, an added bet, spins and the end count once each', async () => {
    const scenes = record({
      scripts: array(faults, { minLength: 5, maxLength: 5 }),
      isPlain: boolean(),
    });
    await assert(
      asyncProperty(scenes, async ({ scripts, isPlain }) => {
        const rgs = new ScriptedRgs();
        rgs.book.isPlain = isPlain;
        const round = await rgs.run(
          rgs.client().openRound({ token: 't', stake: 100, currency: 'EUR' }),
        );
        const steps = [
          () => round.addBet({ stake: 50 }),
          () => round.addWin({ winAmount: 80 }),
          () => round.wager({ wagerAmount: 80, winAmount: 160 }),
          () => round.spins({ counterType: 'customspin', awarded: 3 }),
          () => round.end(),
        ];
        for (const [at, step] of steps.entries()) {
          rgs.faults = [...(scripts[at] ?? [])];
          const first = await told(rgs, step());
          expect(await settled(rgs, round, first)).toBe('taken');
        }
        rgs.arrive();
        const { awarded, status } = rgs.book.only;
        expect([rgs.book.net, awarded, status]).toEqual([10, 3, 'closed']);
      }),
      { numRuns },
    );
  });

  test('a void gives the stake back once, or is refused', async () => {
    await assert(
      asyncProperty(faults, async (script) => {
        const rgs = new ScriptedRgs();
        const round = await rgs.run(
          rgs.client().openRound({ token: 't', stake: 100, currency: 'EUR' }),
        );
        rgs.faults = [...script];
        const first = await told(rgs, round.void());
        expect(await settled(rgs, round, first)).toBe('taken');
        rgs.arrive();
        expect([rgs.book.net, rgs.book.only.outcome]).toEqual([0, 'voided']);
      }),
      { numRuns },
    );
  });

  test('closing an abandoned round is idempotent, and pays what was open once', async () => {
    await assert(
      asyncProperty(array(faults, { minLength: 3, maxLength: 3 }), async (scripts) => {
        const rgs = new ScriptedRgs();
        const client = rgs.client();
        const round = await rgs.run(client.openRound({ token: 't', stake: 100, currency: 'EUR' }));
        await rgs.run(round.addWin({ winAmount: 30 }));
        for (const script of [...scripts, []]) {
          rgs.faults = [...script];
          await told(rgs, client.closeAbandoned(round.id));
        }
        rgs.arrive();
        expect([rgs.book.net, rgs.book.only.status]).toEqual([-70, 'closed']);
      }),
      { numRuns },
    );
  });
}
