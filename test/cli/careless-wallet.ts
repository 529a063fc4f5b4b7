import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a wallet that was written in an hour may do wrong, or its own way. */
export interface Habits {
  /** Pays and takes whatever comes, as often as it comes. */
  readonly forgetsHashes?: boolean;
  /** The id of its error for a bet that is too high. */
  readonly tooLowId?: number;
  /** Pays credits after a declined debit, which W12 leaves to it. */
  readonly paysAfterDecline?: boolean;
  /** The first reply to doTransactions has a balance of one minor unit too much. */
  readonly firstBalanceIsWrong?: boolean;
  /** Answers getBalance so, instead of with a balance. */
  readonly getBalance?: (response: ServerResponse) => void;
}

/** A wallet written by hand: ann and bob have 1000.00 EUR. It checks no signature. */
export interface CarelessWallet {
  readonly url: string;
  close(): void;
}

interface Sent {
  readonly type: 'debit' | 'credit' | 'void' | 'end';
  readonly hash: string;
  readonly amount?: number;
}

/** Starts it on a free port. */
export async function startCarelessWallet(habits: Habits = {}): Promise<CarelessWallet> {
  const accounts = new Map([
    ['ann', 100_000],
    ['bob', 100_000],
  ]);
  const done = new Map<string, Sent>();
  const declined = new Set<string>();
  let wrongBy = habits.firstBalanceIsWrong === true ? 1 : 0;
  const moneyOf = (playerId: string) => [
    { type: 'real', currency: 'EUR', amount: accounts.get(playerId) ?? 0 },
  ];
  const move = (playerId: string, round: string, { type, hash, amount = 0 }: Sent): boolean => {
    const balance = accounts.get(playerId) ?? 0;
    const key = `${type} ${hash}`;
    if (done.has(key) && habits.forgetsHashes !== true) return true;
    const isUndone = type === 'debit' && done.has(`void ${hash}`);
    const isTooHigh = type === 'debit' && amount > balance;
    const isRefused = type === 'credit' && declined.has(round) && habits.paysAfterDecline !== true;
    if (isUndone || isTooHigh || isRefused) {
      declined.add(round);
      return false;
    }
    const isVoidable = type === 'void' && done.has(`debit ${hash}`);
    done.set(key, { type, hash, amount });
    if (type === 'debit') accounts.set(playerId, balance - amount);
    if (type === 'credit' || isVoidable) accounts.set(playerId, balance + amount);
    return true;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://wallet.test');
      if (pathname === '/getBalance') {
        if (habits.getBalance !== undefined) return habits.getBalance(response);
        return answer(response, 200, { balances: moneyOf(searchParams.get('playerId') ?? '') });
      }
      if (pathname !== '/doTransactions') return answer(response, 404, {});
      const { playerId, gameRound, transactions } = JSON.parse(
        Buffer.concat(chunks).toString('utf8'),
      ) as { playerId: string; gameRound: string; transactions: readonly Sent[] };
      const refused = transactions.find((one) => !move(playerId, gameRound, one));
      const hashesProcessed = transactions.map(({ hash }) => ({ hash }));
      if (refused === undefined) {
        const balances = moneyOf(playerId).map((one) => ({ ...one, amount: one.amount + wrongBy }));
        wrongBy = 0;
        return answer(response, 200, { balances, hashesProcessed });
      }
      const errorCode = { id: habits.tooLowId ?? 9001, msg: 'no', clientmsg: 'no' };
      answer(response, 400, {
        errorCode,
        balances: moneyOf(playerId),
        hashesProcessed: [{ hash: refused.hash, errorCode }],
      });
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
