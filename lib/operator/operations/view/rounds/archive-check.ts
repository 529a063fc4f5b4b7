import type { Clock } from '../../../../platform';
import type { OperationsSettings } from '../../configuration/options';

/** What `rgs-wallet archive verify --json` found in the archive of an operator. */
export interface ArchiveCheck {
  /** When it began: ISO 8601, UTC, as the other times. */
  readonly verifiedAt: string;
  /** The least and the greatest time of a sealed event; null without any. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** Whether every line was read and nothing is wrong. */
  readonly isWhole: boolean;
  /** What it says, in one sentence. */
  readonly sentence: string;
}

/** The check of an operator; `unreadable` for anything else that was given, `not given` for null. */
export type KnownCheck = ArchiveCheck | 'not given' | 'unreadable';

type Asked = NonNullable<OperationsSettings['archiveCheck']>;

/** It is asked for again after so long, in milliseconds. */
const freshMs = 60_000;

const kept = new WeakMap<
  Asked,
  Map<string, { readonly at: number; readonly check: Promise<KnownCheck> }>
>();

/** The check of an operator's archive, asked for once a minute at most, however many look. */
export function viewArchiveCheck(
  { archiveCheck, clock }: Pick<OperationsSettings, 'archiveCheck'> & { readonly clock: Clock },
  operatorId: string,
): Promise<KnownCheck> {
  if (archiveCheck === null) return Promise.resolve('not given');
  const now = clock.monotonicMs();
  const checks = kept.get(archiveCheck) ?? new Map();
  kept.set(archiveCheck, checks);
  const before = checks.get(operatorId);
  if (before !== undefined && now - before.at < freshMs) return before.check;
  const check = ask(archiveCheck, operatorId);
  checks.set(operatorId, { at: now, check });
  return check;
}

async function ask(archiveCheck: Asked, operatorId: string): Promise<KnownCheck> {
  try {
    const value = await archiveCheck(operatorId);
    if (value === null || value === undefined) return 'not given';
    return checkIn(value, operatorId) ?? 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** The check of what was given; null if it is anything else, or of another operator. */
function checkIn(value: unknown, asked: string): ArchiveCheck | null {
  const { operatorId, verifiedAt, firstAt, lastAt, sentence, ...counts } = Object(value) as Record<
    string,
    unknown
  >;
  const { faults, segments, segmentsRead } = counts;
  if (operatorId !== asked || typeof sentence !== 'string' || !isTime(verifiedAt)) return null;
  if (!Array.isArray(faults) || typeof segments !== 'number') return null;
  const isWhole = faults.length === 0 && segmentsRead === segments;
  if (firstAt === null && lastAt === null) {
    return { verifiedAt, firstAt, lastAt, isWhole, sentence };
  }
  if (!isTime(firstAt) || !isTime(lastAt)) return null;
  return { verifiedAt, firstAt, lastAt, isWhole, sentence };
}

function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-.{1,30}Z$/.test(value)) return false;
  return !Number.isNaN(Date.parse(value));
}
