import type { Command } from 'commander';
import type { RoundKey, WalletStore } from '../../operator/wallet';
import { isIdentifier } from '../../protocol/identifiers';
import { openLedger } from '../stores/open-ledger';
import { keptJournal, type OpenedStore, openStore } from '../stores/open-store';
import { closing, withStore } from '../stores/with-store';
import { CommandFailure, needed } from '../terminal/failure';
import {
  addStoreFlags,
  ledgerFlag,
  operatorFlag,
  type OperatorStoreFlags,
} from '../terminal/flags';

/** Flags of every command of rounds. */
export interface RoundsFlags extends OperatorStoreFlags {
  readonly ledger?: string;
}

/** Flags that choose a round. */
export interface RoundFlags extends RoundsFlags {
  readonly player: string;
  readonly round: string;
}

/** Adds {@link RoundsFlags}. */
export function addRoundsFlags(command: Command): Command {
  return addStoreFlags(command, 'WALLET_STORE')
    .addOption(operatorFlag('whose rounds'))
    .addOption(
      ledgerFlag(
        'the ledger that holds the money, as for serve: the store then has only the rounds',
      ),
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

/**
 * Opens the store, or the ledger store over it, does the work, and closes it. Work that commits opens it with `openToCommit`.
 * @throws CommandFailure if there is no store, or it cannot be used.
 */
export async function withRounds<T>(
  flags: RoundsFlags,
  work: (store: WalletStore) => Promise<T>,
  open: typeof openStore = (choice, log) => openStore({ ...choice, readsJournals: true }, log),
): Promise<T> {
  const { ledger } = flags;
  const inOpened = async (opened: OpenedStore): Promise<T> => {
    if (ledger === undefined) return work(opened.store);
    const over = await openLedger(ledger, await keptJournal(opened));
    // The store first: it ends what it has begun at the ledger.
    return closing(over, () => closing(over.store, () => work(over.store)));
  };
  return withStore(flags, inOpened, open);
}

/** The value of a flag. @throws CommandFailure if it is no identifier. */
export function checked(flag: string, value: string): string {
  if (isIdentifier(value)) return value;
  throw new CommandFailure(`${flag} must be 1 to 128 characters, without # or control characters`);
}
