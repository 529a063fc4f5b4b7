import express from 'express';
import { Redis } from 'ioredis';
import { type CheckedBalanceCall, checkBalanceCall } from '../hand-written/check-balance-call';
import { type CheckedCall, checkCall } from '../hand-written/check-call';
import { CallRefused } from '../hand-written/check-sender';
import {
  argumentsOf,
  balancesInRedis,
  keysOf,
  moveMoneyScript,
  openInRedis,
  readBalanceInRedis,
  readReply,
} from '../hand-written/redis-money';
import { type Processed, replyTo, replyToError, replyWithBalance } from '../hand-written/reply';
import type { Contestant } from './contestant';
import { createApp } from './express-app';

interface WithMoveMoney {
  moveMoney(...args: (string | number)[]): Promise<unknown>;
}

/**
 * Express 5 and ioredis as a competent engineer writes it without a kit: express.json, and a script by defineCommand,
 * which is the usual way to read, check and move in one step. A read with WATCH and MULTI would take three trips, and a
 * connection for each call at once.
 */
export const expressRedis: Contestant = {
  title: 'hand-written: Express 5, ioredis',
  server: 'redis',
  prepare: openInRedis,
  balances: balancesInRedis,
  async start(url) {
    const client = new Redis(url);
    client.defineCommand('moveMoney', { numberOfKeys: 2, lua: moveMoneyScript });
    const redis = client as unknown as WithMoveMoney;
    return createHandWrittenApp({
      move: async (call) => readReply(await redis.moveMoney(...keysOf(call), ...argumentsOf(call))),
      readBalance: (call) => readBalanceInRedis(client, call),
    });
  },
};

/** How a hand-written contestant moves money, and reads it. */
interface Money {
  readonly move: (call: CheckedCall) => Promise<Processed>;
  /** In cents; null for a player that is not known. */
  readonly readBalance: (call: CheckedBalanceCall) => Promise<number | null>;
}

/** The Express app that the hand-written contestants share; they differ in how money is moved. */
export function createHandWrittenApp({ move, readBalance }: Money): express.Express {
  const app = createApp();
  app.use(express.json({ limit: '256kb' }));
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 hands what is rejected to the error handler
  app.post('/doTransactions', async (request, response) => {
    const call = checkCall(request.headers, request.body);
    const { status, body } = replyTo(call, await move(call));
    response.status(status).json(body);
  });
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- the same
  app.get('/getBalance', async (request, response) => {
    const call = checkBalanceCall(request.headers, request.query);
    const { status, body } = replyWithBalance(await readBalance(call), call.currency);
    response.status(status).json(body);
  });
  app.use(((error: unknown, _request, response, _next) => {
    const isSyntax = error instanceof SyntaxError;
    const told = isSyntax ? new CallRefused(400, 19, 'The body is not JSON.') : error;
    const { status, body } = replyToError(told);
    response.status(status).json(body);
  }) satisfies express.ErrorRequestHandler);
  return app;
}
