import type { EventSource, WalletStore } from '../../../operator/wallet';
import type { ContractPlayers, ContractStoreOptions } from '../../subject/players';

/** The options that a store under test must accept: with the consumers that it declares. */
export interface EventsContractStoreOptions extends ContractStoreOptions {
  readonly events: readonly string[];
}

/** A store whose commits write events, and the players whose money it moves. */
export interface ContractEvents {
  readonly store: WalletStore & EventSource;
  readonly players: ContractPlayers;
}
