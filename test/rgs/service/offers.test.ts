import { describe, expect, test } from '@jest/globals';

import type { ProviderLine } from '../../../lib/rgs/ports';
import { checkRules, type ServiceRules } from '../../../lib/rgs/service/core/options';
import { noon, Rig } from './rig';

const freePlays = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 'S1',
  currency: 'EUR',
  stake: 20n,
  count: 2,
  expires: null,
};

/** A provider that offers these stakes. */
const offering = (stakes: readonly bigint[]): Partial<ProviderLine> => ({
  getGameConfiguration: async ({ currency, currencyMultiplier }) => ({
    kind: 'answered',
    value: { stakes, currency, currencyMultiplier, text: '{"gameCode":"bells"}' },
  }),
});

describe('E18: free plays', () => {
  test('a play is taken with the debit of 0, given back if the debit is not taken or voided, and counted in every reply', async () => {
    const { rig, token } = await Rig.seated();
    const assigned = await rig.run(rig.service.assignPlayerFreerounds('casino', freePlays));
    expect(assigned).toMatchObject({ serial: 'S1', count: 2, used: 0, expires: null });
    rig.purse.faults = ['decline'];
    expect(await rig.told(rig.start(token, 'A', 20, { useTicket: true }))).toBe('400/9001');
    rig.purse.faults = ['lost'];
    expect(await rig.told(rig.start(token, 'B', 20, { useTicket: true }))).toBe('400/9100');
    expect(rig.service.view().freePlays).toMatchObject([{ serial: 'S1', count: 2, used: 0 }]);
    const started = await rig.run(rig.start(token, 'C', 20, { useTicket: true }));
    expect(started.freePlayInfo).toEqual({
      used: 1,
      granted: 2,
      won: 0n,
      isLast: false,
      serial: 'S1',
    });
    expect(started.gameRoundInfo.stake).toBe(20n);
    const over = await rig.run(rig.win(token, 'C', 55, true));
    expect(over.freePlayInfo).toMatchObject({ used: 1, won: 55n });
    expect(over.freePlaysAvailable).toMatchObject([{ currency: 'EUR', stake: 20n, count: 1 }]);
    await rig.run(rig.start(token, 'D', 20, { useTicket: true }));
    expect(await rig.told(rig.void(token, 'D'))).toContain('voided');
    expect(await rig.told(rig.start(token, 'E', 30, { useTicket: true }))).toBe('400/9102');
    await rig.run(rig.start(token, 'F', 20, { useTicket: true, endGame: true }));
    expect(await rig.told(rig.start(token, 'G', 20, { useTicket: true }))).toBe('400/9102');
    expect(rig.purse.sent.filter((call) => call.startsWith('debit'))).toEqual([
      'debit 0 first',
      'debit 0 first',
      'debit 0 first',
      'debit 0 first',
      'debit 0 first, end',
    ]);
    expect(rig.purse.balance).toBe(1_055n);
  });

  test('a repeated serial is the first package again, unchanged, also at one moment (E18.1)', async () => {
    const rig = await Rig.start();
    const assign = (count: number) =>
      rig.service.assignPlayerFreerounds('casino', { ...freePlays, count });
    const [first, second] = await rig.run(Promise.all([assign(2), assign(9)]));
    expect(second).toEqual(first);
    expect(await rig.run(assign(5))).toEqual(first);
    const unknown = { ...freePlays, gameCode: 'nothing' };
    const refused = rig.service.assignPlayerFreerounds('casino', unknown);
    expect(await rig.failure(refused)).toBe('400/9106');
  });

  test('DEMO uses no ticket (E18.1)', async () => {
    const rig = await Rig.start();
    const token = await rig.token('ann', 'bells', 'DEMO');
    await rig.run(rig.service.assignPlayerFreerounds('casino', freePlays));
    expect(await rig.told(rig.start(token, 'A', 20, { useTicket: true }))).toBe('400/19');
  });

  test('without a package of ours a ticket of the operator pays (E17.4)', async () => {
    const rig = await Rig.start();
    rig.purse.offers = {
      tickets: '[{"count":1,"stake":20,"currency":"EUR","serial":"T9"}]',
    };
    const token = await rig.token();
    await rig.run(rig.start(token, 'A', 20, { useTicket: true }));
    expect(rig.service.round('studio', 'A')?.debits[0]?.due.serial).toBe('T9');
  });

  test('a ticket that names a package of ours grants no play beyond it: its plays are counted here (E17.4, E18.2)', async () => {
    const rig = await Rig.start();
    rig.purse.offers = { tickets: JSON.stringify([ticket('S1')]) };
    await rig.run(rig.service.assignPlayerFreerounds('casino', freePlays));
    const token = await rig.token();
    await rig.run(rig.start(token, 'A', 20, { useTicket: true, endGame: true }));
    await rig.run(rig.start(token, 'B', 20, { useTicket: true, endGame: true }));
    expect(await rig.told(rig.start(token, 'C', 20, { useTicket: true }))).toBe('400/9102');
    expect(rig.service.view().freePlays).toMatchObject([{ serial: 'S1', count: 2, used: 2 }]);

    rig.purse.offers = { tickets: JSON.stringify([ticket('S1'), ticket('T9')]) };
    await rig.run(rig.call('getBalance', { token }));
    await rig.run(rig.start(token, 'D', 20, { useTicket: true }));
    expect(rig.service.round('studio', 'D')?.debits[0]?.due.serial).toBe('T9');
  });
});

