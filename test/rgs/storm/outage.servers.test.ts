import { createHash } from 'node:crypto';

import { expect, test } from '@jest/globals';

import { redisStore } from './on-stores';
import type { Player } from './parties/player';
import { close, type Entry, undo } from './parties/studio-book';
import { type Scene, setScene, untilQuiet } from './scene';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const hour = 3_600_000;
/** No machine is so slow that a wallet that is there seems silent. */
const options = { seed: 1, players: 8, walletTimeoutMs: 60_000, attemptTimeoutMs: 60_000 };

/** A round that was opened while the wallet was there, and is left open. */
async function opened({ studio }: Scene, { playerId, seat }: Player): Promise<Entry> {
  const id = createHash('sha256').update(playerId).digest('hex').slice(0, 32);
  const entry = studio.book.asked(id, playerId);
  await studio.rgs.openRound({ token: await seat.token(), id, stake: 100, currency: 'EUR' });
  entry.state = 'open';
  entry.stake = 100n;
  return entry;
}

/** What the games do while nobody listens at the wallet: wins, ends, voids, added bets, and new rounds. */
async function playOn({ studio }: Scene, { seat }: Player, entry: Entry, nth: number) {
  const { rgs } = studio;
  const { gameRound } = entry;
  const on = { token: await seat.token(), gameRound };
  const win = async (winAmount: bigint): Promise<void> => {
    await rgs.addWin({ ...on, rngResult: { rngCallId: 'r1', winAmount }, collect: true });
    entry.open += winAmount;
    close(entry);
  };
  switch (nth % 4) {
    case 0:
      await win(250n);
      break;
    case 1:
      await rgs.endGameRound(on);
      close(entry);
      break;
    case 2:
      await rgs.voidGameRound(on);
      undo(entry);
      break;
    default: {
      const debitInformation = { debitAmount: 50, currency: 'EUR' };
      const bet = rgs.startGameOrAddBet({
        token: on.token,
        rngResult: {},
        debitInformation: { ...debitInformation, externalGameProviderTransactionId: 'b2' },
        endGame: false,
        externalGameProviderRoundId: gameRound,
      });
      await expect(bet).rejects.toMatchObject({ id: 9100 });
      await win(80n);
    }
  }
  const another = rgs.openRound({ token: on.token, stake: 100, currency: 'EUR' });
  await expect(another).rejects.toMatchObject({ id: 9100 });
}

/** A scene in which the wallet goes away while every player has a round open. */
async function outage(): Promise<{ readonly scene: Scene; readonly entries: readonly Entry[] }> {
  const scene = await setScene(await redisStore(cleanup), options, cleanup);
  const entries: Entry[] = [];
  for (const player of scene.players) entries.push(await opened(scene, player));
  await scene.stopWallet();
  return { scene, entries };
}

/** The rounds with something due. */
async function dueRounds({ api }: Scene): Promise<ReadonlySet<string>> {
  return new Set((await api.state()).due.map(({ gameRound }) => gameRound));
}

test('after an outage of two hours the wallet has all that was due, in order, and the books are equal (W3, W4, W5, E16.3)', async () => {
  const { scene, entries } = await outage();
  const { api, players } = scene;
  for (const [nth, player] of players.entries()) {
    await playOn(scene, player, entries[nth] as Entry, nth);
  }
  for (const hours of [1, 2]) {
    await api.advance(hour);
    await untilQuiet(scene);
    // A credit, an end or a void of each round, and the void of each bet that nobody answered.
    expect({ hours, due: (await dueRounds(scene)).size }).toEqual({
      hours,
      due: 2 * players.length,
    });
  }
  const meanwhile = await api.books();
  expect(meanwhile.differences).toEqual([]);
  expect(meanwhile.doubts.length).toBeGreaterThan(0);

  await scene.startWallet();
  await api.advance(hour);
  await untilQuiet(scene);
  expect([...(await dueRounds(scene))]).toEqual([]);
  expect(await scene.problems()).toEqual([]);
});

test('past the maximum age nothing is sent, closed or dropped until a person says so (E16.2)', async () => {
  const { scene, entries } = await outage();
  const { api, players } = scene;
  const [left, ...others] = entries as [Entry, ...Entry[]];
  await api.setFault({ line: 'rgs-provider', kind: '503', call: 'doAutoClose', probability: 1 });
  for (const [at, entry] of others.entries()) {
    await playOn(scene, players[at + 1] as Player, entry, at);
  }
  for (let days = 1; days <= 8; days++) await api.advance(24 * hour);
  await scene.startWallet();
  await api.advance(24 * hour);
  await untilQuiet(scene);

  const due = await dueRounds(scene);
  expect(due.size).toBe(2 * others.length);
  const { attention } = await api.state();
  expect(new Set(attention.map(({ gameRound }) => gameRound))).toEqual(
    new Set([...due, left.gameRound]),
  );

  const [lost] = others as [Entry];
  await api.resolve(left.gameRound, 'close');
  close(left);
  await api.resolve(lost.gameRound, 'giveUp');
  for (const gameRound of due) {
    if (gameRound !== lost.gameRound) await api.resolve(gameRound, 'resend');
  }
  await untilQuiet(scene);
  expect([...(await dueRounds(scene))]).toEqual([]);
  const round = scene.sandbox.rounds().find(({ gameRound }) => gameRound === lost.gameRound);
  expect(round?.undelivered).toMatchObject([{ type: 'credit', amount: 250n }, { type: 'end' }]);
  // The one amount that was given up is what the purse lacks.
  expect(await scene.problems()).toEqual([
    `${lost.playerId} has 9999000000, by the studio 10001500000`,
  ]);
});
