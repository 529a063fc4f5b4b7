import type { Command } from 'commander';
import type { GameConfiguration, ListedGame } from '../../operator/client';
import type { Writable } from '../../protocol/json';
import {
  addCallFlags,
  type CallFlags,
  callRgs,
  exactNumber,
  membersOf,
  printReply,
} from './client';

interface ConfigurationFlags extends CallFlags {
  readonly gameCode: string;
  readonly currency: string;
}

/** Members of a configuration that are strings; the other known ones are numbers. */
const texts = ['gameCode', 'currency', 'operator'];

/** Adds `rgs-wallet call game-configuration`. */
export function addGameConfiguration(group: Command): void {
  const command = group
    .command('game-configuration')
    .summary('stakes and limits of a game in a currency')
    .description('Reads the configuration of a game for a currency (getGameConfiguration).')
    .requiredOption('--game-code <code>', 'the game, by its code in the list of games')
    .requiredOption('--currency <code>', 'three upper-case letters');
  addCallFlags(command).action(async (flags: ConfigurationFlags) => {
    const { gameCode, currency } = flags;
    const call = { gameCode, currency };
    printReply(writeConfiguration(await callRgs(flags, (rgs) => rgs.getGameConfiguration(call))));
  });
}

/** Adds `rgs-wallet call game-list`. */
export function addGameList(group: Command): void {
  const command = group
    .command('game-list')
    .summary('the games that may be launched')
    .description('Reads the list of games (getGameList).');
  addCallFlags(command).action(async (flags: CallFlags) => {
    const { gameList, extendedGameList, further } = await callRgs(flags, (rgs) =>
      rgs.getGameList(),
    );
    const games = mapMembers(extendedGameList, (game: ListedGame) => membersOf(game));
    printReply({ gameList, extendedGameList: games, ...further });
  });
}

function writeConfiguration({ further, ...known }: GameConfiguration): Writable {
  const { stakes, ...others } = known;
  const exact = Object.entries(others).map(
    ([name, member]) => [name, texts.includes(name) ? member : exactNumber(member)] as const,
  );
  const members = membersOf({ ...Object.fromEntries(exact), further });
  return { ...members, stakes: stakes.map(exactNumber) };
}

function mapMembers<T>(
  members: Readonly<Record<string, T>>,
  write: (member: T) => Writable,
): Record<string, Writable> {
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, write(one)]));
}
