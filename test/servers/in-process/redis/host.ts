import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { Script } from '../../../../lib/operator/stores/redis/commands/script';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { PlayerKey, RoundKey } from '../../../../lib/operator/wallet';
import type { HostCommand, OpenHost } from '../../../simulator';
import { clientOf, type SentCommand } from './client';
import { RedisModel } from './server';

/** The Redis store with its unchanged scripts, over a model of Redis of its own. */
export const openRedisModel: OpenHost = async (clock) => {
  const model = await RedisModel.create(() => clock.now());
  return {
    connect({ carry, ...ports }) {
      const client = clientOf(model, (sent, work) => carry(readCommand(sent), work));
      return createRedisStore({ ...ports, client, init: true });
    },
    close: async () => {},
  };
};

const bySha = new Map<string, Script>(Object.values(scripts).map((script) => [script.sha, script]));
const bySource = new Map<string, Script>(
  Object.values(scripts).map((script) => [script.source, script]),
);
const moving: ReadonlySet<Script> = new Set([
  scripts.commit,
  scripts.open,
  scripts.follow,
  scripts.moveCash,
  scripts.openPlayer,
]);

function readCommand({ name, args }: SentCommand): HostCommand {
  const [text = '', count = '0', ...rest] = args;
  const script = name === 'eval' ? bySource.get(text) : bySha.get(text);
  if (script === undefined) return { what: name, key: null, moves: false, takes: false };
  const keys = rest.slice(0, Number(count));
  const values = rest.slice(keys.length);
  return {
    what: `${name} ${script.name}`,
    key: keyOf(keys),
    moves: moving.has(script),
    takes: takesStakes(values[movementsAt(script)]),
  };
}

/** The round of a command that names one, otherwise the player. */
function keyOf(keys: readonly string[]): RoundKey | PlayerKey | null {
  const found = keys.map((key) => /\{([^:{}]+):\d+\}:([pr]):([^:]+)(?::([^:]+))?$/.exec(key));
  const [, operator, , player, gameRound] =
    found.find((parts) => parts?.[2] === 'r') ?? found.find((parts) => parts !== null) ?? [];
  if (operator === undefined || player === undefined) return null;
  const [operatorId, playerId] = [decodeURIComponent(operator), decodeURIComponent(player)];
  if (gameRound === undefined) return { operatorId, playerId };
  return { operatorId, playerId, gameRound: decodeURIComponent(gameRound) };
}

/** The place of the movements in the arguments, after the initials of the parts; -1 for a script without parts. */
function movementsAt({ names }: Script): number {
  return names.parts === undefined ? -1 : 1 + (names.args ?? []).indexOf('movements');
}

/** By the movements of commit.lua: a take of something, and no reversal. */
function takesStakes(movements = ''): boolean {
  const words = movements.split('\0');
  const isTaken = words.some(
    (word, at) => /^take(?:Real|Bonus)$/.test(word) && words[at + 2] !== '0',
  );
  return isTaken && !words.includes('reverse');
}
