import { describe, expect, test } from '@jest/globals';

import { createMemoryJournal } from '../../../lib/rgs/journal/memory';
import type { Journal } from '../../../lib/rgs/journal/port';
import { roundsOf } from './books';
import { noon, Rig } from './rig';

const hour = 3_600_000;
const day = 24 * hour;

describe('E16.3: the janitor', () => {
  test('each hour sends what is due, voids before credits before ends, each queue in order', async () => {
    const rig = await Rig.start();
    const players = ['ann', 'ben', 'cid'];
    const [ann = '', ben = '', cid = ''] = await Promise.all(
      players.map((name) => rig.token(name)),
    );
    await rig.run(rig.start(ann, 'A', 10));
    await rig.run(rig.start(ben, 'B', 20));
    rig.purse.always = () => 'lost';
    await rig.run(rig.end(ann, 'A'));
    await rig.run(rig.win(ben, 'B', 5, true));
    await rig.failure(rig.start(cid, 'C', 30));
    await rig.run(rig.service.idle());
    rig.purse.sent.length = 0;
    await rig.clock.pass(hour);
    expect(rig.purse.sent).toEqual(['void 30', 'credit 5, end', 'end']);
    rig.purse.always = () => null;
    await rig.clock.pass(hour);
    expect(rig.purse.sent.slice(3)).toEqual(['void 30', 'credit 5, end', 'end']);
    await rig.clock.pass(3 * hour);
    expect(rig.purse.sent).toHaveLength(6);
  });

  test('an open round is asked for once nobody called for 24 hours; a query counts as a call (E16.1)', async () => {
    const { rig, token } = await Rig.seated({
      sessionTimes: { sessionIdleMs: 30 * day, sessionTtlMs: 30 * day },
    });
    let asked = 0;
    rig.onAutoClose = async () => void (asked += 1);
    await rig.run(rig.start(token, 'R', 10));
    await rig.clock.pass(23 * hour);
    await rig.run(rig.info(token, 'R'));
    await rig.clock.pass(23 * hour);
    expect(asked).toBe(0);
    await rig.clock.pass(3 * hour);
    expect(asked).toBe(2);
  });

  test("calls under the janitor's token restart nothing: a provider that asks its two questions and dies is asked again an hour later; a player's call puts it off for 24 hours (E16.1)", async () => {
    const rig = await Rig.start();
    await rig.run(rig.start(await rig.token(), 'R', 10));
    const asked: number[] = [];
    rig.onAutoClose = async (gameRound) => {
      asked.push(Math.floor((rig.clock.now() - noon) / hour));
      const { tokenData } = await rig.call('getTokenForGameRound', { gameRound });
      await rig.info(tokenData.currentToken, gameRound);
      await rig.win(tokenData.currentToken, gameRound, 5);
    };
    await rig.clock.pass(26.5 * hour);
    await rig.run(rig.info(await rig.token(), 'R'));
    await rig.clock.pass(25 * hour);
    expect(asked).toEqual([24, 25, 26, 51]);
  });

  test("a win under a janitor's token that was fetched without being asked does not put it off either (E16.1)", async () => {
    const rig = await Rig.start();
    await rig.run(rig.start(await rig.token(), 'R', 10));
    let asked = 0;
    rig.onAutoClose = async () => void (asked += 1);
    await rig.clock.pass(12 * hour);
    const { tokenData } = await rig.run(rig.call('getTokenForGameRound', { gameRound: 'R' }));
    await rig.run(rig.win(tokenData.currentToken, 'R', 5));
    await rig.clock.pass(13 * hour);
    expect(asked).toBe(2);
  });

  test('it is asked for each hour also where the queues before it take their time (E16.1)', async () => {
    const rig = await Rig.start();
    const [ann, ben] = [await rig.token('ann'), await rig.token('ben')];
    await rig.run(rig.start(ann, 'A', 10));
    await rig.run(rig.start(ben, 'B', 10));
    rig.purse.always = () => 'slow';
    await rig.run(rig.win(ben, 'B', 5, true));
    const asked: number[] = [];
    rig.onAutoClose = async () => void asked.push(Math.floor((rig.clock.now() - noon) / hour));
    await rig.clock.pass(24.5 * hour);
    rig.purse.always = () => null;
    await rig.clock.pass(3 * hour);
    await rig.run(rig.service.runJanitor());
    expect(asked).toEqual([24, 25, 26, 27]);
  });

  test('a service that closes begins no more of its work: a provider that is silent holds up the end once', async () => {
    const rig = await Rig.start();
    for (let n = 0; n < 40; n++) {
      const token = await rig.token(`p${n}`);
      await rig.run(rig.start(token, `R${n}`, 1));
    }
    let asked = 0;
    rig.onAutoClose = async () => {
      asked += 1;
      await rig.clock.pause(5_000);
    };
    await rig.clock.pass(24.5 * hour);
    asked = 0;
    await rig.clock.pass(0.5 * hour);
    const before = rig.clock.now();
    await rig.run(rig.service.close());
    expect(asked).toBe(16);
    expect(rig.clock.now() - before).toBeLessThanOrEqual(5_000);
  });

  test('at the maximum age all that is open or due is left to a person, and nothing is sent any more (E16.2)', async () => {
    const { rig, token } = await Rig.seated({
      sessionTimes: { sessionIdleMs: 30 * day, sessionTtlMs: 30 * day },
    });
    await rig.run(rig.start(token, 'R', 100));
    await rig.run(rig.win(token, 'R', 40));
    rig.purse.always = () => 'lost';
    await rig.run(rig.collect(token, 'R', 30));
    await rig.clock.pass(7 * day);
    const attention = (): string[] =>
      rig.service.view().attention.map(({ gameRound }) => gameRound);
    expect(attention()).toEqual(['R']);
    rig.purse.sent.length = 0;
    rig.purse.always = () => null;
    await rig.clock.pass(2 * day);
    expect(rig.purse.sent).toEqual([]);

    await rig.run(rig.service.resolve('studio', 'R', 'resend'));
    expect(rig.purse.sent).toEqual(['credit 30']);
    expect(attention()).toEqual(['R']);
    await rig.run(rig.service.resolve('studio', 'R', 'close'));
    expect(rig.purse.sent).toEqual(['credit 30', 'credit 10, end']);
    expect(attention()).toEqual([]);
    expect(await rig.failure(rig.service.resolve('studio', 'R', 'close'))).toBe('400/13');
    expect(await rig.failure(rig.service.resolve('studio', 'X', 'close'))).toBe('400/14');
  });

  test('past the maximum age neither a launch nor an added bet sends what is due: a wallet may have forgotten its hash, and would pay twice (E16.2, W3)', async () => {
    const { rig, token } = await Rig.seated({
      sessionTimes: { sessionIdleMs: 30 * day, sessionTtlMs: 30 * day },
    });
    await rig.run(rig.bet(token, 'R', 'b1', 100));
    await rig.run(rig.win(token, 'R', 40));
    rig.purse.always = () => 'lost';
    await rig.run(rig.collect(token, 'R', 30));
    await rig.clock.pass(8 * day);
    rig.purse.always = () => null;
    rig.purse.sent.length = 0;

    const { afterReply } = await rig.launch();
    afterReply();
    await rig.run(rig.service.idle());
    expect(await rig.told(rig.bet(token, 'R', 'b2', 50))).toBe('503/9110');
    expect(rig.purse.sent).toEqual([]);
    await rig.run(rig.service.resolve('studio', 'R', 'resend'));
    expect(rig.purse.sent).toEqual(['credit 30']);
  });

  test('giveUp empties the queue; each amount stays listed as not delivered (E16.2)', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100));
    rig.purse.always = () => 'lost';
    await rig.run(rig.win(token, 'R', 40, true));
    await rig.run(rig.service.resolve('studio', 'R', 'giveUp'));
    const [round] = roundsOf(rig);
    expect(round?.queue).toEqual([]);
    expect(round?.undelivered.map(({ type }) => type)).toEqual(['credit', 'end']);
    expect(rig.service.view().attention).toHaveLength(1);
    rig.purse.sent.length = 0;
    await rig.clock.pass(2 * hour);
    expect(rig.purse.sent).toEqual([]);
  });

  test('a round at rest leaves after its retention, and what needs a person stays (B4)', async () => {
    const { rig, token } = await Rig.seated({ retentionMs: 10 * day });
    await rig.run(rig.start(token, 'R', 100, { endGame: true }));
    rig.purse.faults = ['refuse'];
    await rig.run(rig.start(token, 'S', 100, { credit: 10, endGame: true }));
    await rig.clock.pass(9 * day);
    expect(roundsOf(rig)).toHaveLength(2);
    await rig.clock.pass(2 * day);
    expect(roundsOf(rig).map(({ gameRound, state }) => `${gameRound} ${state}`)).toEqual([
      'S stranded',
    ]);
    await rig.restart(rig.reopened());
    expect(roundsOf(rig)).toHaveLength(1);
    const again = await rig.token();
    expect(await rig.told(rig.start(again, 'R', 100))).toContain('open (open)');
  });
});

