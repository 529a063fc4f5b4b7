import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type Express } from 'express';
import express4 from 'express4';
import { createServer } from '../../../lib/operator/express/create-server';
import { stopServer } from '../../network/listening';

/** The Express versions that are supported, by name. */
export const frameworks: readonly (readonly [string, typeof express])[] = [
  ['Express 5', express],
  ['Express 4', express4],
];

/** The ways to start an app, by name. */
export const starts = [
  ['app.listen', (app: Express): Server => app.listen(0, '127.0.0.1')],
  ['createServer', (app: Express): Server => createServer(app).listen(0, '127.0.0.1')],
] as const;

/** Resolves to the port of a server that has begun to listen. */
export async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Sends bytes on a connection of their own and resolves to every byte that came until the server
 * closed it, but for the time in Date.
 */
export async function rawAnswer(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk as string;
  return text.replaceAll(/^Date: .*$/gm, 'Date: now');
}

/** Puts into an app what a test is about. */
export type Arrange = (app: Express, framework: typeof express) => unknown;

/** What an app answers on app.listen, and what its like does on createServer, byte for byte. */
export async function bothAnswers(
  framework: typeof express,
  arrange: Arrange,
  ask: string,
): Promise<[listened: string, created: string]> {
  const answer = async (start: (app: Express) => Server) => {
    const app = framework();
    arrange(app, framework);
    const server = start(app);
    try {
      return await rawAnswer(await portOf(server), ask);
    } finally {
      await stopServer(server);
    }
  };
  const [[, listen], [, create]] = starts;
  return [await answer(listen), await answer(create)];
}

/** A request as sent on the wire; its connection ends with the answer by default. */
export function requestOf(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const all = {
    Host: 'shop.test',
    Connection: 'close',
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
