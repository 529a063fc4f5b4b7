import type { AccountStore, PlayerKey, RoundKey } from '../../../lib/operator/wallet';
import type { Clock, Random } from '../../../lib/platform';
import type { Lifetime } from '../world/lifetime';
import { exchange } from './exchange';
import { type Look, lookAway, type PurseOf } from './store';

/** A command on its way from a store's own code to the server that keeps the money. */
export interface HostCommand {
  /** For the trace. */
  readonly what: string;
  /** The round or the player that it is about; null for one about the whole store. */
  readonly key: RoundKey | PlayerKey | null;
  /** Whether it may move money. */
  readonly moves: boolean;
  /** Whether it takes stakes and takes nothing back: then it makes no balance less than zero. */
  readonly takes: boolean;
}

/** Carries a command to the server, where `work` runs it, and its answer back; rejects where it is lost. */
export type CarryCommand = <T>(command: HostCommand, work: () => Promise<T>) => Promise<T>;

/** What a store of one process is made with. */
export interface HostConnection {
  readonly clock: Clock;
  readonly random: Random;
  readonly carry: CarryCommand;
  /** How long rounds that are over are kept, in milliseconds; as the store does unless set. */
  readonly retentionMs?: number;
  /** The consumers of events that it declares; none unless set. */
  readonly events?: readonly string[];
}

/** A server in this process, and the store that is written for it, with its own scripts or SQL. */
export interface Host {
  /** Whether the store lists rounds at the cost of some commands; otherwise it may take a thousand. */
  readonly listsRounds?: boolean;
  /** The store as one process has it. */
  connect(connection: HostConnection): AccountStore;
  /** Called when the world is over. */
  close(): Promise<void>;
}

/** Opens an empty server whose time is this clock's. It may only take microtasks: nothing else is seen to be at work. */
export type OpenHost = (clock: Clock) => Promise<Host>;

/** Commands of a process, each of which may go wrong. `store` reaches the server without faults. */
export function farCommands(
  lifetime: Lifetime,
  store: AccountStore,
  purseOf: PurseOf,
  look: Look = lookAway,
): CarryCommand {
  return (command, work) => {
    const { what, key, moves, takes } = command;
    const purse = moves && key !== null ? purseOf(key) : null;
    const done = async () => {
      const answer = await work();
      if (key === null || purse === null) return answer;
      const result = await store.rounds.accounts(key);
      if (result.kind === 'known') purse.see(result.accounts, takes);
      if ('gameRound' in key) await look(key);
      return answer;
    };
    return exchange({
      lifetime,
      name: nameOf(key),
      what,
      work: done,
      keepsMoney: true,
      unknown: lost,
      enter: () => purse?.enter(),
      leave: () => purse?.leave(),
    });
  };
}

/** Nothing goes wrong. */
export const nearCommands: CarryCommand = (_, work) => work();

function nameOf(key: RoundKey | PlayerKey | null): string {
  if (key === null) return 'store';
  return 'gameRound' in key ? key.gameRound : key.playerId;
}

function lost(): never {
  throw new Error('The connection is lost.');
}