describe('B4: the journal', () => {
  test('an event is durable before anything depends on it: nothing is sent on a failed append; money calls are 9000 from then on', async () => {
    const inner = createMemoryJournal();
    let isBroken = false;
    const journal: Journal = {
      append: async (events) => {
        if (isBroken) throw new Error('disk full');
        return inner.append(events);
      },
      replay: () => inner.replay(),
      compact: (snapshot) => inner.compact(snapshot),
      needsCompaction: () => inner.needsCompaction(),
      close: () => inner.close(),
    };
    const rig = await Rig.start({ journal });
    const [ann, ben] = [await rig.token('ann'), await rig.token('ben')];
    await rig.run(rig.start(ben, 'B', 10));
    isBroken = true;
    rig.purse.sent.length = 0;
    expect(await rig.told(rig.start(ann, 'A', 100))).toBe('500/9000');
    expect(rig.purse.sent).toEqual([]);
    isBroken = false;
    expect(rig.service.view().isReadOnly).toBe(true);
    expect(await rig.told(rig.win(ben, 'B', 5))).toBe('500/9000');
    expect(await rig.told(rig.end(ben, 'B'))).toBe('500/9000');
    expect(await rig.told(rig.info(ben, 'B'))).toContain('open (open)');
    // It is unknown whether the start of A is durable: no query may say that it was never taken.
    expect(await rig.told(rig.info(ann, 'A'))).toBe('500/9000');
  });

  test('what is sent is durable before: the debit with its round, the credit with the end, the void', async () => {
    const inner = createMemoryJournal();
    const durable: string[] = [];
    const journal: Journal = {
      append: async (events) => {
        await rig.clock.pause(5);
        await inner.append(events);
        durable.push(JSON.stringify(events));
      },
      replay: () => inner.replay(),
      compact: (snapshot) => inner.compact(snapshot),
      needsCompaction: () => inner.needsCompaction(),
      close: () => inner.close(),
    };
    const rig: Rig = await Rig.start({ journal });
    const token = await rig.token();
    const early: string[] = [];
    rig.purse.always = ({ transactions }) => {
      for (const { type, hash } of transactions) {
        const isKept = durable.some((text) => {
          return text.includes(`"type":"${type}","hash":"${hash}"`);
        });
        if (!isKept) early.push(`${type} ${hash}`);
      }
      return null;
    };
    await rig.run(rig.bet(token, 'R', 'b1', 100));
    await rig.run(rig.bet(token, 'R', 'b2', 50));
    await rig.run(rig.void(token, 'R', 'b2'));
    await rig.run(rig.win(token, 'R', 30));
    await rig.run(rig.collect(token, 'R', 10));
    await rig.run(rig.end(token, 'R'));
    expect(rig.purse.sent).toHaveLength(5);
    expect(early).toEqual([]);
  });

  test('a snapshot in place of all events makes the same state', async () => {
    const rig = await Rig.start();
    const [ann, demo] = [await rig.token('ann'), await rig.token('dan', 'bells', 'DEMO')];
    await rig.run(rig.service.assignPlayerFreerounds('casino', freePlays));
    await rig.run(rig.start(ann, 'F', 20, { useTicket: true }));
    await rig.run(rig.win(ann, 'F', 7, true));
    await rig.run(rig.start(demo, 'D', 100));
    await rig.failure(rig.info(ann, 'never'));
    const entry = { token: ann, currency: 'EUR', stake: 0n, data: '{"a":1}', expires: null };
    await rig.run(rig.call('setPlayerData', entry));
    await rig.run(rig.bet(ann, 'R', 'b1', 100));
    rig.purse.always = () => 'lost';
    await rig.failure(rig.bet(ann, 'R', 'b2', 50));
    const before = await picture(rig, ann, demo);
    await compact(rig);
    rig.purse.always = () => 'lost';
    await rig.restart(rig.reopened());
    await rig.run(rig.service.idle());
    expect(await picture(rig, ann, demo)).toEqual(before);
    rig.purse.always = () => null;
    expect(await rig.told(rig.start(ann, 'never', 10))).toBe('400/12');
    await rig.run(rig.end(ann, 'R'));
    expect(await rig.told(rig.start(ann, 'never', 10))).toBe('400/9100');
  });
});

