import { createSeededRandom } from '../../../lib/platform';
import { virtualClock } from '../../../lib/platform/virtual-clock';
import type { AccountStore } from '../../../lib/operator/wallet';
import { type BookedRound, createGameBells } from '../../../lib/proof/demo/game-bells';
import { createSandbox, type ProviderRound } from '../../../lib/rgs/sandbox';
import { faultKinds, lineNames } from '../../../lib/rgs/sandbox/view/state';
import { createWallet, gameProviderId, noon, operatorId, studioSecret, walletSecret } from './rig';

const engineUrl = 'http://127.0.0.1:8090/gameapi/v2';
const engineCalls = [
  'startGameRound',
  'addWin',
  'endGameRound',
  'voidGameRound',
  'getGameRoundInfo',
];

/** The terms of the comparison. */
function bookedRound({ gameRound, state, stake, win }: BookedRound): ProviderRound {
  const isOver = state === 'ended';
  if (state === 'ended' || state === 'taken')
    return { gameRound, state: 'taken', stake, win, isOver };
  if (state === 'requested' || state === 'unclear')
    return { gameRound, state: 'unclear', stake, win, isOver };
  return { gameRound, state, stake, win, isOver };
}

/**
 * Plays so many rounds while every line loses, doubles, delays and garbles calls and the service is killed
 * now and then; then the faults end, two days pass, and the three books are compared. `spoil` may plant a fault in the
 * wallet's store.
 */
export async function storm(seed: number, rounds: number, spoil?: (store: AccountStore) => void) {
  const clock = virtualClock({ startedAt: noon, turns: 12 });
  const chance = createSeededRandom(seed);
  const game = createGameBells({
    engineUrl,
    gameProviderId,
    secret: studioSecret,
    clock,
    random: createSeededRandom(seed + 1),
    fetch: (url, init) => sandbox.fetch(url, init),
  });
  const sandbox = await createSandbox({
    operators: [
      { operatorId, secrets: [walletSecret], wallet: await createWallet(clock, '10000000', spoil) },
    ],
    providers: [
      {
        gameProviderId,
        secrets: [studioSecret],
        router: (request, response) => {
          request.url = `/rgs${request.url}`;
          game.listener(request, response);
        },
        games: [{ gameCode: 'game-bells', name: 'Bells', launchUrl: 'https://game.example/' }],
        book: () => game.rounds().map(bookedRound),
      },
    ],
    clock,
    random: createSeededRandom(seed + 2),
    seed,
  });
  const connect = async (): Promise<string> => {
    const url = await sandbox.launch({ playerId: 'ann', gameCode: 'game-bells', currency: 'EUR' });
    const { searchParams } = new URL(url);
    const reply = await sandbox.fetch(
      `${searchParams.get('login')}?token=${searchParams.get('token')}`,
    );
    return ((await reply.json()) as { token: string }).token;
  };
  const setFaults = (): void => {
    for (const line of lineNames) {
      for (const kind of faultKinds) {
        const probability = 0.04;
        if (line !== 'provider-rgs') sandbox.faults.set({ line, kind, probability });
        else for (const call of engineCalls) sandbox.faults.set({ line, call, kind, probability });
      }
    }
  };
  const play = async (): Promise<void> => {
    let token = await connect();
    let faults = 0;
    for (let n = 0; n < rounds; n++) {
      setFaults();
      await game.spins.play({ token, stake: 100n, currency: 'EUR' }).catch(() => null);
      faults += sandbox.faults.list().reduce((sum, { hits }) => sum + hits, 0);
      sandbox.faults.clear();
      if (chance.next() < 0.05) {
        kills += 1;
        await sandbox.kill();
      }
      const open = sandbox.rounds().find(({ state }) => state === 'open');
      if (open !== undefined) await game.spins.closeAbandoned(open.gameRound).catch(() => null);
      if (open !== undefined || chance.next() < 0.1) token = await connect();
    }
    hits = faults;
    await sandbox.clock.advance(25 * 3_600_000);
    await sandbox.clock.advance(25 * 3_600_000);
  };
  let [hits, kills] = [0, 0];
  await clock.run(play());
  const books = await clock.run(sandbox.books());
  const state = sandbox.state();
  await clock.run(sandbox.close());
  return { books, state, hits, kills, findings: sandbox.findings() };
}
