import { createServer } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import type { RequestListener } from '../../platform/http';
import { listenOn } from '../terminal/http-service';
import { createOperatorHandler } from '../../operator/http/handler';
import { createMemoryStore } from '../../operator/stores/memory';
import { openPlayers, type FilePlayer } from '../serve/players';
import type { Player } from '../../proof/demo/scenarios';
import type { Identity } from './identity';

/** A port that is open before its listener exists, because the listener needs the address. */
export interface OpenPort {
  /** Without a path. */
  readonly url: string;
  readonly port: number;
  /** From now on requests are answered; those that came before were answered 503. */
  serve(listener: RequestListener): void;
  close(): Promise<void>;
}

/** @throws CommandFailure if the address cannot be used. */
export async function openPort(port: number, host: string): Promise<OpenPort> {
  let answer: RequestListener = notYet;
  const server = createServer((request, response) => answer(request, response));
  const found = await listenOn(server, port, host);
  return {
    url: `http://${nameOf(host)}:${found}`,
    port: found,
    serve: (listener) => {
      answer = listener;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The name by which this machine itself reaches the host. */
function nameOf(host: string): string {
  return isEvery(host) ? '127.0.0.1' : bracketed(host);
}

/** What browsers may send as Host for a listener on this host, besides loopback. */
export function hostsOf(host: string, port: number): string[] {
  const found = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const every = [hostname(), ...found.map(({ address }) => address)];
  return (isEvery(host) ? every : [host]).map((one) => `${bracketed(one)}:${port}`);
}

function isEvery(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

const notYet: RequestListener = (_request, response) => void response.writeHead(503).end();

/** The wallet in memory that is used if none is given. */
export interface OwnWallet {
  readonly url: string;
  /** Opens a player who did not exist, with 1000.00. */
  newPlayer(): Promise<Player>;
  close(): Promise<void>;
}

/** Minor units. */
const newBalance = '100000';

/** Who plays where no file says it. */
export const defaultPlayers: readonly FilePlayer[] = ['ann', 'bob'].map((playerId) => ({
  playerId,
  currency: 'EUR',
  balances: { real: newBalance },
}));

/** Starts the kit's own wallet on a free port of this machine. */
export async function startWallet(
  { id: operatorId, secret }: Identity,
  players: readonly FilePlayer[],
  file: string,
): Promise<OwnWallet> {
  const store = createMemoryStore();
  const operators = [{ operatorId, secrets: [secret] }];
  const handler = createOperatorHandler({ store, operators });
  await openPlayers(store, operators, players, file);
  const port: OpenPort = await openPort(0, '127.0.0.1');
  port.serve(handler.handle);
  let count = 0;
  return {
    url: port.url,
    async newPlayer() {
      const player = { playerId: `player-${++count}`, currency: 'EUR' };
      await openPlayers(
        store,
        operators,
        [{ ...player, balances: { real: newBalance } }],
        'players',
      );
      return player;
    },
    async close() {
      await port.close();
      await handler.close();
      await store.close();
    },
  };
}
