import { describe, expect, test } from '@jest/globals';
import { InvalidReplyError, readExactAmount, type RgsClient } from '../../../lib/operator/client';
import { growthFactor, growthOf, isLinear } from '../../platform/growth';
import { jsonShapes } from '../../protocol/json/hostile-json';
import { rejectionOf, scriptedClient } from './scripted-fetch';

const large = 512 * 1024;
const sizes = { small: large / growthFactor, large };

/** Asks for the list of games and reads the reply, whatever becomes of it. */
async function read(reply: string): Promise<unknown> {
  return scriptedClient([reply])
    .client.getGameList()
    .catch((error: unknown) => error);
}

/** The reply of so many bytes that names a game every 16. */
function listOf(size: number): string {
  const names = Array.from({ length: size / 16 }, (_, at) => `"g${at}":"x"`);
  return `{"gameList":{${names.join()}}}`;
}

/** A number of so many characters, with zeros inside. */
function digits(count: number): string {
  return `1${'0'.repeat(count - 4)}1e0`;
}

describe('a reply costs time that is linear in its bytes, however hostile the service is', () => {
  test.each(Object.entries(jsonShapes))('%s', async (_, shape) => {
    const growth = await growthOf(
      sizes,
      (size) => `{"gameList":{},"more":${shape(size - 24)}}`,
      read,
    );
    expect({ ...growth, isLinear: isLinear(growth) }).toMatchObject({ isLinear: true });
  });

  test('a key for each game', async () => {
    const growth = await growthOf(sizes, listOf, read);
    expect({ ...growth, isLinear: isLinear(growth) }).toMatchObject({ isLinear: true });
  });
});

const gift = { playerId: 'ann', gameCode: 'bells', serial: 's', currency: 'EUR', count: 5 };
const places: Readonly<
  Record<string, readonly [(number: string) => string, (client: RgsClient) => Promise<unknown>]>
> = {
  'the count of a package': [
    (number) => `{"serial":"s","count":${number},"used":0}`,
    (client) => client.assignPlayerFreerounds({ ...gift, stake: '1' }),
  ],
  'the games of a record': [
    (number) => `{"records":[{"games":${number}}]}`,
    (client) => client.getStats(),
  ],
  'the id of an error': [
    (number) => `{"errorCode":{"id":${number}}}`,
    (client) => client.getGameList(),
  ],
};

describe.each(Object.entries(places))('%s', (_, [replyOf, call]) => {
  test('with 40,000 digits is refused in time that is linear in them', async () => {
    const reply = replyOf(digits(40_000));
    const error = await rejectionOf(call(scriptedClient([reply]).client));
    expect(error).toBeInstanceOf(InvalidReplyError);
    const growth = await growthOf(
      { small: 40_000 / growthFactor, large: 40_000 },
      digits,
      async (number) => call(scriptedClient([replyOf(number)]).client).catch(() => null),
    );
    expect({ ...growth, isLinear: isLinear(growth) }).toMatchObject({ isLinear: true });
  });
});

test('an amount of many digits is not read, in time that is linear in them', async () => {
  expect(() => readExactAmount(digits(40_000), 2)).toThrow(TypeError);
  const growth = await growthOf(
    { small: 400_000 / growthFactor, large: 400_000 },
    digits,
    (text) => {
      try {
        return readExactAmount(text, 2);
      } catch {
        return null;
      }
    },
  );
  expect({ ...growth, isLinear: isLinear(growth) }).toMatchObject({ isLinear: true });
});
