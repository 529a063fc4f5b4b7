import { createServer } from 'node:http';

import { expect, test } from '@jest/globals';

import { LossyLink } from '../../lib/proof/demo/link';
import { listen } from '../network/listening';

test('a reply that the link loses was made by the server, and never comes to the caller', async () => {
  let answered = 0;
  const server = createServer((_, response) => response.end(String(++answered)));
  const port = await listen(server);
  const link = await LossyLink.to(port);
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
