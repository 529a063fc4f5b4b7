import { type Command, Option } from 'commander';
import type { RoundKey, WalletStore } from '../../operator/wallet';
import { isIdentifier } from '../../protocol/identifiers';
import { openLedger } from '../stores/open-ledger';
import { keptJournal, openStore } from '../stores/open-store';
import { CommandFailure, needed, keptStore } from '../terminal/failure';
import { addStoreFlags, type StoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';

/** Flags of every command of rounds. */
export interface RoundsFlags extends Omit<StoreFlags, 'store'> {
  readonly store?: string;
  readonly operator?: string;
  readonly ledger?: string;
  readonly json?: true;
}

/** Flags that choose a round. */
export interface RoundFlags extends RoundsFlags {
  readonly player: string;
  readonly round: string;
}

/** Adds {@link RoundsFlags}. */
export function addRoundsFlags(command: Command): Command {
  return addStoreFlags(command, 'WALLET_STORE')
    .addOption(new Option('--operator <id>', 'whose rounds').env('OPERATOR_ID'))
    .addOption(
      new Option(
        '--ledger <file>',
        'the ledger that holds the money, as for serve: the store then has only the rounds',
      ).env('LEDGER_FILE'),
    )
    .option('--json', 'print JSON');
}

/** Flags that choose a round to look at. */
export interface LookFlags extends RoundsFlags {
  readonly player: string;
  readonly round?: string;
  readonly hash?: string;
}

/** Adds {@link LookFlags}. */
export function addLookFlags(command: Command): Command {
  return addRoundsFlags(command)
    .requiredOption('--player <id>', "the player's id")
    .option('--round <id>', 'the gameRound')
    .option('--hash <hash>', 'in place of --round: the hash of one of its transactions');
}

/** Adds {@link RoundFlags}. */
export function addRoundFlags(command: Command): Command {
  return addRoundsFlags(command)
    .requiredOption('--player <id>', "the player's id")
    .requiredOption('--round <id>', 'the gameRound');
}

/** The operator of the flags. @throws CommandFailure if none is named, or it is no identifier. */
export function operatorOf({ operator }: RoundsFlags): string {
  return checked('--operator', needed('operator', operator));
}

/** The round of the flags. @throws CommandFailure if a name is no identifier. */
export function roundOf(flags: RoundFlags): RoundKey {
  return {
    operatorId: operatorOf(flags),
    playerId: checked('--player', flags.player),
    gameRound: checked('--round', flags.round),
  };
}

/** The rounds of the flags: a store, or a ledger store over it. */
export type OpenedRounds = WalletStore;

/**
 * Opens the store, does the work, and closes it. Work that commits opens it with `openToCommit`.
 * @throws CommandFailure if there is no store, or it cannot be used.
 */
export async function withRounds<T>(
  flags: RoundsFlags,
  work: (store: OpenedRounds) => Promise<T>,
  open: typeof openStore = (choice, log) => openStore({ ...choice, readsJournals: true }, log),
): Promise<T> {
  const { ledger } = flags;
  const address = keptStore(flags);
  const log = new EarlyLog();
  const opened = await open({ ...flags, store: address }, log);
  const { store } = opened;
  if (ledger === undefined) return closing(store, () => work(store));
  const journal = await keptJournal(opened);
  const over = await openLedger(ledger, journal, { logger: log });
  return closing(over, () => closing(over.store, () => work(over.store)));
}

async function closing<T>(owner: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await owner.close();
  }
}

/** The value of a flag. @throws CommandFailure if it is no identifier. */
export function checked(flag: string, value: string): string {
  if (isIdentifier(value)) return value;
  throw new CommandFailure(`${flag} must be 1 to 128 characters, without # or control characters`);
}
