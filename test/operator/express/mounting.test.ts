import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as startRequest,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import express4 from 'express4';
import supertest from 'supertest';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createOperatorRouter, type OperatorRouter } from '../../../lib/operator/express/router';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRequestSigner } from '../../../lib/proof';
import { bodyOf, debit, operatorId, playerId, secret } from '../http/rig';

const signer = createRequestSigner({ operatorId, secret });
let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
  server = undefined;
});

/** Options for a wallet with one player. */
function options() {
  const store = createMemoryStore();
  void store.players.openPlayer({
    operatorId,
    playerId,
    currency: 'EUR',
    balances: { real: '100' },
  });
  return { store, operators: [{ operatorId, secrets: [secret] }] };
}

async function serve(listener: RequestListener): Promise<Server> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return started;
}

/** Sends a good debit, and a good getBalance, under a path. */
async function callBoth(listener: RequestListener, under = '') {
  const agent = supertest(await serve(listener));
  const call = signer.doTransactions(bodyOf([debit()]));
  const posted = await agent
    .post(under + call.path)
    .set(call.headers)
    .send(call.body);
  const asked = signer.getBalance({ playerId, currency: 'EUR' });
  const got = await agent.get(under + asked.path).set(asked.headers);
  return { posted, got };
}

/** What a JSON parser's `verify` does for the router. */
function keepRawBody(request: IncomingMessage, _response: unknown, bytes: Buffer): void {
  Object.assign(request, { rawBody: bytes });
}

/** The same, as text. */
function keepText(request: IncomingMessage, _response: unknown, bytes: Buffer): void {
  Object.assign(request, { rawBody: bytes.toString('utf8') });
}

const frameworks: readonly (readonly [string, typeof express])[] = [
  ['Express 5', express],
  ['Express 4', express4],
];

describe.each(frameworks)('in %s', (_, framework) => {
  /** An app of the user's own, with the router in it. */
  function appWith(arrange: (app: Express, router: OperatorRouter) => void): Express {
    const app = framework();
    arrange(app, createOperatorRouter(options()));
    return app;
  }

  test('the router is mounted under any path', async () => {
    const app = appWith((own, router) => void own.use('/deep/rgs', router));
    const { posted, got } = await callBoth(app, '/deep/rgs');
    expect([posted.status, got.status]).toEqual([200, 200]);
  });

  test('the router is mounted under a path with a parameter, in a router of the user', async () => {
    const app = appWith((own, router) => {
      own.use('/:tenant', framework.Router().use('/rgs', router));
    });
    const { posted, got } = await callBoth(app, '/one/rgs');
    expect([posted.status, got.status]).toEqual([200, 200]);
  });

  test('other paths are left to the app', async () => {
    const app = appWith((own, router) => {
      own.use(router);
      own.use((_request, response) => void response.status(418).end());
    });
    const answer = await supertest(await serve(app)).get('/health');
    expect(answer.status).toBe(418);
  });

  test('paths match in any letter case, with or without a slash at the end, as routes of Express do', async () => {
    const app = appWith((own, router) => void own.use('/rgs', router));
    const { headers, path } = signer.getBalance({ playerId, currency: 'EUR' });
    const agent = supertest(await serve(app));
    for (const spelled of ['/GETBALANCE', '/getbalance/', '/getBalance/']) {
      const target = `/rgs${path.replace('/getBalance', spelled)}`;
      const answer = await agent.get(target).set(headers);
      expect(answer.status).toBe(200);
    }
    const other = await agent.get('/rgs/getBalance//').set(headers);
    expect(other.status).toBe(404);
  });

  test('a body parser before it that ate the body is named, with the cure', async () => {
    const app = appWith((own, router) => void own.use(framework.json(), router));
    const { posted, got } = await callBoth(app);
    expect(posted.status).toBe(400);
    const { errorCode } = posted.body as { errorCode: { id: number; msg: string } };
    expect(errorCode.id).toBe(9000);
    expect(errorCode.msg).toContain('before the body parser');
    expect(errorCode.msg).toContain('req.rawBody');
    expect(got.status).toBe(200);
  });

  test('a text parser may stand before it', async () => {
    const app = appWith((own, router) => void own.use(framework.text({ type: '*/*' }), router));
    const { posted, got } = await callBoth(app);
    expect([posted.status, got.status]).toEqual([200, 200]);
  });

  test('a text that may not be what was sent is refused, with the cure', async () => {
    const app = appWith((own, router) => void own.use(framework.text({ type: '*/*' }), router));
    const { headers, path, body = '' } = signer.doTransactions(bodyOf([debit()]));
    const bytes = Buffer.from(body.replace('EUR', 'E\u00ff'), 'latin1');
    const answer = await supertest(await serve(app))
      .post(path)
      .set(headers)
      .serialize((sent) => sent as string)
      .send(bytes);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('U+FFFD');
    expect(answer.text).toContain('req.rawBody');
  });

  test('a text that a parser kept as req.rawBody is taken', async () => {
    const app = appWith((own, router) => {
      own.use(framework.json({ verify: keepText }), router);
    });
    const { posted } = await callBoth(app);
    expect(posted.status).toBe(200);
  });

  test('a JSON parser that keeps req.rawBody may stand before it', async () => {
    const app = appWith((own, router) => {
      own.use(framework.json({ verify: keepRawBody }), router);
    });
    const { posted, got } = await callBoth(app);
    expect([posted.status, got.status]).toEqual([200, 200]);
  });

  test('a raw parser may stand before it', async () => {
    const app = appWith((own, router) => void own.use(framework.raw({ type: '*/*' }), router));
    const { posted, got } = await callBoth(app);
    expect([posted.status, got.status]).toEqual([200, 200]);
  });

  test('the size of a body that was kept is bounded as well (D2.1)', async () => {
    const app = appWith((own, router) => {
      own.use(framework.raw({ type: '*/*', limit: '1mb' }));
      own.use((request, _response, next) => {
        delete request.headers['content-length'];
        next();
      });
      own.use(router);
    });
    const call = signer.doTransactions(bodyOf([debit()]));
    const answer = await supertest(await serve(app))
      .post(call.path)
      .set(call.headers)
      .send(`${call.body ?? ''}${' '.repeat(300_000)}`);
    expect(answer.status).toBe(413);
  });

  test('a middleware before it that begins to collect req.rawBody may stand before it', async () => {
    const app = appWith((own, router) => {
      own.use((request, _response, next) => {
        const kept = Object.assign(request, { rawBody: '' });
        request.on('data', (chunk: Buffer) => (kept.rawBody += chunk.toString('utf8')));
        next();
      });
      own.use(router);
    });
    const { posted, got } = await callBoth(app);
    expect([posted.status, got.status]).toEqual([200, 200]);
  });

  test('a middleware before it that has the body decoded is named, with the cure', async () => {
    const app = appWith((own, router) => {
      own.use((request, _response, next) => {
        request.setEncoding('utf8');
        next();
      });
      own.use(router);
    });
    const { posted } = await callBoth(app);
    expect(posted.status).toBe(400);
    expect(posted.text).toContain('setEncoding');
    expect(posted.text).toContain('req.rawBody');
  });

  test('a parser of forms alone may stand before it', async () => {
    const parser = framework.urlencoded({ extended: false });
    const app = appWith((own, router) => void own.use(parser, router));
    const { posted, got } = await callBoth(app);
    expect([posted.status, got.status]).toEqual([200, 200]);
  });

  test('a middleware before it that waits does not lose the body', async () => {
    const app = appWith((own, router) => {
      own.use((_request, _response, next) => void setImmediate(() => setImmediate(next)));
      own.use(router);
    });
    const { posted } = await callBoth(app);
    expect(posted.status).toBe(200);
  });

  test('the query is read as it was sent, whatever the app does with queries', async () => {
    const app = appWith((own, router) => {
      own.set('query parser', () => ({ playerId: 'other' }));
      own.use(router);
    });
    const { got } = await callBoth(app);
    expect(got.status).toBe(200);
  });
});

