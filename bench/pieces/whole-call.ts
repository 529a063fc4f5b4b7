import { once } from 'node:events';
import { startRedis } from '../../test/servers/redis/server';
import { contestants } from '../contestants/list';
import { forkTypeScript } from '../start-contestant';
import type { CallOrder } from './calling-process';
import { players } from '../terms';

const callsInBatch = 2_000;
/** Until V8 has compiled all that is hot: some 80,000 calls. */
const warmupBatches = 40;
const batches = 60;

/** Microseconds of processor. */
export interface WholeCall {
  readonly byHand: number;
  readonly kit: number;
  /** A call with a wrong signature, by the kit. */
  readonly refused: number;
}

/**
 * A whole call from the bytes of its request to those of its reply, by contestants a and b, each in its own process with its
 * load and a canned Redis: no network, no server. Least of many batches, in alternation.
 */
export async function wholeCall(): Promise<WholeCall> {
  const byHand = await startCalling('a');
  const kit = await startCalling('b');
  const none = Number.POSITIVE_INFINITY;
  const least = { byHand: none, kit: none, refused: none };
  try {
    for (let batch = -warmupBatches; batch < batches; batch += 1) {
      const used = {
        byHand: await byHand.play('round', callsInBatch),
        kit: await kit.play('round', callsInBatch),
        refused: await kit.play('refused', callsInBatch),
      };
      if (batch < 0) continue;
      least.byHand = Math.min(least.byHand, used.byHand);
      least.kit = Math.min(least.kit, used.kit);
      least.refused = Math.min(least.refused, used.refused);
    }
    return least;
  } finally {
    await byHand.stop();
    await kit.stop();
  }
}

async function startCalling(letter: 'a' | 'b') {
  const server = await startRedis();
  await contestants[letter]?.prepare(server.url, players);
  const child = forkTypeScript('pieces/calling-process.ts', [letter, String(server.port)]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`contestant ${letter} ended with ${String(code)}`);
  });
  ended.catch(() => {}); // of a child that is stopped
  const told = () => Promise.race([once(child, 'message'), ended]);
  await told();
  return {
    /** Microseconds of one call. */
    async play(kind: 'round' | 'refused', count: number): Promise<number> {
      const order: CallOrder = { kind, count };
      child.send(order);
      const [used] = (await told()) as [number];
      return used;
    },
    async stop() {
      child.kill('SIGKILL');
      await server.stop();
    },
  };
}
