import * as fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { runs } from '../../support/runs';

import { Secret } from '../../../lib/protocol/signature';
import type { FetchReply } from '../../../lib/protocol/client/ports';
import { createProviderLine } from '../../../lib/rgs/client/provider-line';
import { createWalletLine } from '../../../lib/rgs/client/wallet-line';
import type { Due, Owner } from '../../../lib/rgs/rounds/round';
import { settle } from '../../../lib/rgs/settlement/settle';
import { secret } from './noted-fetch';

const owner: Owner = {
  gameProviderId: 'studio-1',
  operatorId: 'acme',
  playerId: 'ann',
  gameCode: 'bells',
  mode: 'REAL',
  currency: 'EUR',
  currencyMultiplier: '1',
};
const credit: Due = {
  type: 'credit',
  hash: 'c1',
  at: 0,
  reason: 'win',
  amount: 250n,
  currency: 'EUR',
};

/** JSON that resembles a reply, or anything else. */
const said = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
  fc
    .record(
      {
        hashesProcessed: fc.oneof(
          fc.anything({ maxDepth: 1 }),
          fc.array(
            fc.record({
              hash: fc.constantFrom('c1', 'x', 1),
              errorCode: fc.anything({ maxDepth: 1 }),
            }),
            { maxLength: 3 },
          ),
        ),
        balances: fc.oneof(
          fc.anything({ maxDepth: 1 }),
          fc.array(
            fc.record({
              type: fc.constantFrom('real', null),
              amount: fc.oneof(fc.double(), fc.integer(), fc.string({ maxLength: 3 })),
            }),
            { maxLength: 3 },
          ),
        ),
        errorCode: fc.anything({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    )
    .map((reply) => Buffer.from(JSON.stringify(reply, plainly) ?? 'null')),
);

/** JSON has no bigint. */
function plainly(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

const replies = fc.record({ status: fc.integer({ min: 200, max: 599 }), bytes: said });

function replyOf({ status, bytes }: { status: number; bytes: Buffer }): FetchReply {
  const body = (async function* () {
    yield bytes;
  })();
  return { status, body };
}

describe('for any reply, a line resolves and never rejects (W1, E23.1)', () => {
  test('a credit is paid only if its hash is listed without an error (W3)', async () => {
    await fc.assert(
      fc.asyncProperty(replies, async (reply) => {
        const line = createWalletLine({
          wallets: [
            { authId: 'acme', baseUrl: 'https://wallet.example', secret: new Secret(secret) },
          ],
          fetch: async () => replyOf(reply),
        });
        const transactions = [credit];
        const told = await line.doTransactions({ owner, gameRound: 'r', transactions });
        const { transactions: settled } = settle(
          { transactions, hasPaidCredit: false },
          told.answer,
        );
        if (settled[0]?.fate === 'processed') expect(reply.bytes.toString()).toContain('"c1"');
        expect(told.balance === null || typeof told.balance.totalBalance === 'bigint').toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  test('getBalance is known, refused or silent', async () => {
    await fc.assert(
      fc.asyncProperty(replies, async (reply) => {
        const line = createWalletLine({
          wallets: [
            { authId: 'acme', baseUrl: 'https://wallet.example', secret: new Secret(secret) },
          ],
          fetch: async () => replyOf(reply),
        });
        const answer = await line.getBalance({ owner, externalSessionId: null });
        if (reply.status >= 500) expect(answer).toEqual({ kind: 'silent' });
        else expect(['known', 'refused', 'silent']).toContain(answer.kind);
      }),
      { numRuns: runs(200) },
    );
  });

  test('a provider’s answers are answered, refused or silent', async () => {
    await fc.assert(
      fc.asyncProperty(replies, async (reply) => {
        const line = createProviderLine({
          routers: [
            { authId: 'studio-1', baseUrl: 'https://studio.example', secret: new Secret(secret) },
          ],
          fetch: async () => replyOf(reply),
        });
        const game = { gameProviderId: 'studio-1', gameCode: 'bells' };
        const answers = await Promise.all([
          line.getGameConfiguration({ ...game, currency: 'EUR', currencyMultiplier: '1' }),
          line.doAutoClose({ ...game, gameRound: 'r' }),
          line.getGameResult({ ...game, gameRound: 'r', language: 'EN' }),
          line.health('studio-1'),
          line.certifiedFiles('studio-1'),
        ]);
        for (const { kind } of answers) expect(['answered', 'refused', 'silent']).toContain(kind);
      }),
      { numRuns: runs(150) },
    );
  });
});
