import type {
  EventSource,
  WalletStore,
  EventBatch,
  RoundEvent,
  RoundKey,
  WalletEvent,
} from '../../../operator/wallet';
import type { ContractPlayers, ContractStoreOptions } from '../../subject/players';
import assert from 'node:assert/strict';
import { playerWith as openPlayer } from '../case';
import { parseAmount } from '../../../protocol/money/amount';

/** The options that a store under test must accept: with the consumers that it declares. */
export interface EventsContractStoreOptions extends ContractStoreOptions {
  readonly events: readonly string[];
}

/** A store whose commits write events, and the players whose money it moves. */
export interface ContractEvents {
  readonly store: WalletStore & { readonly events: EventSource };
  readonly players: ContractPlayers;
}

/** The consumers that every store of the suite declares. */
export const contractConsumers = ['contract-a', 'contract-b'] as const;

/** The consumer that most cases read as. */
const [reader] = contractConsumers;

/** Who reads, and how many events at most in a batch. */
interface Paging {
  readonly consumer?: string;
  readonly atMost?: number;
}

/** The next batch; the case fails by its runner's time-out if none comes. */
export async function nextBatch(
  { events: source }: { readonly events: EventSource },
  operatorId: string,
  { consumer = reader, atMost = 100 }: Paging = {},
): Promise<EventBatch> {
  for await (const batch of source.read({ consumer, operatorId, atMost })) return batch;
  throw new Error('the iteration ended without a batch');
}

/** Reads and acknowledges until this many events were acknowledged; returns them in order. */
export async function readEvents(
  { events: source }: { readonly events: EventSource },
  operatorId: string,
  count: number,
  { consumer = reader, atMost = 100 }: Paging = {},
): Promise<RoundEvent[]> {
  const events: RoundEvent[] = [];
  if (count === 0) return events;
  for await (const batch of source.read({ consumer, operatorId, atMost })) {
    assert.ok(batch.events.length > 0 && batch.events.length <= atMost, 'a batch has its size');
    if (await batch.done()) events.push(...ofRounds(batch.events));
    if (events.length >= count) break;
  }
  return events;
}

/** The events that are commits of rounds. */
export function ofRounds(events: readonly WalletEvent[]): RoundEvent[] {
  return events.filter((event): event is RoundEvent => event.type === 'round');
}

/** A round of a new player whose opening both consumers of the suite have read. */
export async function playerWith(
  { store, players }: ContractEvents,
  real: bigint,
  bonus?: bigint,
): Promise<RoundKey> {
  const round = await openPlayer(players, real, bonus);
  await readAll(store, round.operatorId);
  return round;
}

/** Acknowledges everything that waits for the consumers of the suite. */
export async function readAll(
  { events }: { readonly events: EventSource },
  operatorId: string,
): Promise<void> {
  for (const consumer of contractConsumers) {
    while ((await waitingFor({ events }, operatorId, consumer)) > 0) {
      await (await nextBatch({ events }, operatorId, { consumer })).done();
    }
  }
}

/** Everything that waits for the first consumer, in order; acknowledged. */
export async function readAllOf(
  store: { readonly events: EventSource },
  operatorId: string,
): Promise<WalletEvent[]> {
  const events: WalletEvent[] = [];
  while ((await waitingFor(store, operatorId)) > 0) {
    const batch = await nextBatch(store, operatorId, { atMost: 7 });
    if (await batch.done()) events.push(...batch.events);
  }
  return events;
}

/** How many events the consumer has before it. */
export async function waitingFor(
  { events: source }: { readonly events: EventSource },
  operatorId: string,
  consumer: string = reader,
): Promise<number> {
  const lags = await source.lag(operatorId);
  const lag = lags.find((one) => one.consumer === consumer);
  assert.ok(lag !== undefined, 'a declared consumer has a lag');
  return lag.waiting;
}

/** The versions of a round's events, in the order in which they came. */
export function versionsOf(events: readonly RoundEvent[], { gameRound }: RoundKey): number[] {
  return events.filter((event) => event.gameRound === gameRound).map(({ version }) => version);
}

/** The versions 1 to the last. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** Units of an amount of an event, which may be below zero; the suite keeps 4 decimals. */
export function signedUnits(amount: string): bigint {
  const isNegative = amount.startsWith('-');
  const units = parseAmount(isNegative ? amount.slice(1) : amount, 4);
  assert.ok(units !== null, 'an amount must be a decimal text');
  return isNegative ? -units : units;
}
