import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from '@jest/globals';

import { createWalletService } from '../../lib/cli/serve/wallet-service';
import type { HttpService } from '../../lib/cli/terminal/http-service';
import type { OperatorHandler } from '../../lib/operator/http/handler';
import { silentLogger, systemClock } from '../../lib/platform';
import { RawConnection } from '../network/raw-http';
import { until } from '../servers/until';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();
/** A handler whose calls are answered when the test says so. */
class HeldHandler {
  readonly begun: string[] = [];
  readonly #held: (() => void)[] = [];
  inWork = 0;
  maxInWork = 0;
  /** Where set, it sees each call, which is answered as soon as its body is there. */
  answersAtOnce: (() => void) | null = null;

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.begun.push(request.url ?? '');
    this.inWork += 1;
    this.maxInWork = Math.max(this.maxInWork, this.inWork);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.answersAtOnce?.();
    if (this.answersAtOnce !== null) request.on('end', () => this.answerOne());
    this.#held.push(() => {
      this.inWork -= 1;
      const body = Buffer.concat(chunks);
      response.writeHead(200, { 'content-length': body.length }).end(body);
    });
  };

  /** Answers the call that has been held the longest. */
  answerOne(): void {
    this.#held.shift()?.();
  }
}

/** A store that says when its probes end. */
class ProbedStore {
  probes = 0;
  #end: (isReady: boolean) => void = () => {};

  ready(): Promise<void> {
    this.probes += 1;
    return new Promise((resolve, reject) => {
      this.#end = (isReady) => (isReady ? resolve() : reject(new Error('not ready')));
    });
  }

  end(isReady: boolean): void {
    this.#end(isReady);
  }
}

/** A clock that stands until it is moved, and does what is due when it is. */
class HandClock {
  #now = 0;
  readonly #due: { at: number; work: () => void }[] = [];

  monotonicMs = (): number => this.#now;

