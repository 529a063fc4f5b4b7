import { expect, test } from '@jest/globals';
import { EngineRefusedError } from '../../../lib/protocol/engine-api/errors';
import { createMemoryJournal } from '../../../lib/rgs/journal/memory';
import { apply } from '../../../lib/rgs/rounds/apply';
import { applyAnswer } from '../../../lib/rgs/rounds/delivery';
import { Rig } from './rig';

const hour = 3_600_000;
const day = 24 * hour;

/** A start of the game `dice`, which is of another provider than `bells`. */
function startDice(rig: Rig, token: string, gameRound: string) {
  const request = {
    call: 'startGameRound',
    token,
    rngResult: { rngCallId: null, result: null, winAmount: null, betData: {} },
    debitInformation: {
      debitAmount: 100n,
      currency: 'EUR',
      externalGameProviderTransactionId: null,
      useTicket: false,
    },
    creditInformation: null,
    endGame: false,
    closeOpenGame: false,
    useJackpot: false,
    externalGameProviderRoundId: gameRound,
  } as const;
  return rig.call('startGameRound', request, 'other');
}

test('E15.1: a round id that another provider used for the player is 37 and sends nothing, for the wallet would take its debit as a repeat and move no money', async () => {
  const rig = await Rig.start();
  const bells = await rig.token('ann', 'bells');
  await rig.run(rig.start(bells, 'R', 100, { endGame: true }));
  const dice = await rig.token('ann', 'dice');
  expect(await rig.told(startDice(rig, dice, 'R'))).toBe('400/37');
  expect(rig.purse.sent).toEqual([]);
  // A demo round is not known to any wallet, and another player's round has its own hashes there.
  const demo = await rig.token('ann', 'dice', 'DEMO');
  expect(await rig.told(startDice(rig, demo, 'R'))).toContain('open (open)');
  expect(await rig.told(startDice(rig, dice, 'R2'))).toContain('open (open)');
});

test('E13.1, E19.1: the void of a DEMO round gives back its added bets too', async () => {
  const rig = await Rig.start();
  const token = await rig.token('ann', 'bells', 'DEMO');
  await rig.run(rig.bet(token, 'R', 'b1', 100));
  await rig.run(rig.bet(token, 'R', 'b2', 50));
  expect(await rig.told(rig.void(token, 'R'))).toContain('closed (voided)');
  const { totalBalance } = await rig.run(rig.call('getBalance', { token }));
  expect(totalBalance).toBe(100_000n);
});

test('E13.2: a credit that a person gave up may have been processed, so a void is still 26', async () => {
  const { rig, token } = await Rig.seated();
  await rig.run(rig.start(token, 'R', 100));
  await rig.run(rig.win(token, 'R', 250));
  rig.purse.always = () => 'lostReply';
  await rig.run(rig.collect(token, 'R', 250));
  await rig.run(rig.service.resolve('studio', 'R', 'giveUp'));
  rig.purse.always = () => null;
  expect(await rig.told(rig.void(token, 'R'))).toBe('400/26');
  expect(rig.purse.balance).toBe(1_150n);
});

test('E16.2: a credit whose answer comes after a person gave it up is paid, and not listed as undelivered', async () => {
  const { rig, token } = await Rig.seated();
  await rig.run(rig.start(token, 'R', 100));
  await rig.run(rig.win(token, 'R', 250));
  rig.purse.always = () => 'pending';
  await rig.run(rig.end(token, 'R'));
  const round = rig.service.round('studio', 'R');
  if (round === null) throw new Error('the round is not known');
  const sent = round.queue;
  const given = apply(round, { type: 'givenUp', at: 1 });
  expect(given.undelivered.map(({ type }) => type)).toEqual(['credit', 'end']);
  const hashesProcessed = sent.map(({ hash }) => ({ hash, error: null }));
  const body = { hashesProcessed, error: null };
  const heard = applyAnswer(given, sent, { kind: 'reply', status: 200, body }, 2);
  expect(heard.round.credits.map(({ state }) => state)).toEqual(['paid']);
  expect(heard.round.undelivered.map(({ type }) => type)).toEqual(['end']);
});

test('E2.7: the token of another provider is answered as an unknown one, word by word', async () => {
  const rig = await Rig.start();
  const token = await rig.token('ann', 'bells');
  const answers = [token, 'unknown'].map(async (one) =>
    rig.call('getTokenData', { token: one }, 'other').catch((error: unknown) => error),
  );
  const [others, unknown] = await Promise.all(answers);
  expect(others).toBeInstanceOf(EngineRefusedError);
  expect(others).toEqual(unknown);
  expect((others as EngineRefusedError).errorObject).toEqual(
    (unknown as EngineRefusedError).errorObject,
  );
});

test('E19.1: after a day nothing is left of a player of DEMO, not even an open round; a person is not asked about it', async () => {
  const journal = createMemoryJournal();
  const rig = await Rig.start({ journal });
  const open = await rig.token(null, 'bells', 'DEMO');
  await rig.run(rig.start(open, 'open', 100));
  const closed = await rig.token(null, 'bells', 'DEMO');
  await rig.run(rig.start(closed, 'closed', 100, { endGame: true }));
  const real = await rig.token('ann', 'bells');
  await rig.run(rig.start(real, 'real', 100));
  expect(rig.service.view().roundCount).toBe(3);
  await rig.clock.pass(day - hour);
  expect(rig.service.view().roundCount).toBe(3);
  await rig.clock.pass(2 * hour);
  expect([...rig.service.view().rounds].map(({ gameRound }) => gameRound)).toEqual(['real']);
  await rig.clock.pass(8 * day);
  expect(rig.service.view().attention.map(({ gameRound }) => gameRound)).toEqual(['real']);
});

test.each([1001, 1008, 15, 9110, null])(
  'E3, E5.2: the id %p of an operator that refuses getBalance would say what is not so, and becomes 9100',
  async (id) => {
    const { rig, token } = await Rig.seated();
    rig.purse.getBalance = async () => ({ kind: 'refused', error: { id, clientmsg: null } });
    expect(await rig.failure(rig.call('getBalance', { token }))).toBe('400/9100');
    const { url } = await rig.launch();
    expect(await rig.failure(rig.service.connect(Rig.tokenIn(url)))).toBe('400/9100');
  },
);
