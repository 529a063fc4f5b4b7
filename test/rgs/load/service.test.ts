import { describe, expect, test } from '@jest/globals';

import { type Vector, vectorFile } from '../../protocol/signature/vectors';
import { closeBefore, holdReply, loseReply, refuse, say } from './faults';
import { type FurtherCall, RgsService } from './service';
import { until } from '../../servers/until';
import { cleanupAfterEach } from '../../support/each-test';

const paths: Readonly<Record<string, string>> = {
  assignPlayerFreerounds: '/assignPlayerFreerounds',
  getStats: '/backoffice/getStats',
  getGameConfiguration: '/backoffice/getGameConfiguration',
  getGameList: '/backoffice/getGameList',
};
const ofTheOperator = vectorFile.vectors.filter(({ operation }) => operation in paths);
const [package1] = ofTheOperator;
const cleanup = cleanupAfterEach();

/** A service for the caller of a vector, at the time of the vector. */
async function serviceFor(
  { operatorId, secret, timestamp }: Vector,
  furtherCalls: readonly FurtherCall[] = [],
): Promise<RgsService> {
  const now = () => Date.parse(timestamp);
  const service = await RgsService.start({ operatorId, secret, now, furtherCalls });
  return cleanup.after(service);
}

function send(service: RgsService, vector: Vector, changed: object = {}): Promise<Response> {
  const { operation, method, query, body, operatorId, timestamp, signature } = vector;
  const target = `${paths[operation]}${query === undefined ? '' : `?${query}`}`;
  const headers = {
    'X-H-AUTH-ID': operatorId,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': signature,
    ...changed,
  };
  return fetch(service.url + target, { method, headers, ...(body === undefined ? {} : { body }) });
}

function aPackage(): Vector {
  if (package1 === undefined) throw new Error('there is no vector');
  return package1;
}

test.each(
  ofTheOperator.map((vector) => [vector.operation, vector.why, vector.valid, vector] as const),
)('a vector of %s (%s) is accepted if it is valid: %s', async (_, __, valid, vector) => {
  const service = await serviceFor(vector);
  expect((await send(service, vector)).status).toBe(valid ? 200 : 401);
  expect(service.requests).toMatchObject([{ isAuthentic: valid }]);
});

test.each<[string, Record<string, string>]>([
  ['another operator', { 'X-H-AUTH-ID': 'acme2' }],
  ['a stale timestamp', { 'X-H-TIMESTAMP': '2026-03-01T11:00:00.000Z' }],
  ['no signature', { 'X-H-AUTH-SIG': '' }],
])('%s is answered 401, id 1001, and nothing is done', async (_, changed) => {
  const service = await serviceFor(aPackage());
  const answer = await send(service, aPackage(), changed);
  expect([answer.status, await answer.json()]).toMatchObject([401, { errorCode: { id: 1001 } }]);
  expect(service.packages.size).toBe(0);
});

test('a package is kept by its serial, once', async () => {
  const service = await serviceFor(aPackage());
  const first = await (await send(service, aPackage())).json();
  expect(await (await send(service, aPackage())).json()).toEqual(first);
  expect(first).toMatchObject({ serial: 'serial-1', count: 5, used: 0 });
  expect([service.packages.size, service.packages.assignments]).toEqual([1, 2]);
});

test('a further call is verified by the fields it is said to sign', async () => {
  const vector = aPackage();
  const call = { method: 'POST', path: '/assign', reply: '{}' } as const;
  const signedFields = ['playerId', 'gameCode', 'serial', 'currency', 'stake', 'count'];
  const service = await serviceFor(vector, [
    { ...call, signedFields },
    { ...call, path: '/other', signedFields: [] },
  ]);
  const { body = '', operatorId, timestamp, signature } = vector;
  const headers = {
    'X-H-AUTH-ID': operatorId,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': signature,
  };
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(service.url + path, { method: 'POST', headers, body })).status;
  expect([await statusOf('/assign'), await statusOf('/other')]).toEqual([200, 401]);
});

describe('with a fault set, it', () => {
  test('does what is asked and loses the reply, once', async () => {
    const service = await serviceFor(aPackage());
    service.failNext(loseReply);
    await expect(send(service, aPackage())).rejects.toThrow('fetch failed');
    expect(service.packages.size).toBe(1);
    expect((await send(service, aPackage())).status).toBe(200);
  });

  test('closes before it does anything', async () => {
    const service = await serviceFor(aPackage());
    service.failNext(closeBefore);
    await expect(send(service, aPackage())).rejects.toThrow('fetch failed');
    expect([service.packages.size, service.requests.length]).toEqual([0, 1]);
  });

  test('replies when it is let go', async () => {
    const service = await serviceFor(aPackage());
    const { fault, letGo } = holdReply();
    service.failNext(fault);
    const answer = send(service, aPackage());
    await until('the package', () => service.packages.size);
    letGo();
    expect((await answer).status).toBe(200);
  });

  test('replies as set, at the path that is set, in turn', async () => {
    const service = await serviceFor(aPackage());
    service.failNext(say(500), '/elsewhere');
    service.failNext([say(503, 'x'), refuse(400, 12)], '/assignPlayerFreerounds');
    const first = await send(service, aPackage());
    expect([first.status, await first.text()]).toEqual([503, 'x']);
    const second = await send(service, aPackage());
    expect([second.status, await second.json()]).toMatchObject([400, { errorCode: { id: 12 } }]);
    expect((await send(service, aPackage())).status).toBe(200);
    expect(service.packages.assignments).toBe(1);
  });
});