  after = (ms: number, work: () => void): (() => void) => {
    const entry = { at: this.#now + ms, work };
    this.#due.push(entry);
    return () =>
      void this.#due.splice(0, this.#due.length, ...this.#due.filter((e) => e !== entry));
  };

  pass(ms: number): void {
    this.#now += ms;
    for (const { work } of this.#due.filter(({ at }) => at <= this.#now)) work();
  }
}

interface Started {
  readonly port: number;
  readonly handler: HeldHandler;
  readonly store: ProbedStore;
  readonly clock: HandClock;
  readonly service: HttpService;
}

async function start(more: { readonly maxConnections?: number } = {}): Promise<Started> {
  const [handler, store, clock] = [new HeldHandler(), new ProbedStore(), new HandClock()];
  const service = createWalletService({
    handler: handler as unknown as OperatorHandler,
    store,
    clock: { ...systemClock, monotonicMs: clock.monotonicMs, after: clock.after },
    log: silentLogger,
    ...more,
  });
  const port = await service.listen(0, '127.0.0.1');
  cleanup.after(service, (made) => made.close(Promise.resolve()));
  return { port, handler, store, clock, service };
}

/** Asks so many times at once; the statuses come when the probe has ended. */
function ask(port: number, times: number): Promise<number[]> {
  const asked = Array.from({ length: times }, () => fetch(`http://127.0.0.1:${port}/readyz`));
  return Promise.all(asked.map(async (answer) => (await answer).status));
}

describe('readiness', () => {
  test('is one check of the store for all probes while it runs', async () => {
    const { port, store } = await start();
    const asked = ask(port, 200);
    await until('the probe', () => store.probes > 0);
    await ask200Alive(port); // all have been heard: what is asked later is answered
    store.end(true);
    expect(new Set(await asked)).toEqual(new Set([200]));
    expect(store.probes).toBe(1);
  });

  test.each([
    [true, 200],
    [false, 503],
  ])('that was found %s is kept for a second, and looked at again after it', async (is, status) => {
    const { port, store, clock } = await start();
    const first = ask(port, 1);
    await until('the probe', () => store.probes === 1);
    store.end(is);
    expect(await first).toEqual([status]);
    clock.pass(999);
    expect(await ask(port, 20)).toEqual(Array.from({ length: 20 }, () => status));
    expect(store.probes).toBe(1);
    clock.pass(1);
    const second = ask(port, 1);
    await until('the next probe', () => store.probes === 2);
    store.end(!is);
    expect(await second).toEqual([is ? 503 : 200]);
  });

  test('that takes longer than two seconds is answered 503, and no second probe begins beside it', async () => {
    const { port, store, clock } = await start();
    const first = ask(port, 1);
    await until('the probe', () => store.probes === 1);
    clock.pass(2000);
    expect(await first).toEqual([503]);
    clock.pass(5000);
    expect(await ask(port, 20)).toEqual(Array.from({ length: 20 }, () => 503));
    expect(store.probes).toBe(1);
    store.end(true);
    await until('its late answer to count', async () => (await ask(port, 1))[0] === 200);
    expect(store.probes).toBe(1);
  });
});

/** A request with a body, as bytes. */
function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: wallet\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Two trips to the service on other connections: what came before has been read by then. */
async function ask200Alive(port: number): Promise<void> {
  for (let at = 0; at < 2; at++) {
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await nextTurn();
  }
}

test.each(['/healthz', '/readyz'])(
  'a probe of %s with a body that goes on is answered, and its connection ended',
  async (path) => {
    const { port, store } = await start();
    const connection = await RawConnection.open(port);
    connection.send(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`,
    );
    if (path === '/readyz') {
      await until('the check of the store', () => store.probes === 1);
      store.end(true);
    }
    const { replies, closed } = await connection.replies(2);
    expect([replies.map(({ status }) => status), closed]).toEqual([[200], true]);
    connection.abort();
  },
);

describe('requests that come at once on one connection (HTTP pipelining)', () => {
  test('are worked on one after the other, and answered in their order', async () => {
    const { port, handler } = await start();
    const connection = await RawConnection.open(port);
    const paths = Array.from({ length: 100 }, (_, at) => `/${at}`);
    connection.send(paths.map((path) => post(path, `body of ${path}`)).join(''));
    for (const [at, path] of paths.entries()) {
      await until(`the call ${path}`, () => handler.begun.length === at + 1);
      expect(handler.begun.at(-1)).toBe(path);
      handler.answerOne();
    }
    const { replies } = await connection.replies(paths.length);
    expect(replies.map(({ body }) => body)).toEqual(paths.map((path) => `body of ${path}`));
    expect(handler.maxInWork).toBe(1);
    connection.abort();
  });

  test('let the others of the process come to their turn after each', async () => {
    const { port, handler } = await start();
    let turns = 0;
    let ticking = setImmediate(function tick() {
      turns += 1;
      ticking = setImmediate(tick);
    });
    cleanup.after(null, () => clearImmediate(ticking));
    const begunAt: number[] = [];
    handler.answersAtOnce = () => void begunAt.push(turns);
    const connection = await RawConnection.open(port);
    connection.send(post('/x', 'body').repeat(100));
    expect((await connection.replies(100)).replies).toHaveLength(100);
    // Those that came in one piece are not worked on in one go.
    expect(new Set(begunAt).size).toBe(100);
    connection.abort();
  });

  test('are not read while one is in flight, so that they cannot fill the memory', async () => {
    const { port, handler } = await start();
    const socket: Socket = connect(port, '127.0.0.1');
    cleanup.after(socket, (made) => void made.destroy());
    await once(socket, 'connect');
    const one = post('/x', 'x'.repeat(1000));
    const megabytes = 64;
    socket.write(one.repeat(Math.ceil((megabytes * 1024 * 1024) / one.length)));
    await until('the first call', () => handler.begun.length === 1);
    let left = socket.writableLength;
    await until('the kernel to have taken all it takes', async () => {
      await ask200Alive(port);
      const isStill = left === socket.writableLength;
      left = socket.writableLength;
      return isStill;
    });
    expect(handler.begun).toHaveLength(1);
    expect(left).toBeGreaterThan((megabytes / 2) * 1024 * 1024);
  });

  test('do not keep other connections from being answered', async () => {
    const { port, handler } = await start();
    const full = await RawConnection.open(port);
    full.send(post('/full', '').repeat(500));
    await until('the first call', () => handler.begun.length === 1);
    const other = await RawConnection.open(port);
    other.send(post('/other', ''));
    await until('the other call', () => handler.begun.includes('/other'));
    expect(handler.begun).toEqual(['/full', '/other']);
    full.abort();
    other.abort();
  });

  test('that wait are not begun when the service ends their connection', async () => {
    const { port, handler, service } = await start();
    const connection = await RawConnection.open(port);
    connection.send(post('/x', '').repeat(50));
    await until('the first call', () => handler.begun.length === 1);
    expect(await service.close(Promise.resolve())).toBe(false);
    expect(await connection.replies()).toEqual({ replies: [], closed: true });
    handler.answerOne();
    await nextTurn();
    expect(handler.begun).toHaveLength(1);
  });

  test('that wait are not begun after the last answer of a service that stops', async () => {
    const { port, handler, service } = await start();
    const connection = await RawConnection.open(port);
    connection.send(post('/x', 'body').repeat(50));
    await until('the first call', () => handler.begun.length === 1);
    const closed = service.close(new Promise(() => {}));
    handler.answerOne();
    expect(await closed).toBe(true);
    const { replies } = await connection.replies(2);
    expect(replies.map(({ headers }) => headers.get('connection'))).toEqual(['close']);
    expect(handler.begun).toHaveLength(1);
  });

  test('come on after one whose body came late', async () => {
    const { port, handler } = await start();
    const connection = await RawConnection.open(port);
    const late = post('/late', 'late');
    connection.send(post('/first', '1') + late.slice(0, -2));
    await until('the first call', () => handler.begun.length === 1);
    handler.answerOne();
    await until('the second call', () => handler.begun.length === 2);
    connection.send(late.slice(-2) + post('/third', '3'));
    await ask200Alive(port);
    handler.answerOne();
    await until('the third call', () => handler.begun.length === 3);
    handler.answerOne();
    const { replies } = await connection.replies(3);
    expect(replies.map(({ body }) => body)).toEqual(['1', 'late', '3']);
    connection.abort();
  });
});

describe('connections', () => {
  test('a request that arrives after its connection was answered 400 is not begun (D7)', async () => {
    const { port, handler, service } = await start();
    const server = Reflect.get(service, 'server') as Server;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const connection = await RawConnection.open(port);
    const [socket] = await accepted;
    // As node does where no head came in time, though one waits in the kernel.
    server.emit('clientError', new Error('Request timeout'), socket);
    connection.send('GET /wallet HTTP/1.1\r\nHost: a\r\n\r\n');
    const { replies } = await connection.replies(2);
    expect(replies.map(({ status }) => status)).toEqual([400]);
    expect(handler.begun).toEqual([]);
  });

  test('beyond the limit are closed at once, and one that ends makes room', async () => {
    const { port } = await start({ maxConnections: 4 });
    const open: RawConnection[] = [];
    for (let at = 0; at < 4; at++) open.push(await RawConnection.open(port));
    await until('the limit', async () =>
      (await RawConnection.open(port)).replies().then((e) => e.closed),
    );
    open[0]?.abort();
    await until('room', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
        headers: { connection: 'close' },
      });
      return answer.status === 200;
    });
    for (const connection of open) connection.abort();
  });

  test('are not kept alive above three quarters of the limit, so that others find room', async () => {
    const { port } = await start({ maxConnections: 8 });
    const alive = 'GET /healthz HTTP/1.1\r\nHost: wallet\r\n\r\n';
    const open: RawConnection[] = [];
    const kept: (string | undefined)[] = [];
    for (let at = 0; at < 8; at++) {
      const connection = await RawConnection.open(port);
      connection.send(alive);
      const [reply] = (await connection.replies()).replies;
      kept.push(reply?.headers.get('connection'));
      open.push(connection);
    }
    // The seventh and the eighth are closed again; so both find six others open.
    expect(kept).toEqual([...Array.from({ length: 6 }, () => 'keep-alive'), 'close', 'close']);
    for (const connection of open) connection.abort();
  });
});
