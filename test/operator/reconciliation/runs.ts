import {
  reconcileStatistics,
  type StatisticsSource,
} from '../../../lib/operator/reconciliation/by-day/statistics';
import { reconcileExport } from '../../../lib/operator/reconciliation/by-round/compare';
import {
  type ExportMap,
  spoolExport,
} from '../../../lib/operator/reconciliation/by-round/export-rows';
import type { FitChoices } from '../../../lib/operator/reconciliation/counting/fit';
import type { Reconciliation } from '../../../lib/operator/reconciliation/counting/result';
import { type SpooledLog, spoolEvents } from '../../../lib/operator/reconciliation/rounds/log';
import { parts, type Spool } from '../../../lib/operator/reconciliation/rounds/spool';
import { ZoneDays } from '../../../lib/platform/time/zone-days';
import { exportMap } from './histories';

/** Zones that are tried. */
export const zones = ['UTC', 'Europe/Malta', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu'];

/** What a test sets. */
export type RunOptions = Partial<Omit<FitChoices, 'zones'>> & {
  readonly zones?: readonly string[];
  readonly players?: number;
  readonly tolerate?: bigint;
  readonly map?: ExportMap;
  readonly openHours?: number;
};

async function* one<T>(item: T): AsyncGenerator<T> {
  yield item;
}

export function logOf(lines: readonly string[]): Promise<SpooledLog> {
  return spoolEvents(one(lines), { operatorId: 'casino', decimals: 4 }, memorySpool());
}

/** Compares lines of events with statistics. */
export async function compareDays(
  lines: readonly string[],
  source: StatisticsSource,
  [from, to]: readonly [string, string],
  { zones: names = zones, players = 0, tolerate = 0n, ...choices }: RunOptions = {},
): Promise<Reconciliation> {
  const request = { from, to, players, tolerate, ...choices };
  const all = names.map((name) => new ZoneDays(name));
  return reconcileStatistics(await logOf(lines), source, { ...request, zones: all });
}

/** Compares lines of events with the text of an export. */
export async function compareRounds(
  lines: readonly string[],
  text: string,
  [from, to]: readonly [string, string],
  {
    zones: names = zones,
    tolerate = 0n,
    map = exportMap,
    openHours = 24,
    ...choices
  }: RunOptions = {},
  format: 'csv' | 'ndjson' = 'csv',
): Promise<Reconciliation> {
  const all = names.map((name) => new ZoneDays(name));
  const rows = await spoolExport(one(text), { map, decimals: 4, format }, memorySpool());
  const request = { from, to, tolerate, zones: all, openMs: openHours * 3_600_000, ...choices };
  return reconcileExport(await logOf(lines), rows, request);
}

/** A spool in memory, for little. */
export function memorySpool<Value>(): Spool<Value> {
  const kept = Array.from({ length: parts }, (): Value[] => []);
  return {
    add: (part, value) => void kept[part]?.push(value),
    read: (part) => kept[part] ?? [],
  };
}