describe.each<readonly [string, () => RequestListener]>([
  ['Express 5', () => express().use(createOperatorRouter(options()))],
  ['Express 4', () => express4().use(createOperatorRouter(options()))],
  ['node:http', () => createOperatorHandler(options()).handle],
])('behind %s', (_, listener) => {
  test('HEAD is answered as GET is, without a body', async () => {
    const { headers, path } = signer.getBalance({ playerId, currency: 'EUR' });
    const agent = supertest(await serve(listener()));
    const answer = await agent.head(path).set(headers);
    expect(answer.status).toBe(200);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
    expect(answer.text).toBeUndefined();
  });

  test('a target that is a whole address is served (RFC 9112, 3.2.2)', async () => {
    const { headers, path } = signer.getBalance({ playerId, currency: 'EUR' });
    const { port } = (await serve(listener())).address() as AddressInfo;
    const target = `http://127.0.0.1:${port}${path}`;
    const [response] = (await once(
      startRequest({ port, path: target, headers, agent: false }).end(),
      'response',
    )) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  test.each(['PUT', 'DELETE', 'OPTIONS', 'POST'])(
    '%s at getBalance is answered 405',
    async (method) => {
      const { port } = (await serve(listener())).address() as AddressInfo;
      const [response] = (await once(
        startRequest({ port, path: '/getBalance', method, agent: false }).end(),
        'response',
      )) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(405);
      expect(response.headers.allow).toBe('GET');
    },
  );
});

describe('behind node:http', () => {
  test('both paths are served, and others are answered 404 in the form of the protocol', async () => {
    const { handle } = createOperatorHandler(options());
    const { posted, got } = await callBoth(handle);
    expect([posted.status, got.status]).toEqual([200, 200]);
    const other = await supertest(server as Server).get('/nothing?a=1');
    expect(other.status).toBe(404);
    expect(other.body).toEqual({ errorCode: expect.objectContaining({ id: 19 }) });
  });

  test('each endpoint can be put under a path of its own', async () => {
    const { doTransactions, getBalance } = createOperatorHandler(options());
    const { posted, got } = await callBoth((request, response) => {
      (request.method === 'POST' ? doTransactions : getBalance)(request, response);
    }, '/any');
    expect([posted.status, got.status]).toEqual([200, 200]);
  });
});
