/* The remote game server as its own process: the sandbox of the built package, on a journal in a file. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createFileJournal, createSandbox } from 'rgs-wallet-kit/sandbox';
import type { BookedRound } from './provider-commands';

const {
  OPERATOR_ID: operatorId = '',
  OPERATOR_SECRET: operatorSecret = '',
  GAME_PROVIDER_ID: gameProviderId = '',
  PROVIDER_SECRET: studioSecret = '',
  WALLET_URL: wallet = '',
  PROVIDER_URL: router = '',
  JOURNAL: path = '',
} = process.env;

async function providersBook() {
  const reply = await fetch(`${router}/book`);
  return ((await reply.json()) as BookedRound[]).map(({ stake, win, ...round }) => ({
    ...round,
    stake: BigInt(stake),
    win: BigInt(win),
  }));
}

function game(gameCode: string, name: string) {
  return { gameCode, name, launchUrl: `https://game.example/${gameCode}` };
}

async function main(): Promise<void> {
  let url = '';
  const sandbox = await createSandbox({
    operators: [{ operatorId, secrets: [operatorSecret], wallet }],
    providers: [
      {
        gameProviderId,
        secrets: [studioSecret],
        router,
        games: [game('bells', 'Bells'), game('wheel', 'Wheel')],
        book: providersBook,
      },
    ],
    url: () => url,
    journal: () => createFileJournal({ path }),
    seed: 1,
    walletTimeoutMs: 2500,
  });
  const server = createServer(sandbox.handle);
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
    console.log(JSON.stringify({ port }));
  });
}

void main();
