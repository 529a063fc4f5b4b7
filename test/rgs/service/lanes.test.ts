import { describe, expect, test } from '@jest/globals';

import type { EngineRefusedError } from '../../../lib/protocol/engine-api/errors';
import { createMemoryJournal } from '../../../lib/rgs/journal/memory';
import { noon, Rig } from './rig';

/** When the call was answered, in milliseconds from now, and how. */
async function timed(rig: Rig, call: Promise<unknown>): Promise<string> {
  const from = rig.clock.now();
  const told = await rig.failure(call);
  return `${rig.clock.now() - from} ms: ${told}`;
}

describe('E15.3: the calls of a player are processed one after the other', () => {
  test('a query waits for the start before it, and sees its outcome', async () => {
    const { rig, token } = await Rig.seated();
    const started = rig.start(token, 'R', 100);
    const info = rig.info(token, 'R');
    expect(await rig.told(info)).toContain('open (open)');
    await rig.run(started);
  });

  test('a call whose turn does not come within replyWithinMs is 503/9110, and does nothing', async () => {
    const { rig, token } = await Rig.seated();
    rig.purse.always = () => 'slow';
    const from = rig.clock.now();
    const answers: string[] = [];
    for (const gameRound of ['R', 'S', 'T']) {
      const call = rig.start(token, gameRound, 100);
      call.catch(({ status, errorObject: { id } }: EngineRefusedError) => {
        answers.push(`${gameRound} ${rig.clock.now() - from} ms: ${status}/${id}`);
      });
    }
    await rig.clock.pass(20_000);
    expect(answers).toEqual(['R 7500 ms: 400/9100', 'T 8000 ms: 503/9110', 'S 15000 ms: 400/9100']);
    expect(rig.service.round('studio', 'T')).toBeNull();
  });

  test('another player does not wait, nor do player data, settings, draws and ping', async () => {
    const rig = await Rig.start();
    const [ann, ben] = [await rig.token('ann'), await rig.token('ben')];
    rig.purse.faults = ['slow'];
    const slow = rig.start(ann, 'R', 100);
    slow.catch(() => {});
    await rig.clock.pass(10);
    expect(await timed(rig, rig.call('getTokenData', { token: ann }))).toBe('0 ms: no failure');
    const draw = { token: ann, rngEndPoint: 'getIntegers', count: 1, min: 1, max: 6 } as const;
    expect(await timed(rig, rig.call('getRandomResult', draw))).toBe('0 ms: no failure');
    const filter = { token: ann, currency: '', stake: 0n };
    expect(await timed(rig, rig.call('getPlayerData', filter))).toBe('0 ms: no failure');
    const asked = { game: 'bells', operator: 'casino', currency: 'EUR' };
    expect(await timed(rig, rig.call('getOperatorSettings', asked))).toBe('0 ms: no failure');
    expect(await timed(rig, rig.call('testPing', { testData: '1' }))).toBe('0 ms: no failure');
    expect(await timed(rig, rig.start(ben, 'S', 100))).toBe('1 ms: no failure');
  });

  test('a credit that is not answered holds no call longer than replyWithinMs; it continues in the background', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100));
    rig.purse.always = () => 'slow';
    expect(await timed(rig, rig.win(token, 'R', 50, true))).toBe('7500 ms: no failure');
    expect(rig.purse.sent.slice(1)).toEqual(['credit 50, end', 'credit 50, end']);
    expect(await timed(rig, rig.info(token, 'R'))).toBe('0 ms: no failure');
    await rig.run(rig.service.idle());
    expect(rig.purse.sent.slice(1)).toHaveLength(6);
  });

  test('a debit without an answer by then counts as unanswered: its void is due, a late yes is ignored (W2)', async () => {
    const { rig, token } = await Rig.seated({ replyWithinMs: 4_000 });
    rig.purse.faults = ['slow'];
    expect(await timed(rig, rig.start(token, 'R', 100))).toBe('3500 ms: 400/9100');
    await rig.run(rig.service.idle());
    expect(rig.purse.sent).toEqual(['debit 100 first', 'void 100']);
    expect(await rig.told(rig.info(token, 'R'))).toBe('400/15');
    expect(rig.purse.balance).toBe(1_000n);
  });

  test('an added bet that waits for a void in the background takes none of its attempts (E8.4, W4)', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.bet(token, 'R', 'b1', 100));
    rig.purse.sent.length = 0;
    rig.purse.always = () => 'slow';
    expect(await rig.failure(rig.bet(token, 'R', 'b2', 50))).toBe('400/9100');
    expect(await timed(rig, rig.bet(token, 'R', 'b3', 25))).toBe('3750 ms: 503/9110');
    await rig.run(rig.service.idle());
    expect(rig.purse.sent).toEqual(['debit 50', ...Array<string>(6).fill('void 50')]);
  });

  test('so it is where the janitor runs meanwhile: it sends once itself, and cuts short nobody (W3, E16.3)', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100));
    rig.purse.sent.length = 0;
    rig.purse.always = () => 'slow';
    await rig.run(rig.win(token, 'R', 50, true));
    await rig.run(rig.service.runJanitor());
    await rig.run(rig.service.idle());
    expect(rig.purse.sent).toEqual(Array<string>(6).fill('credit 50, end'));
    await rig.run(rig.service.runJanitor());
    expect(rig.purse.sent).toHaveLength(7);
  });

  test('the old round that closeOpenGame ends leaves half of the time to the new debit (B2)', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100));
    await rig.run(rig.win(token, 'R', 30));
    rig.purse.faults = ['slow'];
    expect(await timed(rig, rig.start(token, 'S', 50, { closeOpenGame: true }))).toBe(
      '3751 ms: no failure',
    );
    await rig.run(rig.service.idle());
    expect(rig.purse.balance).toBe(1_000n - 100n + 30n - 50n);
  });

  test('a journal that hangs is a 500, and the lane stays taken until it is done (B4)', async () => {
    const inner = createMemoryJournal();
    let delayMs = 0;
    const { rig, token } = await Rig.seated({
      journal: {
        ...bound(inner),
        append: async (events) => {
          if (delayMs > 0) await rig.clock.pause(delayMs);
          return inner.append(events);
        },
      },
    });
    delayMs = 20_000;
    expect(await timed(rig, rig.start(token, 'R', 100))).toBe('8000 ms: 500/9000');
    expect(await timed(rig, rig.info(token, 'R'))).toBe('8000 ms: 503/9110');
    expect(rig.clock.now()).toBeGreaterThan(noon);
  });
});

test('E15.1: two players that start with one id at one moment: the second is 37', async () => {
  const rig = await Rig.start();
  const [ann, ben] = [await rig.token('ann'), await rig.token('ben')];
  const calls = [rig.told(rig.start(ann, 'R', 100)), rig.told(rig.start(ben, 'R', 100))];
  expect(await Promise.all(calls)).toEqual([
    'open (open), stake 100, open 0, credited 0',
    '400/37',
  ]);
  expect(await rig.told(rig.start(ben, 'R', 100))).toBe('400/37');
});

function bound(journal: ReturnType<typeof createMemoryJournal>) {
  return {
    replay: () => journal.replay(),
    compact: (snapshot: Parameters<typeof journal.compact>[0]) => journal.compact(snapshot),
    needsCompaction: () => journal.needsCompaction(),
    close: () => journal.close(),
  };
}
