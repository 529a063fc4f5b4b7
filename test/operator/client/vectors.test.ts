import { expect, test } from '@jest/globals';
import { type FreeroundsRequest, type RgsClient, ExactNumber } from '../../../lib/operator/client';
import { parseJson } from '../../../lib/protocol/json/parse';
import { writeJson } from '../../../lib/protocol/json/write';
import { readQuery } from '../../../lib/protocol/operator-api/read-call';
import { systemClock } from '../../../lib/platform';
import { vectorFile } from '../../protocol/signature/vectors';
import { rejectionOf, scriptedClient } from './scripted-fetch';

type Vector = (typeof vectorFile.vectors)[number];

/** Makes the call of a vector, by what its body or query says. */
const calls: Readonly<Record<string, (client: RgsClient, vector: Vector) => Promise<unknown>>> = {
  assignPlayerFreerounds: (client, { body = '' }) => {
    const document = parseJson(body);
    const asked = { ...Object(document.value) } as FreeroundsRequest;
    const stake = document.lexeme(Object(document.value), 'stake') ?? '';
    return client.assignPlayerFreerounds({ ...asked, stake });
  },
  getStats: (client, { body = '' }) => client.getStats({ ...Object(parseJson(body).value) }),
  getGameConfiguration: (client, { query = '' }) => {
    const { gameCode = '', currency = '' } = Object.fromEntries(readQuery(`?${query}`) ?? []);
    return client.getGameConfiguration({ gameCode, currency });
  },
  getGameList: (client) => client.getGameList(),
};

const vectors = vectorFile.vectors
  .filter(({ operation, valid }) => valid && operation in calls)
  .map((vector) => [vector.operation, vector.why, vector] as const);

test('there are vectors for every call that the client knows', () => {
  const operations = new Set<string>(vectors.map(([operation]) => operation));
  expect([...operations].toSorted()).toEqual(Object.keys(calls).toSorted());
});

test.each(vectors)('%s: %s: the client signs it as the published vector', async (_, __, vector) => {
  const { secret, operatorId, timestamp, signature } = vector;
  const clock = {
    ...systemClock,
    now: () => Date.parse(timestamp),
    pause: () => new Promise<void>(() => {}),
  };
  const { client, sent } = scriptedClient([[400, '']], { secret, operatorId, clock });
  await rejectionOf(calls[vector.operation]?.(client, vector) ?? Promise.resolve());
  expect(sent[0]?.init.headers).toMatchObject({
    'X-H-AUTH-ID': operatorId,
    'X-H-TIMESTAMP': timestamp,
    'X-H-AUTH-SIG': signature,
  });
});

test('a stake that a float does not hold is sent by its text', async () => {
  const { client, sent } = scriptedClient([[400, '']]);
  const body = { stake: new ExactNumber('0.10') };
  await rejectionOf(client.call({ method: 'POST', path: '/x', signedFields: ['stake'], body }));
  expect(sent[0]?.init.body).toBe(writeJson(body));
});
