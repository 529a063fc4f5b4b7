import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import express, { type Application, type Express } from 'express';
import { createServer } from '../../../lib/operator/express/create-server';
import { withPrototype } from '../../../lib/operator/express/create-server';
import { bothAnswers, frameworks, portOf, rawAnswer, requestOf, starts } from './express-server';
import { stopServer } from '../../network/listening';
import { cleanupAfterEach } from '../../support/each-test';

/** What a test adds to a prototype, and asks for. */
type Extended = Record<'mine', () => string>;

const cleanup = cleanupAfterEach();

/** Resolves to the port of a server that ends with the test. */
function opened(server: Server): Promise<number> {
  return portOf(cleanup.after(server, stopServer));
}

/** Whether each prototype, first as Node made the object, then in a route, is that of the app. */
async function lineage(app: Express, start: (app: Express) => Server, path = '/') {
  const seen: boolean[] = [];
  const look = (request: object, response: object): void => {
    seen.push(Object.getPrototypeOf(request) === app.request);
    seen.push(Object.getPrototypeOf(response) === app.response);
  };
  app.get('/', (request, response) => {
    look(request, response);
    response.end();
  });
  const server = start(app);
  server.prependListener('request', look);
  await rawAnswer(await opened(server), requestOf(`GET ${path}`));
  return seen;
}

