import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import {
  createCallWatch,
  createOperationsHandler,
  type OperationsOptions,
} from '../../../lib/operator/operations';
import { Firefox } from '../../servers/firefox/firefox';
import { hostile, operatorId, queryOf } from './fixture';
import { hostileStore, paths } from './hostile-pages';
import { dayOfMoney, paths as pathsOfDay } from './money/hostile-day';

let firefox: Firefox;
const servers: Server[] = [];
let origin = '';
let originOfDay = '';

async function serve(options: Pick<OperationsOptions, 'store' | 'clock'>): Promise<string> {
  const calls = createCallWatch();
  calls.onOutcome({ status: 200, durationMs: 7 });
  const { handle } = createOperationsHandler({
    ...options,
    operators: [operatorId],
    calls,
    authorize: () => ({ id: 'maria', name: 'Maria', may: ['look', 'block', 'propose', 'approve'] }),
  });
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  origin = await serve({ store: await hostileStore() });
  originOfDay = await serve(await dayOfMoney());
  firefox = await Firefox.start();
});

afterAll(async () => {
  await firefox.close();
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
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
    const ofDay = pathsOfDay.map((path) => originOfDay + path);
    for (const path of [...paths.map((one) => origin + one), ...ofDay]) {
      const { title, beside, innerWidth, ...page } = await firefox.open(path);
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
