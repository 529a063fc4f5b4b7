import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from '@jest/globals';

import { LossyLink } from '../../lib/proof/demo/link';

test('a reply that the link loses was made by the server, and never comes to the caller', async () => {
  let answered = 0;
  const server = createServer((_, response) => response.end(String(++answered)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await LossyLink.to((server.address() as AddressInfo).port);
  const call = async () =>
    (await fetch(`http://127.0.0.1:${link.port}`, { headers: { connection: 'close' } })).text();
  expect(await call()).toBe('1');
  link.loseNextReply();
  await expect(call()).rejects.toThrow('fetch failed');
  expect(answered).toBe(2);
  expect(await call()).toBe('3');
  link.close();
  server.close();
});