describe('E17.3: discounts', () => {
  const discountInfo = JSON.stringify({
    currency: 'EUR',
    campaignId: 'spring',
    discounts: [{ stake: 100, absoluteDiscountAmount: 30, spinsRemaining: 5 }],
    validFrom: new Date(noon - 1000).toISOString(),
    validTo: new Date(noon + 600_000).toISOString(),
  });

  test('a debit that fulfils one has it by itself, as long as it is valid', async () => {
    const rig = await Rig.start();
    rig.purse.offers = { discountInfo };
    const token = await rig.token();
    await rig.run(rig.start(token, 'A', 100, { endGame: true }));
    expect(rig.purse.balance).toBe(930n);
    await rig.run(rig.start(token, 'B', 50, { endGame: true }));
    expect(rig.purse.balance).toBe(880n);
    await rig.clock.pass(600_001);
    await rig.run(rig.start(token, 'C', 100, { endGame: true }));
    expect(rig.purse.balance).toBe(780n);
  });

  test('33 of the wallet is 33 to the game, no round, and the balance is asked again; no second try', async () => {
    const rig = await Rig.start();
    rig.purse.offers = { discountInfo };
    const token = await rig.token();
    rig.purse.faults = ['decline'];
    rig.purse.declinesBy = 33;
    rig.purse.offers = {};
    expect(await rig.told(rig.start(token, 'A', 100))).toBe('400/33');
    await rig.run(rig.service.idle());
    expect(rig.purse.sent).toEqual(['debit 100 first', 'getBalance']);
    await rig.run(rig.start(token, 'B', 100));
    expect(rig.purse.balance).toBe(900n);
  });

  test('applyDiscounts false applies none', async () => {
    const rig = await Rig.start({ applyDiscounts: false });
    rig.purse.offers = { discountInfo };
    const token = await rig.token();
    await rig.run(rig.start(token, 'A', 100));
    expect(rig.purse.balance).toBe(900n);
  });
});

