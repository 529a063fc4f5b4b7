import type { Command } from 'commander';
import { addAssignFreerounds } from './freerounds';
import { addStatistics } from './statistics';
import type { GameConfiguration, ListedGame } from '../../operator/client';
import type { Writable } from '../../protocol/json/write';
import { alwaysJsonFlag } from '../terminal/flags';
import {
  addCallFlags,
  type CallFlags,
  callRgs,
  exactNumber,
  membersOf,
  printReply,
} from './client';

/** Adds `rgs-wallet call` and its subcommands. */
export function addCall(program: Command): void {
  const group = program
    .command('call')
    .summary('call the RGS as its operator')
    .description(
      "Makes one of the operator's calls at the RGS, signed, and prints the reply as one line of JSON, its numbers unchanged.",
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 the service refused, failed or could not be reached; 2 a wrong flag, file or field: nothing was sent.',
    );
  addAssignFreerounds(group);
  addStatistics(group);
  addGameConfiguration(group);
  addGameList(group);
}

interface ConfigurationFlags extends CallFlags {
  readonly gameCode: string;
  readonly currency: string;
}

/** Members of a configuration that are strings; the other known ones are numbers. */
const texts = ['gameCode', 'currency', 'operator'];

/** Adds `rgs-wallet call game-configuration`. */
function addGameConfiguration(group: Command): void {
  const command = group
    .command('game-configuration')
    .summary('stakes and limits of a game in a currency')
    .description('Reads the configuration of a game for a currency (getGameConfiguration).')
    .requiredOption('--game-code <code>', 'the game, by its code in the list of games')
    .requiredOption('--currency <code>', 'three upper-case letters')
    .addOption(alwaysJsonFlag());
  addCallFlags(command).action(async (flags: ConfigurationFlags) => {
    const { gameCode, currency } = flags;
    const call = { gameCode, currency };
    printReply(writeConfiguration(await callRgs(flags, (rgs) => rgs.getGameConfiguration(call))));
  });
}

/** Adds `rgs-wallet call game-list`. */
function addGameList(group: Command): void {
  const command = group
    .command('game-list')
    .summary('the games that may be launched')
    .description('Reads the list of games (getGameList).')
    .addOption(alwaysJsonFlag());
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
