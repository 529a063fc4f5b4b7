import { afterAll, afterEach, beforeAll } from '@jest/globals';

import { Cleanup } from '../servers/cleanup';

/** Closes after each test what it opened. */
export function cleanupAfterEach(): Cleanup {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());
  return cleanup;
}

/** The server of all tests of a file: started before the first of them, and stopped after the last. */
export function serverOfFile<Server extends { stop(): Promise<void> }>(
  start: () => Promise<Server>,
): () => Server {
  let server: Server;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  return () => server;
}