describe('E7.3, E21: stakes and settings', () => {
  test('a stake that is not in the ladder is a finding, with enforceStakes 9101; asked at connect', async () => {
    const { rig, token } = await Rig.seated({}, offering([10n, 20n]));
    expect(await rig.told(rig.start(token, 'A', 15, { endGame: true }))).toContain('closed');
    expect(rig.findings).toMatchObject([
      { code: 'stakeNotOffered', rule: 'E7.3', call: 'startGameRound', gameRound: 'A' },
    ]);
    const strict = await Rig.start({ enforceStakes: true }, offering([10n, 20n]));
    const other = await strict.token();
    expect(await strict.told(strict.start(other, 'A', 15))).toBe('400/9101');
    expect(await strict.told(strict.start(other, 'A', 20))).toContain('open');
  });

  test("the operator's limits are multiplied once (E21.1)", async () => {
    const { rig, token } = await Rig.seated({
      enforceStakes: true,
      multipliers: { EUR: '6' },
      operators: [{ operatorId: 'casino', settings: { maxStake: 10 } }],
    });
    expect(await rig.told(rig.start(token, 'A', 61))).toBe('400/9101');
    const { gameRoundInfo } = await rig.run(rig.start(token, 'A', 60));
    expect(gameRoundInfo).toMatchObject({ stake: 60n, baseStake: '10', currencyMultiplier: '6' });
    const asked = { game: 'bells', operator: 'casino', currency: 'EUR' };
    const settings = await rig.run(rig.call('getOperatorSettings', asked));
    expect(settings).toMatchObject({ maxStake: 60, gambleEnabled: true });
  });

  test('the configurations of the latest 1,000 games and currencies are kept (E21.3)', async () => {
    let asked = 0;
    const line = offering([10n]);
    const rig = await Rig.start(
      {},
      {
        getGameConfiguration: async (of) => {
          asked += 1;
          return line.getGameConfiguration?.(of) ?? { kind: 'silent' };
        },
      },
    );
    const ask = (currency: string) =>
      rig.run(rig.service.getGameConfiguration('casino', { gameCode: 'bells', currency }));
    for (let n = 0; n <= 1000; n++) await ask(nthCurrency(n));
    expect(asked).toBe(1001);
    await ask('AAB');
    expect(asked).toBe(1001);
    await ask('AAA');
    expect(asked).toBe(1002);
  });

  test('the configuration is asked for once in 60 s; a silent provider is 9112 to the operator (E21.3)', async () => {
    let asked = 0;
    const line = offering([10n]);
    const rig = await Rig.start(
      {},
      {
        getGameConfiguration: async (of) => {
          asked += 1;
          return line.getGameConfiguration?.(of) ?? { kind: 'silent' };
        },
      },
    );
    const query = { gameCode: 'bells', currency: 'EUR' };
    await rig.run(rig.service.getGameConfiguration('casino', query));
    expect(await rig.run(rig.service.getGameConfiguration('casino', query))).toBe(
      '{"gameCode":"bells"}',
    );
    expect(asked).toBe(1);
    await rig.clock.pass(60_000);
    await rig.run(rig.service.getGameConfiguration('casino', query));
    expect(asked).toBe(2);
    const silent = await Rig.start();
    const none = silent.service.getGameConfiguration('casino', query);
    expect(await silent.failure(none)).toBe('503/9112');
    const unknown = { gameCode: 'nothing', currency: 'EUR' };
    const refused = silent.service.getGameConfiguration('casino', unknown);
    expect(await silent.failure(refused)).toBe('400/9106');
  });
});

describe('W7, W12, E12.3: options of the bridge', () => {
  test('separate: one transaction a call, in order', async () => {
    const { rig, token } = await Rig.seated({ batching: 'separate' });
    await rig.run(rig.start(token, 'A', 100, { credit: 30, endGame: true }));
    expect(rig.purse.sent).toEqual(['debit 100 first', 'credit 30', 'end']);
  });

  test('zeroCredits: a loss sends a credit of 0', async () => {
    const { rig, token } = await Rig.seated({ zeroCredits: true });
    await rig.run(rig.start(token, 'A', 100));
    await rig.run(rig.end(token, 'A'));
    expect(rig.purse.sent).toEqual(['debit 100 first', 'credit 0, end']);
  });

  test('collectBeforeAddedBet: what is open is credited before the added debit goes out', async () => {
    const { rig, token } = await Rig.seated({ collectBeforeAddedBet: true });
    await rig.run(rig.bet(token, 'A', 'b1', 100));
    await rig.run(rig.win(token, 'A', 40));
    expect(await rig.told(rig.bet(token, 'A', 'b2', 50))).toBe(
      'open (open), stake 150, open 0, credited 40',
    );
    expect(rig.purse.sent).toEqual(['debit 100 first', 'credit 40', 'debit 50']);
    await rig.run(rig.win(token, 'A', 10));
    rig.purse.sent.length = 0;
    rig.purse.faults = ['pending'];
    expect(await rig.told(rig.bet(token, 'A', 'b3', 50))).toBe('503/9110');
    expect(rig.purse.sent).toEqual(['credit 10']);
  });

  test('a refused win after a declined added bet is a finding of W12', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.bet(token, 'A', 'b1', 100));
    rig.purse.faults = ['decline', 'refuse'];
    await rig.failure(rig.bet(token, 'A', 'b2', 50));
    expect(await rig.told(rig.win(token, 'A', 40, true))).toContain('stranded');
    const codes = rig.findings.map(({ code, rule }) => `${code}: ${rule}`);
    expect(codes).toContain('refusedAfterDeclinedDebit: operator-api 3, rule 1 (W12)');
    expect(rig.service.view().attention.map(({ gameRound }) => gameRound)).toEqual(['A']);
  });
});

