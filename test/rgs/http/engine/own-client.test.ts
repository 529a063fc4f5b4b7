import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { EngineRefusedError } from '../../../../lib/protocol/engine-api/errors';
import { createGameEngineClient, type EngineMethods } from '../../../../lib/provider';
import { goodBodies } from './requests';
import { createRig, gameProviderId, type Rig, secret } from './rig';

let rig: Rig;

beforeEach(async () => {
  rig = await createRig({ basePath: '/gameapi/v2' });
});

afterEach(() => rig.close());

function clientOf(more: object = {}) {
  const baseUrl = `http://127.0.0.1:${rig.port}/gameapi/v2`;
  return createGameEngineClient({ baseUrl, gameProviderId, secret, attempts: 1, ...more });
}

describe('the kit’s own client of a game provider is served', () => {
  const requests: Readonly<Record<string, object>> = {
    ...goodBodies,
    getOperatorSettings: { game: 'bells', operator: 'acme', currency: 'EUR' },
  };
  test.each(Object.keys(requests))('%s', async (name) => {
    const call = clientOf()[name as keyof EngineMethods] as (request: object) => Promise<object>;
    expect(await call(requests[name] ?? {})).toEqual(expect.any(Object));
    expect(rig.worked.map((one) => [one.gameProviderId, one.name])).toEqual([
      [gameProviderId, name],
    ]);
    expect(rig.events).toMatchObject([{ call: name, verdict: 'verified', status: 200 }]);
    expect(rig.findings).toEqual([]);
  });

  test('getOperatorSettings signed as {} too (E2.3)', async () => {
    const query = { game: 'bells', operator: 'acme', currency: 'EUR' };
    const settings = await clientOf({ emptyBodyAs: '{}' }).getOperatorSettings(query);
    expect(settings).toMatchObject({ autoplayEnabled: true });
    expect(rig.events).toMatchObject([{ signed: 'emptyObject' }]);
  });

  test('a refusal comes with its code, its outcome and its reference (E3.1, S1)', async () => {
    await rig.close();
    rig = await createRig({
      basePath: '/gameapi/v2',
      answer: async () => {
        throw new EngineRefusedError('GAMEROUNDNOTACTIVE', 'E6');
      },
    });
    const failed = await clientOf()
      .endGameRound({ token: 't', gameRound: 'r' })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'SERVICE_ERROR',
      outcome: 'refused',
      serviceCode: 'GAMEROUNDNOTACTIVE',
      errorReference: rig.events[0]?.error?.errorId,
    });
  });
});
