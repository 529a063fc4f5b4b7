import {
  type ConsumerLag,
  createActEvent,
  createRoundEvent,
  createRoundPointer,
  type TotalsChange,
  UnknownConsumerError,
  type WalletEvent,
} from '../../wallet';
import { actStart, decodeAct } from '../codec/act';
import { decodeChange } from '../codec/event';
import { stateOf } from '../codec/record';
import type { EventPage, PageRequest, ReadRound } from '../event-batches';
import { ServerEvents, type ServerEventsParts } from '../server-events';
import { unexpected } from './connections/answers';
import { reasonOf } from './client/port';
import { readAccount } from './codec/round';
import type { Line, WritingParts } from './connections/executor';
import { functions } from './schema/functions';
import { totalsValues } from './totals';

/** What events need of a store. */
export interface PostgresEventsParts extends ServerEventsParts, WritingParts {}

/** The consumers of a PostgreSQL store, and their events. */
export class PostgresEvents extends ServerEvents<PostgresEventsParts> {
  constructor(parts: PostgresEventsParts, readRound: ReadRound) {
    super('PostgreSQL', parts, readRound, reasonOf);
  }

  protected declareNames(names: readonly string[]): Promise<unknown> {
    return this.parts.executor.run(functions.declareConsumers, { ...this.parts.writing, names });
  }

  protected async lags(operatorId: string): Promise<ConsumerLag[]> {
    const lines = await this.lagLines(operatorId);
    return lines.flatMap(([consumer, waiting, oldest]) => {
      const oldestAt = typeof oldest === 'string' ? Number(oldest) : null;
      return typeof consumer === 'string' ? [{ consumer, waiting: Number(waiting), oldestAt }] : [];
    });
  }

  protected async kept(operatorId: string): Promise<number> {
    const lines = await this.lagLines(operatorId);
    return Math.max(0, ...lines.map(([, waiting]) => Number(waiting)));
  }

  /** The lag of an operator that cannot be: nothing but the names. */
  async declaredConsumers(): Promise<string[]> {
    return (await this.lags('')).map(({ consumer }) => consumer).toSorted();
  }

  protected async forget(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    const values = { ...this.parts.writing, of_consumer: consumer, of_operators: operatorIds };
    const [line] = await this.parts.executor.run(functions.forgetConsumer, values);
    return line?.[0] === 'true';
  }

  private lagLines(operatorId: string): Promise<readonly Line[]> {
    return this.parts.executor.run(functions.lagEvents, { of_operator: operatorId });
  }

  protected async page(request: PageRequest): Promise<EventPage | null> {
    const { consumer, operatorId, atMost } = request;
    for (;;) {
      const [first, ...lines] = await this.parts.executor.run(functions.readEvents, {
        lock_timeout_ms: this.parts.writing.lock_timeout_ms,
        of_operator: operatorId,
        of_consumer: consumer,
        at_most: atMost,
      });
      if (first === undefined) return null;
      const [kind, step] = first;
      if (kind === 'unknown') throw new UnknownConsumerError(consumer);
      if (kind !== 'page' || typeof step !== 'string') throw unexpected();
      const last = lines.at(-1)?.[1] ?? '';
      const isLast = lines.length < atMost;
      const to = { at_step: step, to_place: last, is_last: isLast };
      const acknowledge = (totals?: TotalsChange) => this.advance(request, to, totals);
      if (lines.length > 0) {
        const events = lines.map((line) => this.eventOf(operatorId, line));
        return { events, acknowledge };
      }
      await acknowledge(); // the end of the last page was the end of all pages
    }
  }

  private async advance(
    { operatorId, consumer }: PageRequest,
    to: { readonly at_step: string; readonly to_place: string; readonly is_last: boolean },
    totals?: TotalsChange,
  ): Promise<boolean> {
    const { executor, clock } = this.parts;
    const values = { ...this.parts.writing, of_operator: operatorId, of_consumer: consumer, ...to };
    const [line] = await (totals === undefined
      ? executor.run(functions.advanceEvents, values)
      : executor.run(functions.addTotals, { ...values, ...totalsValues(totals, clock.now()) }));
    if (line?.[0] !== 'done' && line?.[0] !== 'moved') throw unexpected();
    return line[0] === 'done';
  }

  private eventOf(operatorId: string, line: Line): WalletEvent {
    const [kind, , playerId, gameRound, version, at, text, took, accounts] = line;
    if (kind !== 'event' || typeof text !== 'string') throw unexpected();
    const round = { operatorId, playerId: playerId ?? '', gameRound: gameRound ?? '' };
    const commit = { round, version: Number(version), at: Number(at) };
    const { decimals } = this.parts;
    if (text.startsWith(actStart)) {
      const player = { operatorId, playerId: round.playerId };
      const written = { act: decodeAct(text), number: commit.version, at: commit.at };
      return createActEvent(
        { player, ...written, accounts: accountsOf(accounts ?? null) ?? [] },
        decimals,
      );
    }
    // A pointer has the state alone.
    if (!text.startsWith('['))
      return createRoundPointer({ ...commit, state: stateOf(text) }, decimals);
    const taken = (took ?? '').split(' ').filter(Boolean).map(BigInt);
    const change = { ...decodeChange(text, taken), accounts: accountsOf(accounts ?? null) };
    return createRoundEvent({ ...change, ...commit }, decimals);
  }
}

/** Currency, real and bonus of each account, `-` for no such balance, in any order; null without any. */
function accountsOf(text: string | null): ReturnType<typeof readAccount>[] | null {
  if (text === null) return null;
  const words = text.split(' ');
  const accounts = Array.from({ length: words.length / 3 }, (_, at) => {
    const [currency = '', real = '', bonus] = words.slice(3 * at, 3 * at + 3);
    return readAccount([currency, real, bonus === '-' ? null : (bonus ?? null)]);
  });
  return accounts.toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}
