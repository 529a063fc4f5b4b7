import { expect, test } from '@jest/globals';
import { createRequestSigner, type SignedRequest } from '../../lib/proof';
import { freePort } from '../servers/ports';
import { type Block, blocksOf, isProgram } from './blocks';
import { startProgram } from './process';
import { cleanupAfterEach } from '../support/each-test';
import { userFolder, writeProgram } from './program';

const cleanup = cleanupAfterEach();
const signer = createRequestSigner({
  operatorId: 'my-casino',
  secret: 'at-least-16-bytes-of-secret',
});

/** A call whose signature holds for `10.50` alone, and not for the number that a parser makes of it. */
function call(gameRound: string): SignedRequest {
  const transaction = `{"type":"debit","hash":"${gameRound}","amount":10.50,"currency":"EUR"}`;
  const names = `"playerId":"ann","gameCode":"bells","gameRound":"${gameRound}"`;
  return signer.doTransactions(`{${names},"transactionCount":1,"transactions":[${transaction}]}`);
}

/** A call as large as the wallet accepts, and larger than Express accepts by default. */
function largeCall(): SignedRequest {
  const signed = call('round-2');
  return { ...signed, body: `${signed.body ?? ''}${' '.repeat(200_000)}` };
}

test.each(
  blocksOf('docs/recipes.md')
    .filter(isProgram)
    .map((block) => [block.name, block]),
)(
  'the recipe %s takes signed calls under /wallet, also large ones, and leaves other paths alone',
  async (_, block) => {
    const folder = await userFolder();
    const port = String(await freePort());
    const path = await writeProgram(folder, block as Block, { 8080: port });
    const running = startProgram(process.execPath, [path], { cwd: folder });
    cleanup.after(running, ({ stop }) => stop());
    const url = `http://127.0.0.1:${port}`;
    await running.answers(url);

    const send = async ({ method, path: to, headers, body }: SignedRequest) => {
      const sent = body === undefined ? {} : { body };
      const answer = await fetch(`${url}/wallet${to}`, { method, headers, ...sent });
      return { status: answer.status, text: await answer.text() };
    };
    expect(await send(call('round-1'))).toMatchObject({ status: 200 });
    expect(await send(largeCall())).toMatchObject({ status: 200 });
    const asked = signer.getBalance({ playerId: 'ann', currency: 'EUR' });
    expect(await send(asked)).toEqual({ status: 200, text: expect.stringContaining('79') });
    const forged = { ...call('round-3'), headers: call('round-4').headers };
    expect(await send(forged)).toMatchObject({ status: 401 });
    const other = await fetch(`${url}/doTransactions`, { method: 'POST' });
    expect([404, 418]).toContain(other.status);
    expect(running.output()).not.toMatch(/error/i);
  },
);

/** Mounts that have lost the body as it came before the wallet sees it. */
const mistakes: Readonly<Record<string, string>> = {
  'express.json without verify': `
import express from 'express';
const app = express();
app.use(express.json());
app.use('/wallet', (request, response) => wallet.handle(request, response));
app.listen(8080);`,
  'koa-bodyparser without its text': `
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
const app = new Koa();
app.use(bodyParser());
app.use((context) => {
  context.respond = false;
  context.url = context.url.slice('/wallet'.length);
  wallet.handle(context.req, context.res);
});
app.listen(8080);`,
  'a route of Fastify': `
import Fastify from 'fastify';
const app = Fastify();
app.post('/wallet/doTransactions', (request, reply) => {
  reply.hijack();
  wallet.doTransactions(request.raw, reply.raw);
});
await app.listen({ port: 8080 });`,
  'Hono after the body was read': `
import { serve } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
const app = new Hono();
app.post('/wallet/doTransactions', async (context) => {
  await context.req.json();
  wallet.doTransactions(context.env.incoming, context.env.outgoing);
  return RESPONSE_ALREADY_SENT;
});
serve({ fetch: app.fetch, port: 8080 });`,
};

test.each(Object.entries(mistakes))(
  '%s is answered 400, id 9000, with the cure',
  async (_, code) => {
    const folder = await userFolder();
    const port = String(await freePort());
    const [recipe] = blocksOf('docs/recipes.md').filter(isProgram);
    const start = `
import { createOperatorHandler } from 'rgs-wallet-kit';
const wallet = createOperatorHandler(options);`;
    const block = { ...(recipe as Block), after: ['options'], code: `${start}\n${code}\n` };
    const path = await writeProgram(folder, block, { 8080: port });
    const running = startProgram(process.execPath, [path], { cwd: folder });
    cleanup.after(running, ({ stop }) => stop());
    const url = `http://127.0.0.1:${port}/wallet`;
    await running.answers(url);
    const { path: to, headers, body = '' } = call('round-1');
    const answer = await fetch(url + to, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    const cure = 'give the parser a verify function that keeps req.rawBody';
    expect(await answer.json()).toEqual({
      errorCode: expect.objectContaining({ id: 9000, msg: expect.stringContaining(cure) }),
    });
  },
);
