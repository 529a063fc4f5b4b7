import type { OperationsSettings } from '../../configuration/options';
import { type KnownCheck, viewArchiveCheck } from './archive-check';

/** Where the rounds that were opened in a part of a period are. */
export interface CoveragePart {
  /** `archive`: not in the store any more, so not in its lists. */
  readonly source: 'store' | 'archive' | 'nowhere';
  /** ISO 8601, UTC; null for the beginning of time. */
  readonly from: string | null;
  readonly to: string;
}

/** Whether a list of rounds can be whole. */
export interface Coverage {
  /** Rounds that were over before this time are deleted: ISO 8601, UTC; null where the store does not say. */
  readonly keptSince: string | null;
  /** Of the period that is asked for, the newest first; none where the store does not say. */
  readonly parts: readonly CoveragePart[];
  readonly archive: KnownCheck;
}

interface CoverageQuestion {
  readonly operatorId: string;
  readonly keptSince: string | null;
  /** Milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
}

/** Says of each part of a period where its rounds are. */
export async function viewCoverage(
  settings: Pick<OperationsSettings, 'archiveCheck' | 'clock'>,
  { operatorId, keptSince, from = 0, to = Number.POSITIVE_INFINITY }: CoverageQuestion,
): Promise<Coverage> {
  const check = await viewArchiveCheck(settings, operatorId);
  if (keptSince === null) return { keptSince, parts: [], archive: check };
  const end = Math.max(from, Math.min(to, settings.clock.now()));
  const kept = within(Date.parse(keptSince), from, end);
  const { firstAt, lastAt } = Object(check) as { firstAt?: string | null; lastAt?: string | null };
  const first = within(firstAt ? Date.parse(firstAt) : kept, from, kept);
  const last = within(lastAt ? Date.parse(lastAt) : kept, first, kept);
  const parts = [
    partOf('store', kept, end),
    partOf('nowhere', last, kept),
    partOf('archive', first, last),
    partOf('nowhere', from, first),
  ];
  return { keptSince, parts: parts.filter((one) => one !== null), archive: check };
}

function within(at: number, from: number, to: number): number {
  return Math.min(to, Math.max(from, at));
}

function partOf(source: CoveragePart['source'], from: number, to: number): CoveragePart | null {
  if (from >= to) return null;
  return {
    source,
    from: from === 0 ? null : new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
}