/** Asks V8 of objects: no other way shows whether they are as it wants them. */
function askV8(question: 'HasFastProperties' | 'HaveSameMap', ...objects: unknown[]): boolean {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const names = objects.map((_, index) => `o${index}`).join();
    const ask = runInThisContext(`(${names}) => %${question}(${names})`) as typeof Reflect.apply;
    return Reflect.apply(ask, undefined, objects) as boolean;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

describe.each(frameworks)('%s', (_name, framework) => {
  const [[, listen], [, create]] = starts;

  test('on createServer the prototypes are those of the app from the start, so that Express changes none', async () => {
    expect(await lineage(framework(), create)).toEqual([true, true, true, true]);
  });

  test('on app.listen it does change them, which is what createServer is for', async () => {
    expect(await lineage(framework(), listen)).toEqual([false, false, true, true]);
  });

  test('on createServer all requests are alike to V8, and all responses, and none is a dictionary', async () => {
    const seen: (readonly [object, object])[] = [];
    const app = framework();
    app.get('/', (request, response) => void response.json(seen.push([request, response])));
    const port = await opened(create(app));
    // V8 settles how large the objects are with the first few.
    for (let n = 0; n < 20; n++) await rawAnswer(port, requestOf('GET /'));
    const [before, last] = seen.slice(-2);
    for (const which of [0, 1] as const) {
      expect(askV8('HasFastProperties', last?.[which])).toBe(true);
      expect(askV8('HaveSameMap', before?.[which], last?.[which])).toBe(true);
    }
  });

  test('neither the prototypes of the app nor those of Node are changed', () => {
    const app = framework();
    const prototypes = [
      app.request,
      app.response,
      IncomingMessage.prototype,
      ServerResponse.prototype,
    ];
    const parts = () =>
      prototypes.map((prototype) => [
        Object.getPrototypeOf(prototype) as object,
        Object.getOwnPropertyDescriptors(prototype),
      ]);
    const before = parts();
    createServer(app);
    expect(parts()).toEqual(before);
  });

  test('what is added to app.request and app.response, before and after, is there', async () => {
    const app = framework();
    Object.assign(app.request, { before: 1 });
    const server = createServer(app);
    Object.assign(app.response, { after: 2 });
    app.get('/', (request, response) => {
      response.json([Reflect.get(request, 'before'), Reflect.get(response, 'after')]);
    });
    const answer = await rawAnswer(await opened(server.listen(0)), requestOf('GET /'));
    expect(answer).toContain('\r\n\r\n[1,2]');
  });

  test('app.request that is replaced later is followed', async () => {
    const app = framework();
    const server = createServer(app);
    app.request = Object.create(app.request, {
      mine: { value: () => 'new' },
    }) as typeof app.request;
    app.get('/', (request, response) => {
      response.send((request as unknown as Extended).mine());
    });
    const answer = await rawAnswer(await opened(server.listen(0)), requestOf('GET /'));
    expect(answer).toContain('\r\n\r\nnew');
  });

  test('an app mounted in the app has its own request, response and settings, and gives them back', async () => {
    const [listened, created] = await bothAnswers(
      framework,
      (app) => {
        const inner = framework();
        Object.assign(app.request, { mine: () => 'outer' });
        Object.assign(inner.request, { mine: () => 'inner' });
        const tell: express.RequestHandler = (request, response, next) => {
          const whose = [request.app, response.app].map((own) => own === inner);
          const { mine } = request as unknown as Extended;
          response.append('X-Seen', `${mine()} ${whose.join()} ${request.app.get('of')}`);
          next();
        };
        app.set('of', 'app').use(tell, inner.set('of', 'sub').use(tell), tell);
        app.use((request, response) => response.json([request.baseUrl, response.app === app]));
      },
      requestOf('GET /x'),
    );
    expect(listened.match(/(?<=X-Seen: ).*/g)).toEqual([
      'outer false,false app',
      'inner true,true sub',
      'outer false,false app',
    ]);
    expect(created).toBe(listened);
  });

  test('the app may itself be mounted in another app with a server of its own', async () => {
    const [listened, created] = await bothAnswers(
      framework,
      (app) => {
        const inner = framework().get(
          '/',
          (
            { baseUrl, app: { parent } }: express.Request & { app: { parent?: object } },
            response,
          ) => void response.json([baseUrl, parent === app]),
        );
        createServer(inner);
        app.use('/inner', inner);
      },
      requestOf('GET /inner'),
    );
    expect(listened).toContain('["/inner",true]');
    expect(created).toBe(listened);
  });

  test("a listener of 'upgrade' gets the connection, and Express does not see the request", async () => {
    const upgrade = requestOf('GET /live', { Connection: 'Upgrade', Upgrade: 'websocket' });
    const answers: string[] = [];
    for (const [, start] of starts) {
      const server = start(framework().use((_, response) => void response.send('express')));
      server.on('upgrade', ({ url, headers }, socket, head) => {
        const line = `${url} ${headers.upgrade} ${head.toString()}`;
        socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${line}`);
      });
      answers.push(await rawAnswer(await opened(server), `${upgrade}frame`));
    }
    expect(answers[0]).toContain('101 Switching Protocols\r\n\r\n/live websocket frame');
    expect(answers[1]).toBe(answers[0]);
  });

  test('what is no app is a TypeError that says so, a router too', () => {
    const message = 'createServer: app must be an Express app, as express() makes it';
    const { request, response } = framework();
    const wrong = [
      undefined,
      null,
      {},
      { request, response },
      () => {},
      framework,
      framework.Router(),
    ];
    const half = Object.assign(() => {}, { request });
    const other = Object.assign(() => {}, { request: {}, response: {} });
    for (const app of [...wrong, half, other]) {
      expect(() => createServer(app as Express)).toThrow(new TypeError(message));
    }
  });
});

test('Express 5 takes what an async route rejects with to the error middleware', async () => {
  const [listened, created] = await bothAnswers(
    express,
    (app) => {
      app.get('/', () => Promise.reject(new Error('rejected')));
      app.use(((error: Error, _request, response, _next) => {
        response.status(500).send(error.message);
      }) satisfies express.ErrorRequestHandler);
    },
    requestOf('GET /'),
  );
  expect(listened).toContain('\r\n\r\nrejected');
  expect(created).toBe(listened);
});

test("the types take an app by either of Express' names for it", () => {
  const app: Application = express();
  expect(createServer(app).listening).toBe(false);
});

test('a base that is an ES class, which cannot be called, is left as it is', () => {
  class Base extends IncomingMessage {}
  expect(withPrototype(Base, new IncomingMessage(new Socket()))).toBe(Base);
});
