import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { EngineRefusedError } from '../../lib/protocol/engine-api/errors';
import type { NewPlayerData } from '../../lib/protocol/engine-api/requests';
import { PlayerData } from '../../lib/rgs/player-data';
import { ann } from './rounds/desk';

const day = 86_400_000;
const demo = { ...ann, mode: 'DEMO' as const };
const everything = { currency: '', stake: 0n };

function put(
  registry: PlayerData,
  over: Partial<NewPlayerData>,
  { at = 0, owner = ann }: { at?: number; owner?: typeof ann } = {},
): void {
  const request = { currency: '', stake: 0n, data: '1', expires: null, ...over };
  for (const event of registry.set(owner, request, at)) registry.apply(event);
}

function datas(registry: PlayerData, filter: object = {}, at = 1, owner = ann): string[] {
  return registry.get(owner, { ...everything, ...filter }, at).map(({ data }) => data);
}

/** A JSON text of this many bytes. */
function text(bytes: number): string {
  return JSON.stringify('x'.repeat(bytes - 2));
}

function full(): PlayerData {
  const registry = new PlayerData();
  put(registry, { data: '"none"' });
  put(registry, { currency: 'EUR', data: '"eur"' });
  put(registry, { stake: 5n, data: '"5"' });
  put(registry, { currency: 'EUR', stake: 5n, data: '"eur 5"' });
  put(registry, { currency: 'SEK', stake: 5n, data: '"sek 5"' });
  return registry;
}

describe('player data', () => {
  test('an entry comes back as it went in, with the time of the service (E20.1, E20.2)', () => {
    const registry = new PlayerData();
    put(
      registry,
      { currency: 'EUR', stake: 5n, data: '{"a": 1.50}', expires: 2_000 },
      { at: 1_000 },
    );
    expect(registry.get(ann, everything, 1_001)).toEqual([
      {
        playerId: ann.playerId,
        gameId: ann.gameCode,
        currency: 'EUR',
        stake: 5n,
        data: '{"a": 1.50}',
        updated: '1970-01-01T00:00:01.000Z',
        expires: '1970-01-01T00:00:02.000Z',
      },
    ]);
  });

  test.each([
    ['E20.2 no currency and no stake filter nothing', {}, ['none', 'eur', '5', 'eur 5', 'sek 5']],
    ['E20.2 a currency filters', { currency: 'EUR' }, ['eur', 'eur 5']],
    ['E20.2 a stake filters', { stake: 5n }, ['5', 'eur 5', 'sek 5']],
    ['E20.2 both filter', { currency: 'SEK', stake: 5n }, ['sek 5']],
    ['E20.2 nothing may match', { currency: 'NOK' }, []],
  ])('%s', (_, filter, shown) => {
    expect(datas(full(), filter)).toEqual(shown.map((data) => JSON.stringify(data)));
  });

  test('a set with the same key replaces the entry, one with another key is another entry (E20.2)', () => {
    const registry = full();
    put(registry, { currency: 'EUR', data: '"new"' });
    expect(datas(registry, { currency: 'EUR' })).toEqual(['"new"', '"eur 5"']);
  });

  test('another player, game, operator or mode sees none of it (E20.1)', () => {
    const registry = full();
    const others = [{ playerId: 'bob' }, { gameCode: 'x' }, { operatorId: 'x' }, { mode: 'DEMO' }];
    for (const other of others) {
      expect(datas(registry, {}, 1, { ...ann, ...other } as typeof ann)).toEqual([]);
    }
  });

  test.each([
    ['E20.3 an entry is shown until it expires', ann, 100, 99, 1],
    ['E20.3 then it is not', ann, 100, 100, 0],
    ['E20.3 one that expires in the past is stored and not shown', ann, -5, 1, 0],
    ['E20.3 in REAL one without an expiry stays', ann, null, 400 * day, 1],
    ['E20.3 in DEMO it stays for a day', demo, null, day - 1, 1],
    ['E20.3 and no longer', demo, null, day, 0],
    ['E20.3 whatever expiry it names', demo, 9 * day, day, 0],
    ['E20.3 unless it names less', demo, 100, 100, 0],
  ])('%s', (_, owner, expires, at, count) => {
    const registry = new PlayerData();
    put(registry, { expires }, { owner });
    expect(datas(registry, {}, at, owner)).toHaveLength(count);
  });

  test('a payload has at most 64 KiB (E20.1)', () => {
    const registry = new PlayerData();
    put(registry, { data: text(65_536) });
    expect(() => put(registry, { data: text(65_537) })).toThrow(EngineRefusedError);
    expect(() => put(registry, { data: JSON.stringify('é'.repeat(33_000)) })).toThrow('E20.1');
    expect(datas(registry)).toEqual([text(65_536)]);
  });

  test('a player and game have at most 1,000 entries; those that expired do not count (E20.1)', () => {
    const registry = new PlayerData();
    for (let stake = 1n; stake <= 999n; stake++) put(registry, { stake });
    put(registry, { stake: 1_000n, expires: 50 });
    expect(() => put(registry, { stake: 2_000n })).toThrow('E20.1');
    put(registry, { stake: 7n, data: '2' });
    put(registry, { stake: 2_000n }, { owner: { ...ann, gameCode: 'other' } });
    put(registry, { stake: 2_000n }, { at: 50 });
    expect(() => put(registry, { stake: 3_000n }, { at: 51 })).toThrow('E20.1');
  });

  test('what expired leaves: the state does not grow with time (B4)', () => {
    const registry = new PlayerData();
    for (let nth = 0; nth < 500; nth++) {
      put(registry, {}, { at: nth * 3_600_000, owner: { ...demo, playerId: `demo-${nth}` } });
    }
    expect(registry.snapshot().length).toBeLessThanOrEqual(26);
  });

  test('it is a list in which a set replaces by key, and a snapshot gives the same (E20.2, B4)', () => {
    const write = fc.record({
      currency: fc.constantFrom('', 'EUR', 'SEK'),
      stake: fc.constantFrom(0n, 5n, 10n),
      data: fc.constantFrom('1', '2', '"x"'),
      expires: fc.constantFrom(null, 5, 20),
      pause: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 20 }), (writes) => {
        const registry = new PlayerData();
        let model: (typeof writes)[number][] = [];
        let at = 0;
        for (const one of writes) {
          at += one.pause;
          put(registry, one, { at });
          const place = model.findIndex(
            ({ currency, stake }) => currency === one.currency && stake === one.stake,
          );
          model = place < 0 ? [...model, one] : model.with(place, one);
        }
        const copy = new PlayerData();
        for (const event of registry.snapshot()) copy.apply(event);
        for (const filter of [
          everything,
          { currency: 'EUR', stake: 0n },
          { currency: '', stake: 5n },
        ]) {
          const asked = model.filter(
            ({ currency, stake, expires }) =>
              (filter.currency === '' || currency === filter.currency) &&
              (filter.stake === 0n || stake === filter.stake) &&
              (expires === null || expires > at),
          );
          expect(datas(registry, filter, at)).toEqual(asked.map(({ data }) => data));
          expect(copy.get(ann, filter, at)).toEqual(registry.get(ann, filter, at));
        }
      }),
    );
  });
});
