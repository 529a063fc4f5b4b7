import { describe, expect, test } from '@jest/globals';

import { approveRepair, rejectRepair } from '../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../lib/operator/operations/repairs/propose';
import type { AccountStore, RoundKey, WalletStore } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import { hostile, newYear, open, operatorId, putRound, storeWithAnn } from './fixture';

const reason = `the player showed ${hostile}`;
const [anna, bert] = [
  { id: 'anna', name: 'Anna' },
  { id: hostile, name: null },
];

interface LogJson {
  readonly repairs: readonly { readonly gameRound: string; readonly status: string }[];
  readonly next: string | null;
}

/** Proposes to pay the win of a new stranded round; resolves to the round and the proposal. */
async function proposed(store: AccountStore, clock: VirtualClock, gameRound: string) {
  const round: RoundKey = { operatorId, playerId: 'ann', gameRound };
  await putRound(store, round, 'stranded');
  const made = await proposeRepair(round, { kind: 'pay', reason }, anna, { store, clock });
  if (made.kind !== 'proposed') throw new Error(`not proposed: ${made.kind}`);
  return { round, id: made.repair.id };
}

describe('the page of all repairs', () => {
  test('says of each who proposed and who decided it, when and why, the latest first', async () => {
    const store = await storeWithAnn();
    const clock = new VirtualClock(newYear);
    const options = { store, clock };
    await proposed(store, clock, 'expired');
    await clock.pass(25 * 3_600_000);
    const rejected = await proposed(store, clock, 'rejected');
    await rejectRepair(rejected.round, rejected.id, bert, 'It is not what the RGS said', options);
    await clock.pass(1000);
    const paid = await proposed(store, clock, 'paid');
    await approveRepair(paid.round, paid.id, bert, options);
    await clock.pass(1000);
    await proposed(store, clock, 'waits');
    const browser = open(store, { clock });
    const json = (await browser.get('/repair-log.json')).json() as LogJson;
    expect(json).toMatchObject({
      operatorId,
      next: null,
      repairs: [
        { gameRound: 'waits', status: 'proposed' },
        {
          playerId: 'ann',
          gameRound: 'paid',
          kind: 'pay',
          amount: '2.5',
          currency: 'EUR',
          status: 'done',
          reason,
          proposedBy: anna,
          decidedBy: bert,
        },
        { gameRound: 'rejected', status: 'rejected', note: 'It is not what the RGS said' },
        { gameRound: 'expired', status: 'expired' },
      ],
    });
    const { text } = await browser.get('/repair-log');
    expect(text).toContain('It is not what the RGS said');
    expect(text).toContain('href="round?operator=casino&amp;player=ann&amp;round=paid"');
    expect(text).toContain('the player showed &lt;img src=x');
    expect(text).not.toContain(hostile);
    expect((await browser.get('/repairs')).text).toContain('<a href="repair-log">All repairs</a>');
  });

  test('continues page by page to the first repair, and refuses any other place', async () => {
    const store = await storeWithAnn();
    const clock = new VirtualClock(newYear);
    for (let at = 0; at < 40; at++) {
      await proposed(store, clock, `round-${at}`);
      await clock.pass(1);
    }
    const browser = open(store, { clock });
    const first = await browser.get('/repair-log');
    const [, older = ''] = /href="(repair-log\?[^"]*)">Older repairs/.exec(first.text) ?? [];
    const { text } = await browser.get(`/${older.replaceAll('&amp;', '&')}`);
    expect([first.text, text].map((page) => page.match(/<tr><th scope="row">/g)?.length)).toEqual([
      30, 10,
    ]);
    expect(text).not.toContain('Older repairs');
    expect((await browser.get('/repair-log?from=x')).status).toBe(400);
    expect((await browser.get('/repair-log?operator=other')).status).toBe(404);
  });

  test('shows one operator at a time', async () => {
    const store = await storeWithAnn();
    await proposed(store, new VirtualClock(newYear), 'mine');
    const browser = open(store, { operators: ['other', operatorId] });
    const { text } = await browser.get('/repair-log');
    expect(text).toContain('No repair was proposed');
    expect(text).toContain(`href="repair-log?operator=${operatorId}"`);
    expect((await browser.get(`/repair-log?operator=${operatorId}`)).text).toContain('mine');
  });

  test('says so where the store does not list repairs', async () => {
    const without = Object.assign(Object.create(await storeWithAnn()) as WalletStore, {
      repairs: undefined,
    });
    const browser = open(without);
    expect((await browser.get('/repair-log')).text).toContain('This store does not list repairs');
    expect((await browser.get('/repair-log.json')).json()).toEqual({ missing: true });
  });
});
