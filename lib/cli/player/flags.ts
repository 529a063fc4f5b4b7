import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Actor, FullStore, PlayerKey, Unknown } from '../../operator/wallet';
import { type AmountInput, formatAmount, maxUnits } from '../../protocol/money/amount';
import { keptAccounts, openStore, type OpenedStore } from '../stores/open-store';
import { withStore } from '../stores/with-store';
import { CommandFailure, needed, noAnswer } from '../terminal/failure';
import { addStoreFlags, jsonFlag, operatorFlag, type OperatorStoreFlags } from '../terminal/flags';
import { defined } from '../../platform/validation/defined';

/** Flags of every command of a player. */
export interface PlayerFlags extends OperatorStoreFlags {
  readonly player?: string;
}

/** Flags of what a person does. */
export interface ActFlags {
  readonly by?: string;
  readonly reason?: string;
}

/** Adds {@link PlayerFlags}. */
export function addPlayerFlags(command: Command): Command {
  command.addOption(operatorFlag()).option('--player <id>', 'the player').addOption(jsonFlag());
  return addStoreFlags(command, 'WALLET_STORE');
}

/** Adds {@link ActFlags}. */
export function addActFlags(command: Command): Command {
  return command
    .option('--by <name>', "who does it, for the audit trail (default: the system's user)")
    .option('--reason <text>', 'why, for the audit trail');
}

/** Who acts, and why. */
export function actOf({ by, reason }: ActFlags): { readonly by: Actor; readonly reason?: string } {
  return { by: { id: by ?? systemUser(), name: null }, ...defined({ reason }) };
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
  const player = { operatorId, playerId };
  await withStore({ ...flags, readsJournals: true }, (opened) => work(opened, player), open);
}

/** What the store found. @throws Error if it did not answer, or does not know the player. */
export function known<Result extends { readonly kind: string } | Unknown>(
  result: Result,
  player: PlayerKey,
): Exclude<Result, { readonly kind: 'unknown' | 'noPlayer' }> {
  if ('cause' in result) throw noAnswer(result.cause);
  if (result.kind === 'noPlayer') throw new Error(noPlayer(player));
  return result as Exclude<Result, { readonly kind: 'unknown' | 'noPlayer' }>;
}

/** A player whom the store does not know: both names, since either may be misspelt. */
export function noPlayer({ operatorId, playerId }: PlayerKey): string {
  return `Operator ${operatorId} has no player ${playerId} in this store.`;
}
