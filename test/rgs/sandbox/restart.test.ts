import { describe, expect, test } from '@jest/globals';

import { createMemoryJournal, createSandbox, type ProviderRound } from '../../../lib/rgs/sandbox';
import { gameProviderId, rig, studioSecret } from './rig';

const day = 24 * 3_600_000;
const opening = { stake: 100, currency: 'EUR' };

/** A sandbox with one round, which dies with the lines cut; another one starts from its journal. */
async function restarted(finish: 'bet lost' | 'win pending' | 'left open') {
  const journal = createMemoryJournal();
  const first = await rig({ journal });
  const { clock, run, sandbox, settings, game, connect } = first;
  await run(game.openRound({ token: await run(connect()), ...opening }).then((one) => one.end()));
  const token = await run(connect());
  if (finish === 'bet lost') sandbox.faults.set({ line: 'rgs-wallet', kind: 'loseReply', next: 9 });
  const round = await run(game.openRound({ token, ...opening }).catch(() => null));
  if (finish === 'win pending') {
    sandbox.faults.set({ line: 'rgs-wallet', kind: 'loseRequest', probability: 1 });
    await run(Promise.resolve(round?.addWin({ winAmount: 250, collect: true })));
  }
  const again = await createSandbox({ ...settings, journal: journal.reopen() });
  await run(again.idle());
  return { clock, run, again };
}

test.each([
  ['a void is due', 'bet lost', '9900', 'cancelled'],
  ['a credit is due', 'win pending', '10050', 'closed'],
  ['a round is open', 'left open', '9800', 'open'],
] as const)(
  'a sandbox that starts from its journal while %s accuses no right wallet (B3, B4)',
  async (_, finish, wallet, state) => {
    const { run, again } = await restarted(finish);
    await run(again.runJanitor());
    expect(again.rounds().map((round) => round.state)).toEqual(['closed', state]);
    await run(again.resolve(again.rounds()[1]?.gameRound ?? '', 'resend'));
    const books = await run(again.books());
    expect(books).toMatchObject({ agree: true, differences: [], doubts: [] });
    for (const player of books.players) {
      expect(player).toMatchObject({ start: '10000', wallet, verdict: 'agree' });
    }
  },
);

test('a round from before the start that is closed after it is in the books (B3, B4)', async () => {
  const { run, again } = await restarted('left open');
  await run(again.resolve(again.rounds()[1]?.gameRound ?? '', 'close'));
  expect(again.rounds().map(({ state }) => state)).toEqual(['closed', 'closed']);
  expect(await run(again.books())).toMatchObject({ agree: true, doubts: [] });
});

/** A sandbox that plays rounds; its provider keeps them all in its own book. */
async function booked() {
  const journal = createMemoryJournal();
  const taken: ProviderRound[] = [];
  const all = await rig({
    journal,
    providers: [
      {
        gameProviderId,
        secrets: [studioSecret],
        router: (_, response) => void response.writeHead(404).end(),
        games: [{ gameCode: 'bells', name: 'Bells', launchUrl: 'https://game.example/' }],
        book: () => taken,
      },
    ],
  });
  const { run, sandbox, settings, game, connect } = all;
  const play = async (mode: 'REAL' | 'DEMO' = 'REAL'): Promise<void> => {
    const round = await run(game.openRound({ token: await run(connect(mode)), ...opening }));
    await run(round.end());
    taken.push({ gameRound: round.id, state: 'taken', stake: 100n, win: 0n, isOver: true });
  };
  const expectBooks = async (start: string, wallet: string, of = sandbox): Promise<void> => {
    const books = await run(of.books());
    expect(books).toMatchObject({ agree: true, differences: [], doubts: [] });
    expect(books.players).toMatchObject([{ start, wallet, verdict: 'agree' }]);
  };
  const again = () => createSandbox({ ...settings, journal: journal.reopen() });
  return { run, sandbox, play, expectBooks, again };
}

describe('the books of a sandbox that has run for long (B3)', () => {
  test('a round of DEMO before the first of REAL does not count at the wallet, now and when it is forgotten (E19.1)', async () => {
    const { run, sandbox, play, expectBooks } = await booked();
    await play('DEMO');
    await play();
    await expectBooks('10000', '9900');
    await run(sandbox.clock.advance(2 * day));
    await expectBooks('10000', '9900');
  });

  test('what forgotten rounds have moved is part of the start, also after a kill and a restart (B4)', async () => {
    const { run, sandbox, play, expectBooks, again } = await booked();
    await play();
    await run(sandbox.clock.advance(40 * day));
    expect(sandbox.rounds()).toEqual([]);
    await expectBooks('9900', '9900');
    const other = await again();
    expect(await run(other.books())).toMatchObject({ agree: true, doubts: [], players: [] });
    await run(sandbox.kill());
    await play();
    await expectBooks('9900', '9800');
  });
});

/** A round whose end no wallet has got, and a wallet that is silent. */
async function waiting() {
  const one = await rig();
  const { run, sandbox, game, connect } = one;
  const token = await run(connect());
  const round = await run(game.openRound({ token, ...opening }));
  sandbox.faults.set({ line: 'rgs-wallet', kind: 'loseRequest', probability: 1 });
  await run(round.end());
  return { ...one, gameRound: round.id };
}

describe('what waits for the service when it is killed (B4)', () => {
  test('ends with an error: the janitor, and a decision of a person', async () => {
    const { clock, run, sandbox, gameRound } = await waiting();
    const works = [() => sandbox.runJanitor(), () => sandbox.resolve(gameRound, 'resend')];
    for (const work of works) {
      const outcome = work().then(
        () => 'done',
        ({ message }: Error) => message,
      );
      await run(clock.pause(1));
      await run(sandbox.kill());
      expect(await run(outcome)).toBe('the service is dead, and starts again');
    }
  });

  test('does not hold an advance of the clock', async () => {
    const { clock, run, sandbox } = await waiting();
    const advance = sandbox.clock.advance(day);
    await run(clock.pause(1));
    sandbox.faults.clear();
    await run(sandbox.kill());
    const before = clock.now();
    await run(advance);
    expect(clock.now() - before).toBeLessThan(60_000);
  });
});
