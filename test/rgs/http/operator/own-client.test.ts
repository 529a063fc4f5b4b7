import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { EngineRefusedError } from '../../../../lib/protocol/engine-api/errors';
import { ServiceError, SignatureRefusedError } from '../../../../lib/operator/client';
import { createRig, operatorId, type Rig } from './rig';

let rig: Rig;

beforeEach(async () => {
  rig = await createRig({ basePath: '/operator' });
});

afterEach(() => rig.close());

const launch = { gameCode: 'game-bells', currency: 'EUR', language: 'en', mode: 'REAL' };
const signedFields = ['playerId', 'gameCode', 'currency', 'language', 'mode'];
const freePlays = {
  playerId: 'änn',
  gameCode: 'game-bells',
  serial: 's-1',
  currency: 'EUR',
  stake: 100,
  count: 5,
};

describe('the kit’s own client of an operator is served (E24.1)', () => {
  test('assignPlayerFreerounds (operator-api 4.3)', async () => {
    const expires = '2027-01-01T00:00:00Z';
    const granted = await rig.client().assignPlayerFreerounds({ ...freePlays, expires });
    expect(granted).toMatchObject({ serial: 's-1', internalid: 'p1', count: 5, used: 0 });
    expect(Date.parse(granted.expires ?? '')).toBe(Date.parse(expires));
    expect(rig.worked).toEqual([
      [
        'assignPlayerFreerounds',
        operatorId,
        { ...freePlays, stake: 100n, expires: Date.parse(expires) },
      ],
    ]);
  });

  test('getStats (operator-api 4.4, E24.3)', async () => {
    const { records } = await rig.client().getStats({
      groupBy: ['day', 'GAME'],
      filterBy: { dateFrom: '2026-03-01', dateToIncluding: '2026-03-02', currency: 'EUR' },
      showTotals: false,
    });
    expect(records).toMatchObject([
      {
        DAY: '2026-03-01',
        currency: 'EUR',
        bet: '9007199254740991',
        win: '250',
        games: 3,
        player: 2,
        RTP: '96.10',
      },
    ]);
    expect(rig.worked).toMatchObject([
      [
        'getStats',
        operatorId,
        {
          groupBy: ['DAY', 'game'],
          dateFrom: '2026-03-01',
          dateToIncluding: '2026-03-02',
          currency: 'EUR',
          showTotals: false,
        },
      ],
    ]);
  });

  test('getGameConfiguration, the provider’s numbers as they were written (operator-api 4.5)', async () => {
    const asked = { gameCode: 'game-bells', currency: 'EUR' };
    const answer = await rig.client().getGameConfiguration(asked);
    expect(answer).toMatchObject({ stakes: ['10', '20', '50'], expectedRtp: '96.190' });
    expect(rig.worked).toEqual([['getGameConfiguration', operatorId, asked]]);
  });

  test('getGameList', async () => {
    const { gameList, extendedGameList } = await rig.client().getGameList();
    expect(gameList).toEqual({ 'game-bells': 'Bells' });
    expect(extendedGameList['game-bells']).toMatchObject({ name: 'Bells', studio: 'studio-1' });
  });

  test('getGameURL, and what follows it is done once the reply is sent (E24.2)', async () => {
    const body = { ...launch, playerId: 'ann', options: { minStake: 10 }, externalSessionId: 's' };
    const answer = await rig
      .client()
      .call({ method: 'POST', path: '/getGameURL', body, signedFields });
    expect(answer).toEqual({ url: 'https://game.example/?token=t&login=l' });
    expect(rig.worked[0]).toMatchObject([
      'getGameURL',
      operatorId,
      { playerId: 'ann', mode: 'REAL' },
    ]);
    while (rig.worked.length < 2) await new Promise(setImmediate);
    expect(rig.worked.slice(1)).toEqual([['afterReply']]);
  });

  test('getGameURL for DEMO signs no playerId if there is none (E24.2)', async () => {
    const body = { ...launch, mode: 'DEMO' };
    const fields = signedFields.slice(1);
    const answer = await rig
      .client()
      .call({ method: 'POST', path: '/getGameURL', body, signedFields: fields });
    expect(answer).toMatchObject({ url: expect.any(String) });
  });

  test('gameUrlSignedFields are those of another RGS, in their order (E24.2)', async () => {
    await rig.close();
    rig = await createRig({ gameUrlSignedFields: ['mode', 'playerId', 'externalSessionId'] });
    const call = (fields: readonly string[], body: Readonly<Record<string, string>>) =>
      rig.client().call({ method: 'POST', path: '/getGameURL', body, signedFields: fields });
    const body = { ...launch, playerId: 'ann' };
    await expect(call(['mode', 'playerId'], body)).resolves.toMatchObject({
      url: expect.any(String),
    });
    await expect(call(signedFields, body)).rejects.toThrow(SignatureRefusedError);
  });

  test('a wrong secret is a SignatureRefusedError', async () => {
    const client = rig.client({ secret: 'another-secret-0123456789' });
    await expect(client.getGameList()).rejects.toThrow(SignatureRefusedError);
    expect(rig.worked).toEqual([]);
  });

  test('a refusal of the service is a ServiceError with its id, and the error has a reference', async () => {
    await rig.close();
    rig = await createRig(
      {},
      { getGameList: () => Promise.reject(new EngineRefusedError('GAMENOTFOUND', 'E21.1')) },
    );
    const failed = await rig
      .client()
      .getGameList()
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ServiceError);
    expect(failed).toMatchObject({ status: 400, id: 9106 });
    expect(failed).toMatchObject({ errorReference: rig.events[0]?.error?.errorId });
  });
});
