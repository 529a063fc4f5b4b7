import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ephemeral range of Linux and macOS: a client that keeps dialling a dead server's port can otherwise be given
// that very port as its own source, connect to itself, and keep the server from coming back.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

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

/** A TCP port of 127.0.0.1 that nothing listened on a moment ago; the caller retries if it lost a race for it. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT}`);
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
