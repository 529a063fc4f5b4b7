// Bridges the wallet's events to a queue: each event once, in order for each player. The queue is a Redis Stream;
// for another broker, replace `enqueue` alone. Declare the consumer where the wallet runs: serve --events bridge.
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createRedisStore } from 'rgs-wallet-kit/redis';

const { WALLET_STORE, QUEUE_URL, OPERATOR_ID } = process.env;
const { CONSUMER = 'bridge', QUEUE = 'wallet-events' } = process.env;
const store = createRedisStore({ url: WALLET_STORE, events: [CONSUMER] });
const queue = new Redis(QUEUE_URL, { maxRetriesPerRequest: 1 });
queue.on('error', () => {}); // what fails is sent again

// An event comes again if this process dies before done(): its id is remembered for a week, in the same step.
const addOnce = `if redis.call('SET', KEYS[2], 1, 'NX', 'EX', 604800) then
  redis.call('XADD', KEYS[1], '*', 'id', ARGV[1], 'player', ARGV[2], 'event', ARGV[3])
end`;

async function enqueue(events) {
  for (const event of events) {
    const { id, playerId } = event; // a broker with partitions: playerId is the key that keeps the order
    await queue.eval(addOnce, 2, QUEUE, `${QUEUE}:${id}`, id, playerId, JSON.stringify(event));
  }
}

const stopping = new AbortController();
for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => stopping.abort());
const { signal } = stopping;

while (!signal.aborted) {
  try {
    for await (const batch of store.events.read({
      consumer: CONSUMER,
      operatorId: OPERATOR_ID,
      signal,
    })) {
      await enqueue(batch.events); // the queue has them all
      await batch.done(); // only then the wallet forgets them
    }
  } catch (error) {
    console.error(`tried again: ${error.message}`);
    await pause(1000, undefined, { signal }).catch(() => {});
  }
}
queue.disconnect();
await store.close();
