import { describe, expect, test } from '@jest/globals';
import type express from 'express';
import type { ErrorRequestHandler, Express } from 'express';
import { type Arrange, bothAnswers, frameworks, requestOf } from './express-server';

/** What an app does, what it is asked, and what its answer has in it, so that it is that answer. */
interface Case {
  readonly does: string;
  readonly arrange: Arrange;
  readonly ask: string;
  readonly has: readonly string[];
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  requestOf(`GET ${path}`, headers);

const tellError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(503).json({ told: error.message });
};

const forwarded = {
  'X-Forwarded-For': '203.0.113.7, 10.0.0.1',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'casino.test',
};

const tellCaller = (app: Express) =>
  app.get('/who', (request, response) => {
    const { ip, ips, protocol, secure, hostname, subdomains, path, xhr } = request;
    response.json({ ip, ips, protocol, secure, hostname, subdomains, path, xhr });
  });

const cases: readonly Case[] = [
  {
    does: 'res.json answers with an ETag and x-powered-by',
    arrange: (app) => app.get('/', (_, response) => response.json({ amount: 1 })),
    ask: get('/'),
    has: ['200 OK', 'X-Powered-By: Express', 'ETag: W/', '{"amount":1}'],
  },
  {
    does: 'x-powered-by and the ETag are settings of the app',
    arrange: (app) => {
      app.disable('x-powered-by').set('etag', 'strong');
      app.get('/', (_, response) => response.send('<p>'));
    },
    ask: get('/'),
    has: ['200 OK\r\nContent-Type: text/html', 'ETag: "'],
  },
  {
    does: 'a fresh answer is 304',
    arrange: (app) =>
      app.get('/', (_, response) => response.set('ETag', '"mine"').send(Buffer.from('x'))),
    ask: get('/', { 'If-None-Match': '"mine"' }),
    has: ['304 Not Modified'],
  },
  {
    does: 'res.sendFile sends a range of a file',
    arrange: (app) => app.get('/', (_, response) => response.sendFile(__filename)),
    ask: get('/', { Range: 'bytes=0-5' }),
    has: ['206 Partial Content', 'Content-Range: bytes 0-5/', '\r\n\r\nimport'],
  },
  {
    does: 'express.static serves a folder',
    arrange: (app, framework) => app.use('/files', framework.static(__dirname)),
    ask: get('/files/express4.d.ts'),
    has: ['200 OK', 'Last-Modified', 'declare module'],
  },
  {
    does: 'req.query is parsed by the setting of the app',
    arrange: (app) => {
      app.set('query parser', 'extended');
      app.get('/', ({ query }, response) => response.json(query));
    },
    ask: get('/?a[b]=1&c=2&c=3'),
    has: ['{"a":{"b":"1"},"c":["2","3"]}'],
  },
  {
    does: 'with trust proxy, ip, protocol and hostname are those that were forwarded',
    arrange: (app) => tellCaller(app.set('trust proxy', 'loopback, 10.0.0.0/8')),
    ask: get('/who', forwarded),
    has: ['"ip":"203.0.113.7"', '"protocol":"https"', '"hostname":"casino.test"'],
  },
  {
    does: 'without trust proxy, they are those of the connection',
    arrange: tellCaller,
    ask: get('/who', { ...forwarded, 'X-Requested-With': 'XMLHttpRequest' }),
    has: ['"ip":"127.0.0.1"', '"protocol":"http"', '"hostname":"shop.test"', '"xhr":true'],
  },
  {
    does: 'HEAD is answered by the route of GET, without a body',
    arrange: (app) => app.get('/', (_, response) => response.json({ long: 'text' })),
    ask: requestOf('HEAD /'),
    has: ['200 OK', 'Content-Length: 15', '\r\n\r\n'],
  },
  {
    does: 'OPTIONS is answered by what the path allows',
    arrange: (app) => app.post('/', (_, response) => response.end()),
    ask: requestOf('OPTIONS /'),
    has: ['Allow: POST'],
  },
  {
    does: 'a path that no route has is 404',
    arrange: (app) => app.get('/', (_, response) => response.end()),
    ask: get('/nothing'),
    has: ['404 Not Found', 'Cannot GET /nothing'],
  },
  {
    does: 'an app without routes is 404',
    arrange: () => {},
    ask: get('/'),
    has: ['404 Not Found'],
  },
  {
    does: 'what is thrown goes to the error middleware',
    arrange: (app) => {
      app.get('/', () => {
        throw new Error('thrown');
      });
      app.use(tellError);
    },
    ask: get('/'),
    has: ['503 Service Unavailable', '{"told":"thrown"}'],
  },
  {
    does: 'an error later goes to the error middleware',
    arrange: (app) => {
      app.get('/', (_request, _response, next) => void setImmediate(() => next(new Error('late'))));
      app.use(tellError);
    },
    ask: get('/'),
    has: ['503 Service Unavailable', '{"told":"late"}'],
  },
  {
    does: 'without an error middleware the error is told by its status',
    arrange: (app) => {
      app.get('/', (_request, _response, next) =>
        next(Object.assign(new Error(), { status: 422, stack: 'where' })),
      );
    },
    ask: get('/'),
    has: ['422 Unprocessable Entity', 'where'],
  },
  {
    does: 'routers in routers know their paths and parameters',
    arrange: (app, framework) => {
      const inner = framework.Router({ mergeParams: true }).get('/b/:id', (request, response) => {
        const { baseUrl, originalUrl, url, params } = request;
        response.json({ baseUrl, originalUrl, url, params, route: Boolean(request.route) });
      });
      app.use('/:tenant', framework.Router({ mergeParams: true }).use('/a', inner));
    },
    ask: get('/one/a/b/7?x=1'),
    has: ['"baseUrl":"/one/a"', '"id":"7"', '"tenant":"one"'],
  },
  {
    does: 'cookies, redirects and Vary are set',
    arrange: (app) =>
      app.get('/', (_, response) => {
        response.cookie('sid', 'a b', { httpOnly: true }).vary('Origin').redirect(303, '/login');
      }),
    ask: get('/', { Accept: 'text/html' }),
    has: ['303 See Other', 'Set-Cookie: sid=a%20b; Path=/; HttpOnly', 'Location: /login'],
  },
  {
    does: 'what is accepted is negotiated',
    arrange: (app) =>
      app.get('/', (request, response) => {
        const html = () => response.send(String(request.acceptsLanguages('de', 'en')));
        response.format({ json: () => response.json({}), html });
      }),
    ask: get('/', { Accept: 'text/html, application/json;q=0.5', 'Accept-Language': 'en' }),
    has: ['text/html', 'Vary: Accept', 'en'],
  },
  {
    does: 'a JSON body is parsed',
    arrange: (app, framework) => {
      app.use(framework.json());
      app.post('/', (request, response) =>
        response.json({ type: request.is('json'), b: request.body as unknown }),
      );
    },
    ask: requestOf('POST /', { 'Content-Type': 'application/json' }, '{"amount":5}'),
    has: ['{"type":"json","b":{"amount":5}}'],
  },
  {
    does: 'a body is taken in after 100 Continue, and told back in chunks with a trailer',
    arrange: (app) =>
      app.post('/', (request, response) => {
        response.set('Trailer', 'X-End').write('got ');
        request.pipe(response, { end: false });
        request.on('end', () => {
          response.addTrailers({ 'X-End': 'yes' });
          response.end();
        });
      }),
    ask: requestOf('POST /', { Expect: '100-continue' }, 'five!'),
    has: ['100 Continue', 'Transfer-Encoding: chunked', 'five!', 'X-End: yes'],
  },
  {
    does: 'a middleware may put its own end in the place of that of the response',
    arrange: (app) => {
      app.use((_request, response, next) => {
        const end = response.end.bind(response);
        response.end = () => end('mine');
        next();
      });
      app.get('/', (_, response) => response.type('text').end('theirs'));
    },
    ask: get('/'),
    has: ['mine'],
  },
  {
    does: 'request and response have the same properties of their own, and know each other',
    arrange: (app) =>
      app.get('/', (request, response) => {
        const names = [request, response].map((object) => Reflect.ownKeys(object).map(String));
        const linked = request.res === response && response.req === request;
        const isOurs = request.app === app && response.app === app;
        response.locals.names = names;
        response.json({ linked, isOurs, locals: response.locals });
      }),
    ask: get('/'),
    has: ['{"linked":true,"isOurs":true,"locals":{"names":[["_events",', '"rawHeaders"'],
  },
  {
    does: 'calls on one connection are answered in their order',
    arrange: (app) => {
      let first: express.Response | undefined;
      app.get('/1', (_, response) => {
        first = response;
      });
      app.get('/2', (_, response) => {
        response.send('second');
        first?.send('first');
      });
    },
    ask: get('/1', { Connection: 'keep-alive' }) + get('/2'),
    has: ['Connection: keep-alive', 'Keep-Alive: timeout=5', 'first', 'second'],
  },
  {
    does: 'HTTP/1.0 is answered and closed',
    arrange: (app) => app.get('/', (_, response) => response.send('old')),
    ask: 'GET / HTTP/1.0\r\n\r\n',
    has: ['Connection: close', 'old'],
  },
  {
    does: 'what is no HTTP is 400',
    arrange: () => {},
    ask: 'nonsense\r\n\r\n',
    has: ['400 Bad Request'],
  },
];

describe.each(frameworks)('%s', (_, framework) => {
  test.each(cases)('on createServer as on app.listen, $does', async ({ arrange, ask, has }) => {
    const [listened, created] = await bothAnswers(framework, arrange, ask);
    for (const part of has) expect(listened).toContain(part);
    expect(created).toBe(listened);
  });
});
