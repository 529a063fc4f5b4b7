import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { Redis } from 'ioredis';
import { checkBalanceCall } from '../hand-written/check-balance-call';
import { checkCall } from '../hand-written/check-call';
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
import { type HandReply, replyTo, replyToError, replyWithBalance } from '../hand-written/reply';
import type { Contestant } from './contestant';

const maxBodyBytes = 256 * 1024;

/** The limit of what Node and Redis give: node:http without a framework, and one EVALSHA for a call. */
export const limit: Contestant = {
  title: 'limit: node:http, one EVALSHA',
  server: 'redis',
  prepare: openInRedis,
  balances: balancesInRedis,
  start: (url) => limitOver(new Redis(url)),
};

/** The same over a client. */
export async function limitOver(redis: Redis): Promise<RequestListener> {
  const sha = createHash('sha1').update(moveMoneyScript).digest('hex');
  await redis.script('LOAD', moveMoneyScript);
  return (request, response) => {
    answer(request, redis, sha)
      .catch(replyToError)
      .then((reply) => send(response, reply))
      .catch((error: unknown) => response.destroy(error as Error));
  };
}

async function answer(request: IncomingMessage, redis: Redis, sha: string): Promise<HandReply> {
  const [path, query] = (request.url ?? '').split('?', 2);
  if (path === '/getBalance' && request.method === 'GET') {
    const call = checkBalanceCall(request.headers, parseQuery(query ?? ''));
    return replyWithBalance(await readBalanceInRedis(redis, call), call.currency);
  }
  if (path !== '/doTransactions' || request.method !== 'POST') return { status: 404, body: {} };
  const call = checkCall(request.headers, parse(await readBody(request)));
  const reply = await redis.evalsha(sha, 2, ...keysOf(call), ...argumentsOf(call));
  return replyTo(call, readReply(reply));
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBodyBytes) reject(new CallRefused(413, 19, 'The body is too large.'));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CallRefused(400, 19, 'The body is not JSON.');
  }
}

function send(response: ServerResponse, { status, body }: HandReply): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
