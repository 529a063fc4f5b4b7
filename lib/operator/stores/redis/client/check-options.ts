import type { RedisClient } from './port';

/** Options of ioredis under which the store would be wrong, each with what goes wrong and the cure. */
const unfit: readonly (readonly [name: string, problem: string])[] = [
  [
    'keyPrefix',
    'the books and rgs-wallet would not find the keys. Remove it, and set the option namespace instead',
  ],
  [
    'stringNumbers',
    'numbers in replies would be misread. Give the store a separate client without it',
  ],
];

/**
 * Checks the options of a client that the user created; of a cluster also those of its nodes.
 * @throws TypeError that names the option. Its value is not repeated.
 */
export function checkClientOptions({ options }: RedisClient): void {
  const ofClient = Object(options) as Record<string, unknown>;
  const ofNodes = Object(ofClient['redisOptions']) as Record<string, unknown>;
  for (const [name, problem] of unfit) {
    if (ofClient[name] || ofNodes[name]) {
      throw new TypeError(`client must not have ${name}: ${problem}`);
    }
  }
}