describe('statistics that do not count as usual (E24.3)', () => {
  const statistics = { by: 'end', zone: 'Europe/Malta', voids: 'dated' } as const;

  /** By Malta's days: of two rounds of 1 March one is won on 2 March, the other loses its second bet then, and is still open. */
  async function playedAcrossDays() {
    const rig = await Rig.start({ statistics });
    const [ann, bob] = [await rig.token('ann'), await rig.token('bob')];
    await rig.run(rig.bet(ann, 'L', 'b1', 100));
    await rig.run(rig.bet(ann, 'L', 'b2', 40));
    await rig.run(rig.start(bob, 'W', 70));
    await rig.clock.pass(11 * hour);
    await rig.run(rig.void(await rig.token('ann'), 'L', 'b2'));
    await rig.run(rig.win(await rig.token('bob'), 'W', 9, true));
    return rig;
  }

  const sums = ['2026-03-02 1, 70, 9'];

  test.each(['all its events', 'a snapshot'])(
    'are the same after a restart with %s, and a round that is open then counts as it would have',
    async (kept) => {
      const rig = await playedAcrossDays();
      expect(await sumsOf(rig)).toEqual(sums);
      if (kept === 'a snapshot') await compact(rig);
      await rig.restart(rig.reopened());
      expect(await sumsOf(rig)).toEqual(sums);
      await rig.clock.pass(day);
      await rig.run(rig.end(await rig.token('ann'), 'L'));
      expect(await sumsOf(rig)).toEqual(['2026-03-02 1, 30, 9', '2026-03-03 1, 140, 0']);
    },
  );

  test('are counted anew in another way from all events, and refused from a snapshot, which may lack their rounds', async () => {
    const rig = await playedAcrossDays();
    Object.assign(rig.options, { statistics: {} });
    await rig.restart(rig.reopened());
    expect(await sumsOf(rig)).toEqual(['2026-03-01 2, 170, 9']);
    await compact(rig);
    Object.assign(rig.options, { statistics });
    await expect(rig.restart(rig.reopened())).rejects.toMatchObject({
      name: 'JournalError',
      code: 'OTHER_COUNTING',
      message:
        'the statistics of the journal were counted in UTC, by start, voids restated, and now they are to be counted in Europe/Malta, by end, voids dated: count as before, or use another journal',
    });
  });
});

