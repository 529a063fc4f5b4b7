import type { RequestListener, Server } from 'node:http';

/** One of the ways to answer doTransactions that are measured. */
export interface Contestant {
  readonly title: string;
  /** Which server it keeps the money in. */
  readonly server: 'redis' | 'postgres';
  /** Makes what the server has to have, and opens the players with what they have at the start. */
  prepare(url: string, players: readonly string[]): Promise<void>;
  /** What each player has, in cents, read from the server and not asked of the contestant. */
  balances(url: string, players: readonly string[]): Promise<readonly number[]>;
  /** Its listener, or its server that does not listen yet, in a process of its own; or how its program is started on a port. */
  readonly start: ((url: string) => Promise<RequestListener | Server>) | Program;
}

/** A program that serves a wallet. */
export interface Program {
  readonly command: (url: string, port: number) => readonly string[];
  /** Who may call, if it is not the one operator of the bench. */
  readonly env?: { readonly [name: string]: string };
}
