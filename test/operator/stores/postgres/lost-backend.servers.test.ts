import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { give, openingOf, real, take } from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const round = { operatorId: 'op', playerId: 'p', gameRound: 'round' };

/** What a client is told of a server's session that was lost. */
interface Loss {
  readonly severity: string;
  readonly code: string;
}

/**
 * How poolers and distributed coordinators report it. Some keep the client's session, so it is an ERROR, and nothing tells
 * whether the lost session had committed.
 */
const losses: readonly (readonly [string, Loss])[] = [
  ['its administrator ended it', { severity: 'ERROR', code: '57P01' }],
  ['another session crashed the server', { severity: 'ERROR', code: '57P02' }],
  ['the server starts again', { severity: 'ERROR', code: '57P03' }],
  ['it was idle for too long', { severity: 'ERROR', code: '57P05' }],
  ['the connection failed', { severity: 'ERROR', code: '08006' }],
  ['the connection does not exist', { severity: 'ERROR', code: '08003' }],
  ['the outcome of the transaction is unknown', { severity: 'ERROR', code: '08007' }],
  ['the protocol was violated', { severity: 'ERROR', code: '08P01' }],
  ['the completion of the statement is unknown', { severity: 'ERROR', code: '40003' }],
  ['the system failed', { severity: 'ERROR', code: '58000' }],
  ['its administrator ended it, in German', { severity: 'FEHLER', code: '57P01' }],
  ['its administrator ended it, as the server says it', { severity: 'FATAL', code: '57P01' }],
];

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let pool: Pool;
let pooler: Pooler;
let store: AccountStore;

beforeEach(async () => {
  const url = await server().createDatabase();
  pooler = cleanup.after(await startPooler(server().port));
  const through = new URL(url);
  through.port = String(pooler.port);
  pool = cleanup.after(new Pool({ connectionString: through.href, max: 1 }));
  store = cleanup.after(createPostgresStore({ ...patience, pool, decimals: 0, init: true }));
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '100' } });
});

/** A pooler in small: a client keeps its session while the one at the server is lost. */
interface Pooler {
  readonly port: number;
  /** The next statement that has this text is executed, and its answer lost: the client is told of the loss. */
  loseNext(text: string, loss: Loss): void;
  /** How many clients have connected. */
  connections(): number;
  close(): void;
}

async function startPooler(serverPort: number): Promise<Pooler> {
  let lost: { text: string; loss: Loss } | null = null;
  let connections = 0;
  const listener = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let answering: Loss | null = null;
    connections += 1;
    client.on('data', (bytes) => {
      if (lost !== null && bytes.includes(lost.text)) {
        answering = lost.loss;
        lost = null;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (answering === null) return void client.write(bytes);
      // The server is ready for the next statement, so this one has committed.
      if (!bytes.subarray(-readyForQuery.length).equals(readyForQuery)) return;
      client.write(Buffer.concat([errorResponse(answering), readyForQuery]));
      answering = null;
    });
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    loseNext: (text, loss) => void (lost = { text, loss }),
    connections: () => connections,
    close: () => void listener.close(),
  };
}

/** ReadyForQuery, outside a transaction. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I');

function errorResponse({ severity, code }: Loss): Buffer {
  const fields = Buffer.from(`S${severity}\0C${code}\0Mthe session at the server was lost\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

async function balance(): Promise<bigint | undefined> {
  const known = await store.rounds.accounts(player);
  return known.kind === 'known' ? known.accounts?.[0]?.real : undefined;
}

test.each(losses)(
  'a session of the server that was lost after its commit leaves the outcome unknown: %s',
  async (_, loss) => {
    const order = { ...player, amount: '7', reference: 'r' };
    pooler.loseNext('record_cash', loss);
    expect(await store.players.deposit(order)).toMatchObject({ kind: 'unknown' });
    expect(await store.players.deposit(order)).toMatchObject({ kind: 'done', replay: true });
    const opening = openingOf([take('d', 10n)]);
    pooler.loseNext('commit_round', loss);
    expect(await store.rounds.commit(round, opening, ['d'])).toMatchObject({ kind: 'unknown' });
    expect(await store.rounds.commit(round, opening, ['d'])).toMatchObject({ kind: 'stale' });
    const more = followUpOf([give('c', real(25n))]);
    pooler.loseNext('follow_round', loss);
    expect(await store.rounds.follow?.(round, more)).toMatchObject({ kind: 'unknown' });
    expect(await store.rounds.follow?.(round, more)).toMatchObject({ kind: 'other' });
    expect(await balance()).toBe(122n);
    // The first connection, and one in place of each that told of a loss.
    expect(pooler.connections()).toBe(4);
  },
);
