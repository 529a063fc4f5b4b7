import type { Command } from 'commander';
import { ArchiveUnreadableError, type EventQuery } from '../../operator/archive/reading';
import { CommandFailure, messageOf } from '../terminal/failure';
import { withoutControls } from '../../protocol/json/printable';

/** Flags that say which events of an archive are meant. */
export interface QueryFlags {
  readonly player?: string;
  readonly round?: string;
  readonly hash?: string;
  readonly reference?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Adds {@link QueryFlags}. */
export function addQueryFlags(command: Command): Command {
  return command
    .option('--player <id>', "the player's id")
    .option('--round <id>', 'the gameRound')
    .option('--hash <hash>', 'the hash of a transaction: with --player, or every segment is read')
    .option('--reference <text>', 'the reference of a deposit, a withdrawal or a correction')
    .option('--from <time>', 'events from this time on: 2026-11-24T10:00Z')
    .option('--to <time>', 'events up to this time');
}

/** The query of the flags. @throws CommandFailure if nothing is asked for. */
export function queryOf({ player, round, ...rest }: QueryFlags): EventQuery {
  if ([player, round, rest.hash, rest.reference].every((value) => value === undefined)) {
    throw new CommandFailure('Name --player, --round, --hash or --reference.');
  }
  const { hash, reference, from, to } = rest;
  return { playerId: player, gameRound: round, hash, reference, from, to };
}

/** Does the work. @throws CommandFailure (code 2) if the archive cannot be read, or a flag is wrong. */
export async function reading<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // An option has the name of its flag.
    if (error instanceof TypeError) throw new CommandFailure(`--${messageOf(error)}`);
    if (!(error instanceof ArchiveUnreadableError)) throw error;
    throw new CommandFailure(withoutControls(`${folder}: ${messageOf(error)}`));
  }
}
