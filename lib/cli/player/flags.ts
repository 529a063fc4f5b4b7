import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import type { Account, FullStore, Actor, PlayerKey } from '../../operator/wallet';
import { type AmountInput, formatAmount, maxUnits } from '../../protocol/money/amount';
import { keptAccounts, openStore, type OpenedStore } from '../stores/open-store';
import { CommandFailure, exitCodes, messageOf, needed, keptStore } from '../terminal/failure';
import { addStoreFlags, type StoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';
import { withoutControls } from '../../protocol/json/printable';

/** Flags of every command of a player. */
export interface PlayerFlags extends Omit<StoreFlags, 'store'> {
  readonly store?: string;
  readonly operator?: string;
  readonly player?: string;
  readonly json?: true;
}

/** Flags of what a person does. */
export interface ActFlags {
  readonly by?: string;
  readonly reason?: string;
}

/** Adds {@link PlayerFlags}. */
export function addPlayerFlags(command: Command): Command {
  command
    .addOption(new Option('--operator <id>', 'the operator').env('OPERATOR_ID'))
    .option('--player <id>', 'the player')
    .option('--json', 'print one line of JSON');
  return addStoreFlags(command, 'WALLET_STORE');
}

/** Adds {@link ActFlags}. */
export function addActFlags(command: Command): Command {
  return command
    .option('--by <name>', "who does it, for the audit trail (default: the system's user)")
    .option('--reason <text>', 'why, for the audit trail');
}

/** The person of the flags. */
export function actorOf({ by }: ActFlags): Actor {
  return { id: by ?? systemUser(), name: null };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw new CommandFailure('--by is missing: the system has no name for the user.');
  }
}

/** @throws CommandFailure that names the flag, for a text that `read` refuses: `unitsOf` or `signedUnitsOf`. */
export function checkAmount(
  flag: string,
  text: string,
  { decimals }: { readonly decimals: number },
  read: (amount: AmountInput, decimals: number) => bigint,
): void {
  try {
    read(text, decimals);
  } catch {
    throw new CommandFailure(
      `--${flag} must be a decimal such as 10.50, with at most ${decimals} decimals, and at most ${formatAmount(maxUnits, decimals)}`,
    );
  }
}

/**
 * Opens the store and works with the player of the flags. An act opens it with `openToCommit`, so that it is an event.
 * @throws CommandFailure for a wrong flag, also one that the store refuses, and over tables of the platform's own.
 */
export async function withPlayer(
  flags: PlayerFlags,
  work: (store: FullStore, player: PlayerKey) => Promise<void>,
  open: typeof openStore = openStore,
): Promise<void> {
  const inStore = async (opened: OpenedStore, player: PlayerKey): Promise<void> => {
    const ofPlatform = 'players, their cash and their blocks are the business of the platform';
    await work(await keptAccounts(opened, ofPlatform), player);
  };
  await withOpened(flags, inStore, open);
}

/** The same, for what every store has. */
export async function withOpened(
  flags: PlayerFlags,
  work: (opened: OpenedStore, player: PlayerKey) => Promise<void>,
  open: typeof openStore = openStore,
): Promise<void> {
  const operatorId = needed('operator', flags.operator);
  const playerId = needed('player', flags.player);
  const address = keptStore(flags);
  const opened = await open({ ...flags, store: address, readsJournals: true }, new EarlyLog());
  try {
    await work(opened, { operatorId, playerId });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(messageOf(error));
    throw error;
  } finally {
    await opened.store.close();
  }
}

/** Ends the command with 1. */
export function fail(message: string): void {
  process.stderr.write(`error: ${withoutControls(message)}\n`);
  process.exitCode = exitCodes.wrong;
}

/** Ends the command with 1: a read that the store did not answer. */
export function failUnknown(cause: Error): void {
  fail(`The store did not answer: ${messageOf(cause)}`);
}

/** A player whom the store does not know: both names, since either may be misspelt. */
export function noPlayer({ operatorId, playerId }: PlayerKey): string {
  return `Operator ${operatorId} has no player ${playerId} in this store.`;
}

/** An account as members of a JSON line. */
export function accountJson({ currency, real, bonus }: Account, decimals: number): object {
  const bonusText = bonus === null ? null : formatAmount(bonus, decimals);
  return { currency, real: formatAmount(real, decimals), bonus: bonusText };
}
