import { beforeAll, describe, expect, test } from '@jest/globals';

import type { PostedCall } from '../../../../lib/protocol/engine-api/read-request';
import { bodyOf, calls, fieldsOf, wrongOf } from '../../../protocol/engine-api/request-bodies';
import { runs } from '../../../support/runs';
import { badInputRig } from './rig';

type Rig = Awaited<ReturnType<typeof badInputRig>>;

/** The calls that change something where they are worked. */
const changing: readonly PostedCall[] = [
  'startGameRound',
  'startGameOrAddBet',
  'addWin',
  'endGameRound',
  'voidGameRound',
  'collectWin',
  'wagerWin',
  'addSpinCounterGameState',
  'getTokenForGameRound',
  'setPlayerData',
];

/** A session and, but for a start, an open round: a whole body of the call is worked there. */
async function rigFor(name: PostedCall): Promise<Rig> {
  const rig = await badInputRig();
  if (!name.startsWith('start')) await rig.openRound();
  return rig;
}

/** A body of a call with the rig's token and no ticket, and one field replaced; null leaves it out. */
function bodyFor({ token }: Rig, name: PostedCall, path: string, json: string | null): string {
  return bodyOf(name, path, json)
    .replace('"token":"token-1"', `"token":${JSON.stringify(token)}`)
    .replace('"useTicket":true', '"useTicket":false');
}

/**
 * Wrong values of every field of a call, as JSON; null is absent. All of them in the soak tier, and two of each field in the others,
 * where test/protocol/engine-api reads them all.
 */
function wrongValues(name: PostedCall): (readonly [string, string | null])[] {
  return fieldsOf(name).flatMap(({ path, kind, isRequired }, at) => {
    const missing = kind === 'payload' ? [null] : [null, 'null'];
    const values = [...wrongOf[kind], ...(isRequired ? missing : [])];
    // Not the same two of each field of a kind.
    const turned = values.map((_, next) => values[(next + at) % values.length] ?? null);
    return turned.slice(0, runs(values.length, 2)).map((json) => [path, json] as const);
  });
}

/** Sends a body with each of the values: what is not refused like this. */
async function faultsOf(
  rig: Rig,
  name: PostedCall,
  values: readonly (readonly [path: string, json: string | null])[],
  refusal: string,
): Promise<string[]> {
  const bodies = values.map(([path, json]) => bodyFor(rig, name, path, json));
  const answers = await rig.callAll(name, bodies);
  return answers.flatMap(({ status, id, hasErrorId, text }, at) => {
    if (`${status}/${id}` === refusal && hasErrorId) return [];
    const [path = '', json = null] = values[at] ?? [];
    return `${path} ${json?.slice(0, 40) ?? 'absent'}: ${status} ${text}`;
  });
}

describe.each(calls)('%s', (name) => {
  const fields = fieldsOf(name);
  let rig: Rig;

  beforeAll(async () => {
    rig = await rigFor(name);
  });

  test('each wrong value of each field is 400 with 19: nothing moves, nothing is journalled (E3.3, E4)', async () => {
    const before = await rig.effects();
    expect(await faultsOf(rig, name, wrongValues(name), '400/19')).toEqual([]);
    expect(await rig.effects()).toEqual(before);
  });

  test('so is another currency than the token’s where money is meant; an unknown token is 1008, an unknown round 14 (E4.4, E4.5)', async () => {
    const before = await rig.effects();
    const currencies = fields.filter(({ kind }) => kind === 'currency');
    const foreign = currencies.map(({ path }) => [path, '"SEK"'] as const);
    const unknown = (field: string) =>
      fields.filter(({ path }) => path === field).map(({ path }) => [path, '"unknown"'] as const);
    expect(await faultsOf(rig, name, foreign, '400/19')).toEqual([]);
    expect(await faultsOf(rig, name, unknown('token'), '400/1008')).toEqual([]);
    // A query of an unknown round spends its id, which is an event (E14.1).
    const rounds = name === 'getGameRoundInfo' ? [] : unknown('gameRound');
    expect(await faultsOf(rig, name, rounds, '400/14')).toEqual([]);
    expect(await rig.effects()).toEqual(before);
  });

  test('a right body is answered 200, and journalled if the call changes anything', async () => {
    const { journalled } = await rig.effects();
    // A void that names no bet is the round's.
    const left = name === 'voidGameRound' ? 'externalGameProviderTransactionId' : '';
    const { status, id } = await rig.call(name, bodyFor(rig, name, left, null));
    expect([status, id]).toEqual(name === 'getGameRoundHistoryInfo' ? [400, 9104] : [200, null]);
    const hasEffect = (await rig.effects()).journalled > journalled;
    expect(hasEffect).toBe(changing.includes(name));
  });
});

describe('calls with a query', () => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await badInputRig();
  });

  const long = 'x'.repeat(513);
  const settings = { game: 'bells', operator: 'acme', currency: 'EUR' };
  const query = (more: object): string =>
    `getOperatorSettings?${new URLSearchParams({ ...settings, ...more }).toString()}`;

  test('a right query of getOperatorSettings is answered', async () => {
    expect(await rig.call(query({}), null)).toMatchObject({ status: 200 });
  });

  test.each([
    ['without a game', 'getOperatorSettings?operator=acme&currency=EUR', '400/19'],
    ['without an operator', 'getOperatorSettings?game=bells&currency=EUR', '400/19'],
    ['without a currency', 'getOperatorSettings?game=bells&operator=acme', '400/19'],
    ['with an empty game', query({ game: '' }), '400/19'],
    ['with an empty operator', query({ operator: '' }), '400/19'],
    ['with a game that is too long', query({ game: long }), '400/19'],
    ['with a currency in small letters', query({ currency: 'eur' }), '400/19'],
    ['with a currency that is too long', query({ currency: 'EURO' }), '400/19'],
    ['with a game twice', `${query({})}&game=bells`, '400/19'],
    ['with an unknown game', query({ game: 'nothing' }), '400/9106'],
  ])('getOperatorSettings %s is refused (E21.1)', async (_, target, refusal) => {
    const before = await rig.effects();
    const { status, id, hasErrorId } = await rig.call(target, null);
    expect([`${status}/${id}`, hasErrorId, await rig.effects()]).toEqual([refusal, true, before]);
  });

  test.each(['connect', 'reconnect', 'disconnect'])(
    '%s with any token but its own is refused as certain, and nothing is journalled (E3.2, E5.2)',
    async (name) => {
      const before = await rig.effects();
      const wrong = ['', '?token=', `?token=${long}`, '?token=a&token=b', '?token=unknown'];
      for (const search of wrong) {
        const { status, id, hasErrorId } = await rig.browse(`${name}${search}`);
        expect([search, status, hasErrorId]).toEqual([search, 400, true]);
        expect([19, 1008]).toContain(id);
      }
      expect(await rig.effects()).toEqual(before);
    },
  );
});
