import type { AmountUnit } from '../../../protocol/money/amount';
import { type ProcessFigures, processFigures } from '../../../platform/loop-time';
import type { OperationsSettings } from '../configuration/options';
import type { CallWatch } from '../../minutes/call-watch';
import { type ConsumersView, type MoneyView, viewConsumers, viewMoney } from './health';
import { type ProcessRow, viewProcesses } from './minutes';
import { type Listed, orUnavailable } from './query-store';
import type { CheckedSetting, DebitCheckBreaker } from '../../wallet';
import { readVersion } from '../../../platform/package/version';

/** What runs, and how it is set. */
export interface SystemView {
  readonly asOf: string;
  /** Whether the store passes its checks now: as for a call. */
  readonly store: MoneyView['store'];
  /** The process that answers. */
  readonly process: ProcessFigures & { readonly version: string };
  /** The circuit breaker of each debit check of this process; empty without any, and where no router or handler has `calls`. */
  readonly debitChecks: readonly DebitCheckBreaker[];
  /** The settings of the server that the last check read; `missing` where the store has no server, or does not say. */
  readonly settings: readonly CheckedSetting[] | 'missing';
  /** Decimals that are kept of an amount. */
  readonly decimals: number;
  /** What 1 is in an amount of a call. */
  readonly unit: AmountUnit;
  /** How long rounds that are over are kept at least, in milliseconds; null where the store does not say. */
  readonly retentionMs: number | null;
  /** Parts of a store that this one has, and those that it lacks. */
  readonly parts: Readonly<Record<StorePart, boolean>>;
  /** `missing` where the store keeps no minutes. */
  readonly processes: readonly ProcessRow[] | 'missing' | 'unavailable';
  /** `missing` where the store writes no events. */
  readonly events: Listed<ConsumersView>;
}

/** A part of a store that it may lack. */
export type StorePart = (typeof storeParts)[number];

/** The parts of a store that it may lack, as its type calls them. */
export const storeParts = [
  'players',
  'events',
  'totals',
  'reconciliations',
  'minutes',
  'history',
  'repairs',
  'acts',
] as const;

/** Never throws for a store that does not answer: it says so. */
export async function viewSystem(
  settings: Pick<OperationsSettings, 'store' | 'clock' | 'operators'> & {
    readonly calls: CallWatch | null;
  },
): Promise<SystemView> {
  const { store } = settings;
  const [money, processes, events] = await Promise.all([
    viewMoney(settings),
    orUnavailable(viewProcesses(settings)),
    orUnavailable(viewConsumers(settings)),
  ]);
  const parts = storeParts.map((name) => [name, store[name] !== undefined] as const);
  return {
    asOf: money.asOf,
    store: money.store,
    process: { ...processFigures(), version: readVersion() },
    debitChecks: (settings.calls?.recorder.served ?? []).flatMap(({ debitCheck }) =>
      debitCheck === null ? [] : [debitCheck()],
    ),
    settings: store.server?.settings ?? 'missing',
    decimals: store.decimals,
    unit: store.unit,
    retentionMs: store.retentionMs?.() ?? null,
    parts: Object.fromEntries(parts) as Record<StorePart, boolean>,
    processes,
    events,
  };
}
