import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { createRgsClient, type RgsClient } from '../../../../lib/operator/client';
import type { BooksView } from '../../../../lib/rgs/sandbox/view/books';
import type { FaultRequest, StateView } from '../../../../lib/rgs/sandbox/view/state';
import type { WireCall, WireView } from '../../../../lib/rgs/sandbox/view/wire';
import {
  OPERATOR,
  OPERATOR_ID,
  SECRET,
  signer,
  startService,
  temporaryFile,
} from '../../../cli/cli';
import { reapWithThisProcess, temporaryFolder } from '../../../servers/reaper';
import { preloaded } from '../../../support/openapi/preloaded';
import type { Answer, BookedRound, Command } from './provider-commands';

const ROOT = join(__dirname, '../../../..');
const shared = {
  OPERATOR_ID,
  OPERATOR_SECRET: SECRET,
  GAME_PROVIDER_ID: 'studio-1',
  PROVIDER_SECRET: 'a-secret-of-the-studio-1',
};

/** What every player has at the wallet at first, in units. */
export const PURSE = 10_000n;

/** The wallet, the remote game server and a game provider, each its own process. */
export interface Parties {
  /** Calls the operator's back office makes, signed by its secret. */
  readonly operator: RgsClient;
  /** What an operator's call comes to with a time limit for one attempt. */
  operatorWithin(attemptTimeoutMs: number): RgsClient;
  /** Tells the provider's process to do something. */
  command(command: Command): Promise<Answer>;
  /** The provider's own book. */
  providersBook(): Promise<readonly BookedRound[]>;
  /** getBalance at the wallet itself, signed here. */
  walletBalance(playerId: string): Promise<bigint>;
  state(): Promise<StateView>;
  books(): Promise<BooksView>;
  /** The calls on the lines after this number, oldest first. */
  wireSince(since: number): Promise<readonly WireCall[]>;
  /** POST /sandbox/NAME. */
  act(name: 'clock' | 'janitor' | 'kill' | 'resolve', body: object): Promise<void>;
  setFault(fault: FaultRequest): Promise<void>;
  clearFaults(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the three of them; the players are at the wallet. */
export async function startParties(players: readonly string[]): Promise<Parties> {
  const opened = players.map((playerId) => {
    return { playerId, currency: 'EUR', balances: { real: String(PURSE) } };
  });
  const [provider, wallet] = await Promise.all([
    startProgram('provider.ts', shared),
    startService(
      ['--players', await temporaryFile('players.json', opened), '--log-level', 'info'],
      OPERATOR,
    ),
  ]);
  const journal = join(await temporaryFolder('rgs'), 'journal');
  const places = { WALLET_URL: wallet.url, PROVIDER_URL: provider.url, JOURNAL: journal };
  const rgs = await startProgram('rgs.ts', { ...shared, ...places });

  const read = async <T>(path: string): Promise<T> => {
    const reply = await fetch(`${rgs.url}/sandbox/${path}`);
    if (!reply.ok) throw new Error(`GET ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  const write = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${rgs.url}/sandbox/${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  };
  const command = async (given: Command): Promise<Answer> => {
    const body = JSON.stringify(given);
    const reply = await fetch(`${provider.url}/command`, { method: 'POST', body });
    if (!reply.ok) throw new Error(`the provider: ${await reply.text()}`);
    return (await reply.json()) as Answer;
  };
  const operatorWithin = (attemptTimeoutMs: number): RgsClient =>
    createRgsClient({
      baseUrl: `${rgs.url}/operator`,
      operatorId: OPERATOR_ID,
      secret: SECRET,
      attemptTimeoutMs,
    });
  await command({ kind: 'rgs', url: `${rgs.url}/gameapi/v2` });
  return {
    operator: operatorWithin(20_000),
    operatorWithin,
    command,
    async providersBook() {
      return (await (await fetch(`${provider.url}/book`)).json()) as BookedRound[];
    },
    async walletBalance(playerId) {
      const asked = { playerId, currency: 'EUR', gameCode: 'bells' };
      const { status, text } = await wallet.call(signer.getBalance(asked));
      if (status !== 200) throw new Error(`getBalance: ${status} ${text}`);
      const { balances } = JSON.parse(text) as { balances: { amount: number }[] };
      return balances.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    },
    state: () => read('state'),
    books: () => read('books'),
    async wireSince(since) {
      const calls: WireCall[] = [];
      for (let from = since; ; from = calls.at(-1)?.n ?? from) {
        const page = await read<WireView>(`wire?since=${from}`);
        if (page.calls.length === 0) return calls;
        calls.push(...page.calls);
      }
    },
    act: (name, body) => write('POST', name, body),
    setFault: (fault) => write('POST', 'faults', fault),
    clearFaults: () => write('DELETE', 'faults', {}),
    async stop() {
      await Promise.all([rgs.stop(), provider.stop(), wallet.stop()]);
    },
  };
}

interface Program {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program of this folder, and resolves once it has printed its port. */
async function startProgram(name: string, env: Readonly<Record<string, string>>): Promise<Program> {
  const { PATH = '', HOME = '' } = process.env;
  const args = [
    '--require',
    './bench/register.cjs',
    ...preloaded.args,
    join('test/rgs/end-to-end/processes', name),
  ];
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH, HOME, ...preloaded.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  const exit = once(child, 'close');
  if (child.stdout === null) throw new Error('it has no stdout');
  const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const ended = exit.then(([code]) => Promise.reject(new Error(`${name} ended: ${String(code)}`)));
  ended.catch(() => {});
  const [line] = await Promise.race([first, ended]);
  const { port } = JSON.parse(line) as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
