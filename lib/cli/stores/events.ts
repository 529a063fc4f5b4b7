import type { Command } from 'commander';
import type { EventSource } from '../../operator/wallet';
import { withStore } from './with-store';
import { CommandFailure, needed } from '../terminal/failure';
import { addStoreFlags, operatorFlag, type OperatorStoreFlags } from '../terminal/flags';

/** Flags of every command of events. */
export interface EventsFlags extends OperatorStoreFlags {
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
    .addOption(operatorFlag())
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
  await withStore({ ...flags, readsJournals: true }, async ({ store: { events: source } }) => {
    try {
      await work({ source, operatorId });
    } catch (error) {
      if (!(error instanceof Error && error.name === 'UnknownConsumerError')) throw error;
      const consumer = flags.consumer ?? archiveConsumer;
      const why = await undeclared(source, consumer);
      throw new CommandFailure(`${why}: start the wallet with serve --events ${consumer}.`);
    }
  });
}

/** That a consumer is not declared, and which are: it may be misspelt. */
export async function undeclared(source: EventSource, consumer: string): Promise<string> {
  const others = await source.declaredConsumers();
  const has = others.length === 0 ? 'none' : others.join(', ');
  return `The consumer ${consumer} is not declared in this store, which has ${has}`;
}
