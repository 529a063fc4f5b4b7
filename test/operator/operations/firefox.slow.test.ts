import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createCallWatch, createOperationsHandler } from '../../../lib/operator/operations';
import { Firefox } from '../../servers/firefox/firefox';
import { hostile, operatorId, queryOf } from './fixture';
import { hostileStore, paths } from './hostile-pages';

let firefox: Firefox;
let server: Server;
let origin = '';

beforeAll(async () => {
  const calls = createCallWatch();
  calls.onOutcome({ status: 200, durationMs: 7 });
  const { handle } = createOperationsHandler({
    store: await hostileStore(),
    operators: [operatorId],
    calls,
    authorize: () => ({ id: 'maria', name: 'Maria', may: ['look', 'block', 'propose', 'approve'] }),
  });
  server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  firefox = await Firefox.start();
});

afterAll(async () => {
  await firefox.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  [320, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const)(
  'in Firefox with JavaScript off, at %d px in %s colours, no page is wider than the screen, has markup of an id, or does what its policy forbids',
  async (width, colours) => {
    await firefox.show({ width, colours });
    for (const path of paths) {
      const { title, beside, innerWidth, ...page } = await firefox.open(origin + path);
      expect({ path, beside, innerWidth }).toEqual({ path, beside: 0, innerWidth: width });
      expect(page).toMatchObject({ isDark: colours === 'dark', images: 0, scripts: 0 });
      expect(title).not.toBe('broken');
    }
    expect(await firefox.refused()).toEqual([]);
  },
);

test('in Firefox with JavaScript off, a person comes from the list to a round by its link', async () => {
  await firefox.show({ width: 390, colours: 'light' });
  await firefox.open(origin);
  await firefox.click(`.rows a[href^="round?"]`);
  expect(await firefox.text('h1')).toBe(`Round ${hostile}`);
  const { text } = await firefox.open(`${origin}/player?${queryOf({ player: hostile })}`);
  expect(text).toContain(hostile);
});

test('a style that the policy forbids would be seen', async () => {
  const forbidden = createServer((_, response) => {
    response.setHeader('content-security-policy', "default-src 'none'");
    response.setHeader('content-type', 'text/html');
    response.end('<title>x</title><p style="color: red">x</p>');
  });
  await new Promise<void>((resolve) => forbidden.listen(0, '127.0.0.1', resolve));
  try {
    await firefox.open(`http://127.0.0.1:${(forbidden.address() as AddressInfo).port}/`);
    expect(await firefox.refused()).toHaveLength(1);
  } finally {
    forbidden.closeAllConnections();
    await new Promise((resolve) => forbidden.close(resolve));
  }
});
