import { expect, test } from '@jest/globals';

import { createMemoryJournal } from '../../../lib/rgs/journal/memory';
import { Rig } from './rig';

const hour = 3_600_000;

test('B5.1: one debit, and its win is collected with the end', async () => {
  const { rig, token } = await Rig.seated();
  expect(await rig.told(rig.start(token, 'R', 100))).toBe(
    'open (open), stake 100, open 0, credited 0',
  );
  expect(await rig.told(rig.win(token, 'R', 250, true))).toBe(
    'closed (closed), stake 100, open 0, credited 250',
  );
  expect(rig.purse.sent).toEqual(['debit 100 first', 'credit 250, end']);
  expect(rig.purse.balance).toBe(1_150n);
});

test('B5.2: a declined debit is answered with the error of the operator, again for the same id, and 15 to a query (E7.6)', async () => {
  const { rig, token } = await Rig.seated();
  rig.purse.faults = ['decline'];
  expect(await rig.told(rig.start(token, 'R', 5_000))).toBe('400/9001');
  expect(await rig.told(rig.info(token, 'R'))).toBe('400/15');
  expect(await rig.told(rig.start(token, 'R', 5_000))).toBe('400/9001');
  expect(rig.purse.sent).toEqual(['debit 5000 first']);
});

test('B5.3: a silent wallet on the first debit: a void, 9100, and the player may start anew (W2)', async () => {
  const { rig, token } = await Rig.seated();
  rig.purse.faults = ['lostReply'];
  expect(await rig.told(rig.start(token, 'R', 100))).toBe('400/9100');
  expect(await rig.told(rig.info(token, 'R'))).toBe('400/15');
  expect(rig.purse.sent).toEqual(['debit 100 first', 'void 100']);
  expect(rig.purse.balance).toBe(1_000n);
  expect(await rig.told(rig.start(token, 'R2', 100))).toBe(
    'open (open), stake 100, open 0, credited 0',
  );
});

test('B5.4: a pending credit is sent six times, then at the next launch of the game (W3, O 3 rule 7)', async () => {
  const { rig, token } = await Rig.seated();
  await rig.run(rig.start(token, 'R', 100));
  await rig.run(rig.win(token, 'R', 250));
  rig.purse.always = () => 'pending';
  rig.purse.sent.length = 0;
  expect(await rig.told(rig.end(token, 'R'))).toBe(
    'closed (closed), stake 100, open 0, credited 0, pending 250',
  );
  expect(rig.purse.sent).toEqual(Array(6).fill('credit 250, end'));
  rig.purse.always = () => null;
  const { afterReply } = await rig.launch();
  expect(rig.purse.sent).toHaveLength(6);
  afterReply();
  await rig.run(rig.service.idle());
  expect(rig.purse.sent).toHaveLength(7);
  expect(new Set(rig.purse.hashes.slice(1).map(String)).size).toBe(1);
  expect(rig.purse.balance).toBe(1_150n);
});

test('B5.5: no credit passes the void of a silent added bet; the janitor sends both in order (W5)', async () => {
  const { rig, token } = await Rig.seated();
  await rig.run(rig.bet(token, 'R', 'b1', 100));
  rig.purse.always = () => 'lost';
  rig.purse.sent.length = 0;
  expect(await rig.told(rig.bet(token, 'R', 'b2', 50))).toBe('400/9100');
  expect(rig.purse.sent).toEqual(['debit 50', ...Array(6).fill('void 50')]);
  expect(await rig.told(rig.info(token, 'R'))).toBe('open (open), stake 100, open 0, credited 0');
  expect(await rig.told(rig.win(token, 'R', 300, true))).toBe(
    'closed (closed), stake 100, open 0, credited 0, pending 300',
  );
  expect(rig.purse.sent).toHaveLength(7);
  rig.purse.always = () => null;
  rig.purse.sent.length = 0;
  await rig.run(rig.service.runJanitor());
  expect(rig.purse.sent).toEqual(['void 50', 'credit 300, end']);
  expect(rig.purse.balance).toBe(1_200n);
});