const freePlays = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 'S1',
  currency: 'EUR',
  stake: 20n,
  count: 3,
  expires: null,
};

const totals = {
  groupBy: [],
  dateFrom: null,
  dateToIncluding: null,
  currency: null,
  gameCode: null,
  playerId: null,
  showTotals: true,
};

/** Day, games, bet and win of each record. */
async function sumsOf({ service }: Rig): Promise<string[]> {
  const rows = await service.getStats('casino', { ...totals, showTotals: false });
  return rows.map(({ DAY, games, bet, win }) => `${DAY} ${games}, ${bet}, ${win}`);
}

/** Lets the janitor put a snapshot in place of the journal's events. */
async function compact(rig: Rig): Promise<void> {
  Object.assign(rig.journal, { needsCompaction: () => true });
  await rig.run(rig.service.runJanitor());
}

/** All that a state shows. */
async function picture(rig: Rig, token: string, demo: string) {
  const info = await rig.run(rig.info(token, 'R'));
  return {
    rounds: roundsOf(rig).toSorted((one, other) => (one.gameRound < other.gameRound ? -1 : 1)),
    info: { ...info, balance: null },
    demo: (await rig.run(rig.call('getBalance', { token: demo }))).totalBalance,
    data: await rig.run(rig.call('getPlayerData', { token, currency: '', stake: 0n })),
    statistics: await rig.run(rig.service.getStats('casino', totals)),
    sessions: rig.service.view().sessions.map(({ grant }) => grant),
  };
}
