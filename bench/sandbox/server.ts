/** The remote game server of the measurement, in a process of its own: `createSandbox` over node:http. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFileJournal } from '../../lib/rgs/journal/file';
import { createMemoryJournal } from '../../lib/rgs/journal/memory';
import { createSandbox } from '../../lib/rgs/sandbox';
import { gameCode, operator, provider, type ServerArguments, type ServerMessage } from './parties';

async function main(): Promise<void> {
  const { walletUrl, routerUrl, journal } = JSON.parse(process.argv[2] ?? '') as ServerArguments;
  let port = 0;
  const sandbox = await createSandbox({
    operators: [{ operatorId: operator.operatorId, secrets: [operator.secret], wallet: walletUrl }],
    providers: [
      {
        gameProviderId: provider.gameProviderId,
        secrets: [provider.secret],
        router: routerUrl,
        games: [{ gameCode, name: 'Bells', launchUrl: `${routerUrl}/game` }],
      },
    ],
    url: () => `http://127.0.0.1:${port}`,
    journal: journal === null ? createMemoryJournal() : () => createFileJournal({ path: journal }),
  });
  const server = createServer(sandbox.handle);
  server.listen(0, '127.0.0.1', () => {
    ({ port } = server.address() as AddressInfo);
    say({ kind: 'listening', port });
  });
  process.on('message', (question) => {
    if (question === 'memory') {
      globalThis.gc?.();
      globalThis.gc?.();
      const { heapUsed, rss } = process.memoryUsage();
      say({ kind: 'memory', heapUsed, rss });
      return;
    }
    void sandbox.books().then(({ agree, doubts }) => {
      say({ kind: 'books', agree, doubts: doubts.length });
    });
  });
  process.on('disconnect', () => process.exit());
}

function say(message: ServerMessage): void {
  process.send?.(message);
}

void main();
