import { type Command, Option } from 'commander';
import type { EventSource } from '../../operator/wallet';
import { openStore } from './open-store';
import { CommandFailure, messageOf, needed, keptStore } from '../terminal/failure';
import { addStoreFlags, type StoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';

/** Flags of every command of events. */
export interface EventsFlags extends Omit<StoreFlags, 'store'> {
  readonly store?: string;
  readonly operator?: string;
  readonly consumer?: string;
}

/** The consumer of archive run, unless named. */
export const archiveConsumer = 'archive';

/** What a command of events works on. */
export interface EventsPlace {
  readonly source: EventSource;
  readonly operatorId: string;
}

/** Adds {@link EventsFlags}. */
export function addEventsFlags(command: Command): Command {
  command
    .addOption(new Option('--operator <id>', 'the operator').env('OPERATOR_ID'))
    .option('--consumer <name>', 'the consumer, as serve --events declares it');
  return addStoreFlags(command, 'WALLET_STORE');
}

/**
 * Opens the store and works on its events.
 * @throws CommandFailure for a wrong flag, and a consumer that is not declared.
 */
export async function withEvents(
  flags: EventsFlags,
  work: (place: EventsPlace) => Promise<void>,
): Promise<void> {
  const operatorId = needed('operator', flags.operator);
  const address = keptStore(flags);
  const { store } = await openStore(
    { ...flags, store: address, readsJournals: true },
    new EarlyLog(),
  );
  try {
    await work({ source: store.events, operatorId });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(messageOf(error));
    if (nameOf(error) !== 'UnknownConsumerError') throw error;
    const consumer = flags.consumer ?? archiveConsumer;
    const why = await undeclared(store.events, consumer);
    throw new CommandFailure(`${why}: start the wallet with serve --events ${consumer}.`);
  } finally {
    await store.close();
  }
}

/** That a consumer is not declared, and which are: it may be misspelt. */
export async function undeclared(source: EventSource, consumer: string): Promise<string> {
  const others = await source.declaredConsumers();
  const has = others.length === 0 ? 'none' : others.join(', ');
  return `The consumer ${consumer} is not declared in this store, which has ${has}`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
