import { Secret } from '../../../lib/protocol/signature';
import type { FetchPort } from '../../../lib/protocol/client/ports';
import type { Call, Transaction } from '../../../lib/protocol/operator-api/transaction';
import { createSeededRandom } from '../../../lib/platform';
import { longestTimerMs } from '../../../lib/platform/clock';
import { createWalletLine } from '../../../lib/rgs/client/wallet-line';
import type { Answer } from '../../../lib/rgs/settlement/answer';
import { currency, operatorId } from '../plan/names';
import type { World } from '../world/scheduler';
import type { HttpReply, HttpRequest } from './message';

/** Sends bytes to a wallet; null for no answer. */
export type Send = (request: HttpRequest, call: Call | null) => Promise<HttpReply | null>;

type WalletLine = ReturnType<typeof createWalletLine>;

const baseUrl = 'https://wallet.example';

/** The service's side of HTTP: the real client of the remote game server, which signs each attempt anew. */
export class ServiceLine {
  private line: WalletLine;
  /** What is on its way, by round: a round has one call at a time. */
  private readonly calls = new Map<string, Call>();

  constructor(
    private readonly world: World,
    private readonly send: Send,
    secret: string,
  ) {
    this.line = this.open(secret);
  }

  /** From now on its requests are signed with another secret. */
  signWith(secret: string): void {
    this.line = this.open(secret);
  }

  /** One attempt at a call. */
  async call(call: Call): Promise<Answer> {
    const { playerId, gameRound, gameCode } = call;
    this.calls.set(gameRound, call);
    const transactions = call.transactions.map(dueOf);
    const owner = ownerOf(playerId, gameCode);
    const { answer } = await this.line.doTransactions({ owner, gameRound, transactions });
    return answer;
  }

  /** The sum of the player's balances as getBalance answers it; null without an answer. */
  async balance(playerId: string): Promise<number | null> {
    const owner = ownerOf(playerId, 'bells');
    const answer = await this.line.getBalance({ owner, externalSessionId: null });
    return answer.kind === 'known' ? Number(answer.balance.totalBalance) : null;
  }

  private open(secret: string): WalletLine {
    const { clock } = this.world;
    const fetch: FetchPort = async (url, { method, headers, body = '' }) => {
      const request: HttpRequest = {
        method,
        target: url.slice(baseUrl.length),
        headers: lowerCase(headers),
        body: Buffer.from(body),
      };
      const reply = await this.send(request, this.callOf(body));
      if (reply === null) throw new Error('The connection is gone.');
      return { status: reply.status, body: null, whole: Buffer.from(reply.body) };
    };
    return createWalletLine({
      wallets: [{ authId: operatorId, baseUrl: baseUrl, secret: new Secret(secret) }],
      // The world's lines give up by themselves, so that no attempt waits for a turn of the event loop.
      walletTimeoutMs: longestTimerMs,
      voidSpelling: 'mixed',
      clock,
      random: createSeededRandom(1),
      fetch,
    });
  }

  private callOf(body: string): Call | null {
    if (body === '') return null;
    const { gameRound } = JSON.parse(body) as { readonly gameRound: string };
    return this.calls.get(gameRound) ?? null;
  }
}

function ownerOf(playerId: string, gameCode: string) {
  const mode = 'REAL' as const;
  const currencyMultiplier = '1';
  return {
    gameProviderId: 'bells',
    operatorId,
    playerId,
    gameCode,
    mode,
    currency,
    currencyMultiplier,
  };
}

function dueOf(one: Transaction) {
  const { hash } = one;
  const common = { hash, at: Date.UTC(2026, 0, 1), reason: 'play' };
  switch (one.type) {
    case 'debit': {
      const { amount, isFirstDebit, serial, discount: less } = one;
      const discount = less === 0n ? null : { amount: less, campaignId: 'spring' };
      const debit = {
        type: one.type,
        amount,
        currency: one.currency,
        isFirstDebit: isFirstDebit === true,
      };
      return { ...common, ...debit, discount, serial };
    }
    case 'credit':
      return { ...common, type: one.type, amount: one.amount, currency: one.currency };
    case 'void':
      return {
        ...common,
        type: one.type,
        amount: one.amount ?? 0n,
        currency: one.currency ?? currency,
      };
    case 'end':
      return { ...common, type: one.type };
  }
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(entries) as Record<string, string>;
}
