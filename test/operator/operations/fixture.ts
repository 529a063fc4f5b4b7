import type { RequestListener } from 'node:http';

import type { CreditRecord, RoundState } from '../../../lib/operator/gameround';
import { unseenRound } from '../../../lib/operator/gameround';
import {
  createOperationsHandler,
  type OperationsOptions,
  type Person,
} from '../../../lib/operator/operations';
import { createMemoryStore, type MemoryStoreOptions } from '../../../lib/operator/stores/memory';
import type { FullStore, RoundKey, WalletStore } from '../../../lib/operator/wallet';
import { createMemoryExchange } from '../../../lib/platform/http/memory-server';

/** A name that would be markup if a page did not escape it. */
export const hostile = `<img src=x onerror="document.title='broken'">`;

/** Midnight at the start of 2026, in milliseconds since 1970. */
export const newYear = Date.UTC(2026, 0, 1);

export const operatorId = 'casino';

export const maria: Person = { id: 'maria', name: 'Maria', may: ['look', 'block', 'export'] };

/** A round in this state since then, as a commit of the wallet would leave it: a win was refused, no money moved. */
export async function putRound(
  store: WalletStore,
  key: Partial<RoundKey> & Pick<RoundKey, 'gameRound'>,
  state: RoundState,
  since: number = newYear,
  amount = 25_000n,
): Promise<void> {
  const round = { operatorId, playerId: 'ann', ...key };
  const record: CreditRecord = {
    type: 'credit',
    outcome: 'CREDITREFUSED',
    currency: 'EUR',
    amount,
    serial: null,
    purse: { real: 0n, bonus: 0n },
    at: since,
    fingerprints: [],
  };
  const after = {
    ...unseenRound,
    version: 1,
    state,
    changedAt: since,
    currency: 'EUR',
    gameCode: `bells-${key.gameRound.length}`,
    started: true,
  };
  const records = [{ hash: `win of ${key.gameRound}`, record }];
  const result = await store.rounds.commit(round, {
    before: unseenRound,
    after,
    records,
    movements: [],
  });
  if (result.kind !== 'committed') throw new Error(`the round was not written: ${result.kind}`);
}

/** A store with one player, ann, who has 100 EUR. */
export async function storeWithAnn(
  playerId = 'ann',
  options: MemoryStoreOptions = {},
): Promise<FullStore> {
  const store = createMemoryStore(options);
  await store.players.openPlayer({
    operatorId,
    playerId,
    currency: 'EUR',
    balances: { real: '100' },
  });
  return store;
}

/** What a page answered. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text as JSON. */
  json(): unknown;
}

/** Asks for pages and posts forms, over HTTP without a port. */
export interface Browser {
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  head(target: string): Promise<Reply>;
  /** Posts a form as a browser does from a page of ours, unless the headers say otherwise. */
  post(
    target: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
}

/** The headers of a browser that posts from our own page. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' } as const;

/** A browser of the pages over a store, as Maria unless the options say who asks. */
export function open(
  store: WalletStore,
  options: Partial<Omit<OperationsOptions, 'store'>> = {},
): Browser {
  const { handle } = createOperationsHandler({
    store,
    operators: [operatorId],
    authorize: () => maria,
    ...options,
  });
  return browse(handle);
}

/** A browser of any listener. */
export function browse(listener: RequestListener): Browser {
  const exchange = createMemoryExchange(listener);
  const ask = async (
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<Reply> => {
    const given = { host: 'ops.example', ...headers };
    const reply = await exchange({
      method,
      target,
      rawHeaders: Object.entries(given).flat(),
      body: Buffer.from(body),
    });
    const text = reply.body.toString('utf8');
    return { status: reply.status, headers: reply.headers, text, json: () => JSON.parse(text) };
  };
  return {
    get: (target, headers = {}) => ask('GET', target, headers),
    head: (target) => ask('HEAD', target, {}),
    post: (target, fields, headers = sameOrigin) =>
      ask(
        'POST',
        target,
        { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams(fields).toString(),
      ),
  };
}

/** The query of a player or a round. */
export function queryOf(ids: Readonly<Record<string, string>>): string {
  return new URLSearchParams({ operator: operatorId, ...ids }).toString();
}

/** The words of a page, without its markup and the choices of its forms. */
export function wordsOf(page: string): string {
  return page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<option.*?<\/option>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** The verdict of a page: its title. */
export function verdictOf(page: string): string | undefined {
  return /<div class="state [^>]*role="status"><b>.*?<span>(.*?)<\/span><\/b>/s.exec(page)?.[1];
}
