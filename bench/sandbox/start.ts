import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGameProviderHandler } from '../../lib/provider';
import { reapWithThisProcess, temporaryFolder } from '../../test/servers/reaper';
import { forkTypeScript } from '../start-contestant';
import {
  currency,
  operator,
  provider,
  type ServerArguments,
  type ServerMessage,
  type ServerQuestion,
} from './parties';

/** A process of the measurement, and where it answers. */
export interface Party {
  readonly url: string;
  readonly child: ChildProcess;
}

/** `rgs-wallet serve` with its money in memory. */
export async function startWallet(players: readonly string[]): Promise<Party> {
  const folder = await temporaryFolder('sandbox');
  const file = join(folder, 'players.json');
  const accounts = players.map((playerId) => ({
    playerId,
    currency,
    balances: { real: '10000000' },
  }));
  await writeFile(file, JSON.stringify(accounts));
  const command = ['dist/cli/main.js', 'serve', '--store', 'memory:', '--port', '0'];
  const child = spawn(process.execPath, [...command, '--players', file], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      OPERATOR_ID: operator.operatorId,
      OPERATOR_SECRET: operator.secret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  return { url: await urlOf(child), child };
}

/** The first line of the log that has a URL. */
async function urlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the wallet has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error('the wallet ended before it listened');
}

/** The remote game server. */
export async function startServer(options: ServerArguments): Promise<Party> {
  const child = forkTypeScript('sandbox/server.ts', [JSON.stringify(options)], ['--expose-gc']);
  const listening = await next(child, 'listening');
  return { url: `http://127.0.0.1:${listening.port}`, child };
}

/** Asks the remote game server. */
export async function ask<K extends ServerQuestion>(
  { child }: Party,
  question: K,
): Promise<Extract<ServerMessage, { kind: K }>> {
  const answer = next(child, question);
  child.send(question);
  return answer;
}

/** The router of the game provider, in this process. */
export async function startRouter(): Promise<{ url: string; server: Server }> {
  const handler = createGameProviderHandler({
    providers: [{ gameProviderId: provider.gameProviderId, secrets: [provider.secret] }],
    getGameConfiguration: ({ currencyMultiplier }) => ({
      stakes: [100],
      currency,
      currencyMultiplier,
      expectedRtp: 96,
      maxPayoutOdds: 36,
    }),
  });
  const server = createServer(handler.handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function next<K extends ServerMessage['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<ServerMessage, { kind: K }>> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      const heard = message as ServerMessage;
      if (heard.kind !== kind) return;
      child.off('message', hear);
      resolve(heard as Extract<ServerMessage, { kind: K }>);
    };
    child.on('message', hear);
    child.once('exit', () => reject(new Error('the remote game server ended')));
  });
}
