import { describe, expect, test } from '@jest/globals';

import { EngineRefusedError } from '../../../lib/protocol/engine-api/errors';
import { type PostedCall, readRequest } from '../../../lib/protocol/engine-api/read-request';
import { parseJson } from '../../../lib/protocol/json/parse';
import { bodyOf, calls, type Field, fieldsOf, wrongOf } from './request-bodies';

function read(name: PostedCall, body: string): unknown {
  return readRequest(name, parseJson(body));
}

function amount(json: string): unknown {
  return read('collectWin', bodyOf('collectWin', 'amount', json));
}

function payloadOf(payload: string, endPoint = '"getDoubles"'): string {
  return `{"token":"t","rngEndPoint":${endPoint},"rngPayload":${payload}}`;
}

/** What is not answered by 400, id 19, a rule and the name of the field; null where it is. */
function faultOf(name: PostedCall, field: Field, json: string | null): string | null {
  const what = `${name} ${field.path} ${json?.slice(0, 40) ?? 'absent'}`;
  try {
    read(name, bodyOf(name, field.path, json));
  } catch (error) {
    if (!(error instanceof EngineRefusedError)) throw error;
    const { id, msg } = error.errorObject;
    const isRefusal = error.status === 400 && id === 19 && /\((?:C1|E\d+\.\d+)\)$/.test(msg);
    return isRefusal && msg.includes(field.path) ? null : `${what}: ${msg}`;
  }
  return `${what}: accepted`;
}

describe.each(calls)('%s', (name) => {
  const fields = fieldsOf(name);

  test('a whole body is read', () => {
    expect(() => read(name, bodyOf(name))).not.toThrow();
  });

  test('a field that is wrong in any way is a 19 that names it and its rule (E4, C1)', () => {
    const faults = fields.flatMap((field) =>
      wrongOf[field.kind].flatMap((json) => faultOf(name, field, json) ?? []),
    );
    expect(faults).toEqual([]);
  });

  test('a required field that is absent or null is a 19 (E4.3, C1)', () => {
    const required = fields.filter(({ isRequired }) => isRequired);
    const faults = required.flatMap((field) => {
      const ways = field.kind === 'payload' ? [null] : [null, 'null'];
      return ways.flatMap((json) => faultOf(name, field, json) ?? []);
    });
    expect(faults).toEqual([]);
  });

  test('null is absent in a field that is optional (E4.3)', () => {
    for (const { path } of fields.filter(({ isRequired }) => !isRequired)) {
      expect(read(name, bodyOf(name, path, 'null'))).toEqual(read(name, bodyOf(name, path)));
    }
  });

  test('unknown members are ignored, whatever they hold (E4.3)', () => {
    const body = `{"unknown":{"a":[null,{"b":1e999}]},${bodyOf(name).slice(1)}`;
    expect(read(name, body)).toEqual(read(name, bodyOf(name)));
  });

  test.each(['[]', '"x"', '7', 'null', 'true'])('a body that is %s is a 19', (body) => {
    expect(() => read(name, body)).toThrow(EngineRefusedError);
  });
});

describe('a field that may be spelled in two ways (E4.1, E4.3)', () => {
  const spelled = calls.flatMap((name) =>
    fieldsOf(name).flatMap(({ path, kind, json }): [PostedCall, string, string, string][] => {
      if (kind === 'amount') return [[name, path, json, JSON.stringify(json)]];
      return kind === 'flag' ? [[name, path, json, JSON.stringify(json)]] : [];
    }),
  );

  test.each(spelled)('%s %s: %s is %s', (name, path, one, other) => {
    expect(read(name, bodyOf(name, path, other))).toEqual(read(name, bodyOf(name, path, one)));
  });

  test('each is read as it says', () => {
    expect(amount('0')).toMatchObject({ amount: 0n });
    expect(amount('"100"')).toMatchObject({ amount: 100n });
    expect(amount('9007199254740991')).toMatchObject({ amount: 9007199254740991n });
    expect(amount('"9007199254740991"')).toMatchObject({ amount: 9007199254740991n });
  });
});

describe('the limits of an identifier (E4.2)', () => {
  test.each([
    ['endGameRound', 'externalGameProviderTransactionId', 32],
    ['startGameRound', 'externalGameProviderRoundId', 32],
    ['endGameRound', 'gameRound', 128],
    ['addWin', 'rngResult/rngCallId', 128],
    ['getBalance', 'token', 512],
  ] as const)('%s %s has at most %i characters', (name, path, most) => {
    const of = (length: number) => bodyOf(name, path, JSON.stringify('ü'.repeat(length)));
    expect(() => read(name, of(most))).not.toThrow();
    expect(() => read(name, of(most + 1))).toThrow(EngineRefusedError);
  });

  test('ids are kept byte for byte', () => {
    const id = 'Ü r.\\"<id>';
    const body = bodyOf('endGameRound', 'gameRound', JSON.stringify(id));
    expect(read('endGameRound', body)).toMatchObject({ gameRound: id });
  });
});

describe('getRandomResult (E22.1)', () => {
  test('one number from 0 unless set', () => {
    const request = { token: 't', rngEndPoint: 'getDoubles', count: 1, min: 0, max: 2.5 };
    expect(read('getRandomResult', payloadOf('{"max":2.5}'))).toEqual(request);
  });

  test.each([
    [payloadOf('{"min":2,"max":1}')],
    [payloadOf('{"max":-1}')],
    [payloadOf('{"max":1.5}', '"getIntegers"')],
    [payloadOf('{"max":9007199254740992}', '"getIntegers"')],
    [payloadOf('{"min":-1.5,"max":1}', '"getIntegers"')],
  ])('%s is refused', (body) => {
    expect(() => read('getRandomResult', body)).toThrow(
      expect.objectContaining({ error: 'INVALIDPARAMETER', rule: 'E22.1' }),
    );
  });
});

test('a spin counter needs one of awarded and used (E11.1)', () => {
  const body = bodyOf('addSpinCounterGameState', 'rngResult/result', '{}');
  expect(() => read('addSpinCounterGameState', body)).toThrow(EngineRefusedError);
});
