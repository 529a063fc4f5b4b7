import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { RequestListener } from '../../platform/http';
import { CommandFailure } from '../terminal/failure';

/** A port whose listener comes later: its address is part of what the listener is made from. */
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
  await listen(server, port, host);
  const { port: found } = server.address() as AddressInfo;
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

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const why = isTaken ? 'the port is in use: choose another with --port' : error.message;
      reject(new CommandFailure(`Cannot listen on ${host}:${port}: ${why}`));
    });
    server.listen(port, host, resolve);
  });
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

/** Whether other machines can reach a listener on this host. */
export function isOpenToOthers(host: string): boolean {
  return !/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}

function isEvery(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

const notYet: RequestListener = (_request, response) => void response.writeHead(503).end();
