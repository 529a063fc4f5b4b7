import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { systemClock } from '../../../lib/platform';
import { createMemoryExchange, createMemoryFetch } from '../../../lib/platform/http/memory-server';
import { createGameEngineClient } from '../../../lib/provider';
import { createRgsClient } from '../../../lib/operator/client';
import { createFileJournal, createMemoryJournal, createSandbox } from '../../../lib/rgs/sandbox';
import { gameProviderId, operatorId, rig, studioSecret, walletSecret } from './rig';

describe('the handlers of a sandbox', () => {
  test('the engine calls can be mounted alone, below any path (E1.4)', async () => {
    const { clock, run, sandbox } = await rig();
    const app = express().use('/rgs/engine', sandbox.engineHandler);
    const game = createGameEngineClient({
      baseUrl: 'http://127.0.0.1/rgs/engine',
      gameProviderId,
      secret: studioSecret,
      clock,
      fetch: createMemoryFetch(app),
    });
    expect(await run(game.testPing({ testData: 'hello' }))).toMatchObject({ signed: 'body' });
    expect(sandbox.wire().calls).toMatchObject([
      { path: '/gameapi/v2/testPing', call: 'testPing', verdict: 'verified' },
    ]);
  });

  test('the operator calls with the client of the kit, and its signed string is shown masked (E24)', async () => {
    const { clock, run, sandbox } = await rig();
    const casino = createRgsClient({
      baseUrl: 'http://127.0.0.1:8090/operator',
      operatorId,
      secret: walletSecret,
      clock,
      fetch: sandbox.fetch,
    });
    expect(await run(casino.getGameList())).toMatchObject({ gameList: { bells: 'Bells' } });
    const [call] = sandbox.wire().calls;
    expect(call).toMatchObject({ line: 'operator-rgs', call: 'getGameList', verdict: 'verified' });
    expect(call?.signed).toMatch(/^\[secret\]#acme#2026-03-01T/);
  });
});

describe('the journal of a sandbox', () => {
  test('in a file it is opened again after a kill, and by the next process (B4)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const journal = () => createFileJournal({ path: join(folder, 'sandbox.journal') });
    const options = {
      operators: [{ operatorId, secrets: [walletSecret], wallet: nobody }],
      providers: [
        {
          gameProviderId,
          secrets: [studioSecret],
          router: nobody,
          games: [{ gameCode: 'bells', name: 'Bells', launchUrl: 'https://game.example/' }],
        },
      ],
      journal,
      clock: systemClock,
    };
    const player = { playerId: 'ann', gameCode: 'bells', currency: 'EUR', mode: 'DEMO' } as const;
    try {
      const first = await createSandbox(options);
      const url = await first.launch(player);
      await first.kill();
      await first.idle();
      await first.close();
      const second = await createSandbox(options);
      const target = `/gameapi/v2/connect?token=${new URL(url).searchParams.get('token')}`;
      const connect = { method: 'GET', target, rawHeaders: ['Host', 'x'], body: Buffer.alloc(0) };
      expect((await createMemoryExchange(second.handle)(connect)).status).toBe(200);
      await second.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('one that cannot be opened again refuses a kill, and says what to give', async () => {
    const { run, sandbox } = await rig({ journal: bound(createMemoryJournal()) });
    await expect(run(sandbox.kill())).rejects.toThrow('give the journal as a function');
  });
});

/** The journal's port alone. */
function bound(journal: ReturnType<typeof createMemoryJournal>) {
  return {
    append: journal.append.bind(journal),
    replay: journal.replay.bind(journal),
    compact: journal.compact.bind(journal),
    needsCompaction: journal.needsCompaction.bind(journal),
    close: journal.close.bind(journal),
  };
}

function nobody(_request: unknown, response: { writeHead(status: number): { end(): void } }): void {
  response.writeHead(404).end();
}
