import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

// Below the ephemeral range of Linux and macOS: a client that keeps dialling a dead server's port can otherwise be given
// that very port as its own source, connect to itself, and keep the server from coming back.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** So many processes of a test run have ports of their own; beyond it, they start sharing. */
const SHARES = 16;
const PORTS_EACH = (LAST_PORT - FIRST_PORT) / SHARES;

/** Thrown when another process took the port between choosing and using it; choose another. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** Starts something on a free port, and again on another while it reports PortTakenError. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === 5) throw error;
    }
  }
}

/** Starts something on its former port; another process that looks for a free one may hold it for a moment. */
export async function onFormerPort<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === 50) throw error;
      await delay(20);
    }
  }
}

/** A TCP port of 127.0.0.1 that nothing listened on a moment ago; the caller retries if it lost a race for it. */
export async function freePort(): Promise<number> {
  const [first, end] = share();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(first, end);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port from ${first} to ${end - 1}`);
}

/** Given once: who was given it may not listen yet, or be down for a moment and come back to it. */
const chosen = new Set<number>();

/** The ports of this process: those of other workers of the same run are theirs, listened on or not. */
function share(): readonly [first: number, end: number] {
  const worker = Number(process.env['JEST_WORKER_ID']);
  if (!Number.isSafeInteger(worker)) return [FIRST_PORT, LAST_PORT];
  const first = FIRST_PORT + (worker % SHARES) * PORTS_EACH;
  return [first, first + PORTS_EACH];
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