test('B5.6: a gamble stays between the game and the service; the wallet sees a debit and an end (E10.4)', async () => {
  const { rig, token } = await Rig.seated();
  await rig.run(rig.start(token, 'R', 100));
  expect(await rig.told(rig.win(token, 'R', 100))).toContain('open 100');
  expect(await rig.told(rig.wager(token, 'R', 100, 200))).toContain('open 200');
  expect(await rig.told(rig.wager(token, 'R', 200, 0))).toContain('open 0');
  expect(await rig.told(rig.end(token, 'R'))).toBe(
    'closed (closed), stake 100, open 0, credited 0',
  );
  expect(rig.purse.sent).toEqual(['debit 100 first', 'end']);
});

test('B5.7: an abandoned round is closed by its provider, with a token of the janitor (E16.1, E5.6)', async () => {
  const rig = await Rig.start();
  const old = await rig.token();
  await rig.run(rig.start(old, 'R', 100));
  await rig.run(rig.win(old, 'R', 40));
  const asked: string[] = [];
  rig.onAutoClose = async (gameRound) => {
    asked.push(gameRound);
    // The first time nothing happens: a reply is no proof.
    if (asked.length === 1) return;
    const { tokenData } = await rig.call('getTokenForGameRound', { gameRound });
    const { amountToCollect } = await rig.info(tokenData.currentToken, gameRound);
    expect(amountToCollect).toBe(40n);
    await rig.win(tokenData.currentToken, gameRound, 10);
    await rig.end(tokenData.currentToken, gameRound);
  };
  await rig.clock.pass(24 * hour - 1);
  expect(asked).toEqual([]);
  await rig.clock.pass(hour);
  expect(asked).toEqual(['R']);
  await rig.clock.pass(hour);
  expect(asked).toEqual(['R', 'R']);
  expect(rig.purse.sent).toEqual(['debit 100 first', 'credit 50, end']);
  await rig.clock.pass(5 * hour);
  expect(asked).toHaveLength(2);
  expect(await rig.told(rig.info(old, 'R'))).toBe('400/1008');
});

test('B5.8: a void is 200 once it is durable and tried, then 13; after a credit it is 26 (E13)', async () => {
  const { rig, token } = await Rig.seated();
  await rig.run(rig.start(token, 'R', 100));
  rig.purse.sent.length = 0;
  expect(await rig.told(rig.void(token, 'R'))).toBe('closed (voided), stake 0, open 0, credited 0');
  expect(await rig.told(rig.void(token, 'R'))).toBe('400/13');
  expect(rig.purse.sent).toEqual(['void 100']);

  await rig.run(rig.start(token, 'R2', 100, { credit: 30 }));
  expect(await rig.told(rig.void(token, 'R2'))).toBe('400/26');
  expect(await rig.told(rig.end(token, 'R2'))).toContain('credited 30');

  await rig.run(rig.start(token, 'R3', 100));
  await rig.run(rig.win(token, 'R3', 30));
  rig.purse.always = () => 'lostReply';
  expect(await rig.told(rig.collect(token, 'R3', 30))).toContain('pending 30');
  expect(await rig.told(rig.void(token, 'R3'))).toBe('400/26');
});

test('B5.9: the service is killed between debit and reply; it starts again and voids the debit (B4)', async () => {
  const journal = createMemoryJournal();
  const { rig, token } = await Rig.seated({ journal });
  rig.purse.always = () => 'slow';
  const lost = rig.start(token, 'R', 100);
  lost.catch(() => {});
  await rig.clock.pass(100);
  expect(rig.purse.balance).toBe(900n);
  rig.purse.always = () => null;
  await rig.restart(journal.reopen());
  await rig.run(rig.service.idle());
  expect(rig.purse.sent).toEqual(['debit 100 first', 'void 100']);
  expect(rig.purse.balance).toBe(1_000n);
  expect(await rig.told(rig.info(token, 'R'))).toBe('400/15');
  expect(await rig.told(rig.start(token, 'R', 100))).toBe('400/9100');
});