describe('E14.1: an id that a query was answered 15 for', () => {
  test('is spent for the player: a start that comes late sends nothing', async () => {
    const { rig, token } = await Rig.seated();
    expect(await rig.told(rig.info(token, 'A'))).toBe('400/15');
    expect(await rig.told(rig.start(token, 'A', 100))).toBe('400/9100');
    expect(rig.purse.sent).toEqual([]);
    await rig.restart(rig.reopened());
    expect(await rig.told(rig.start(token, 'A', 100))).toBe('400/9100');
  });

  test('is not kept if no start could have it: a game that sends its token as the round would have it in the journal (E4.2, E5.1)', async () => {
    const { rig, token } = await Rig.seated();
    expect(await rig.told(rig.info(token, token))).toBe('400/15');
    expect(await rig.told(rig.info(token, 'x'.repeat(33)))).toBe('400/15');
    let kept = '';
    for await (const event of rig.reopened().replay()) kept += JSON.stringify(event);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain('idSpent');
  });

  test('is not with spendQueriedIds false', async () => {
    const { rig, token } = await Rig.seated({ spendQueriedIds: false });
    expect(await rig.told(rig.info(token, 'A'))).toBe('400/15');
    expect(await rig.told(rig.start(token, 'A', 100))).toContain('open');
  });
});

describe('rules', () => {
  test.each([
    ['batching', { batching: 'both' }],
    ['replyWithinMs', { replyWithinMs: 0 }],
    ['ages.maxRoundAgeMs', { ages: { maxRoundAgeMs: -1 } }],
    ['sessionTimes.launchTtlMs', { sessionTimes: { launchTtlMs: 1.5 } }],
    ['readings.startWin', { readings: { startWin: 'pay' } }],
    ['demoBalance', { demoBalance: 100 }],
    ['euroRates.USD', { euroRates: { USD: 'x' } }],
    ['statistics.by', { statistics: { by: 'middle' } }],
    ['statistics.zone', { statistics: { zone: 'Europe/Atlantis' } }],
    ['statistics.voids', { statistics: { voids: 'both' } }],
    ['statistics.timezone', { statistics: { timezone: 'UTC' } }],
    ['enforceStakes', { enforceStakes: 'yes' }],
  ])('a wrong %s is a TypeError that names it', (name, rules) => {
    const check = () => checkRules(rules as unknown as ServiceRules);
    expect(check).toThrow(TypeError);
    expect(check).toThrow(`createSandbox: service.${name} must `);
  });

  test('a wrong multiplier is a TypeError that names it', async () => {
    await expect(Rig.start({ multipliers: { USD: '0' } })).rejects.toThrow(
      /^multipliers\.USD must /,
    );
  });
});

function ticket(serial: string): object {
  return { count: 9, stake: 20, currency: 'EUR', serial };
}

/** AAA, AAB, and so on. */
function nthCurrency(n: number): string {
  return String.fromCharCode(...[676, 26, 1].map((unit) => 65 + (Math.floor(n / unit) % 26)));
}
