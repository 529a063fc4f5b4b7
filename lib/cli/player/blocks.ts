import type { Command } from 'commander';
import type { BlockRecord } from '../../operator/wallet';
import { systemClock } from '../../platform';
import { parseTimestamp } from '../../protocol/signature';
import { openToCommit } from '../stores/open-store';
import { CommandFailure, print, printJson } from '../terminal/failure';
import {
  type ActFlags,
  actOf,
  addActFlags,
  addPlayerFlags,
  known,
  type PlayerFlags,
  withPlayer,
} from './flags';
import { timeOrNull, timeText } from '../../platform/time/iso';

interface BlockFlags extends PlayerFlags, ActFlags {
  readonly until?: string;
}

/** Adds `rgs-wallet player block` and `unblock`. */
export function addBlocks(group: Command): void {
  const block = group
    .command('block')
    .summary('refuse debits; wins and voids continue')
    .option(
      '--until <time>',
      'when the block ends by itself: a time with its zone, 2026-12-24T18:00:00Z, or from now: 90min, 24h, 7d. Without it, it lasts until unblock',
    );
  addPlayerFlags(addActFlags(block)).action((flags: BlockFlags) => setBlocked(flags, true));
  const unblock = group.command('unblock').summary('let debits through again');
  addPlayerFlags(addActFlags(unblock)).action((flags: BlockFlags) => setBlocked(flags, false));
}

async function setBlocked(flags: BlockFlags, blocked: boolean): Promise<void> {
  const until = flags.until === undefined ? null : endOf(flags.until, systemClock.now());
  const act = { ...actOf(flags), ...(until === null ? {} : { until }) };
  await withPlayer(
    flags,
    async (store, player) => {
      known(await store.players.setBlocked(player, blocked, act), player);
      const end = timeOrNull(until);
      if (flags.json) printJson(blocked ? { blocked, until: end } : { blocked });
      else print(blocked ? `Blocked${untilText(end)}.` : 'Unblocked.');
    },
    openToCommit,
  );
}

const unitMs = { min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * When a block ends, in milliseconds since 1970. A duration ends on a whole second, so that the time can be typed again.
 * @throws CommandFailure unless it is a time with its zone, or a duration, and lies ahead.
 */
function endOf(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,5})(min|h|d)$/.exec(text) ?? [];
  if (count !== undefined) {
    const end = now + Number(count) * unitMs[unit as keyof typeof unitMs];
    if (end > now) return Math.ceil(end / 1000) * 1000;
  }
  const time = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? parseTimestamp(text) : null;
  if (count === undefined && time === null) {
    throw new CommandFailure(
      '--until must be a time with its zone, such as 2026-12-24T18:00:00Z or 2026-12-24T19:00:00+01:00, or from now: 90min, 24h, 7d',
    );
  }
  if (time !== null && time > now) return time;
  throw new CommandFailure(`--until must lie ahead: it is ${timeText(now)}`);
}

/** When a block ends, after what says that there is one. */
export function untilText(until: string | null): string {
  return until === null ? '' : ` until ${until}`;
}

/** A record of a block as members of a JSON line. */
export function blockJson({ at, until, ...block }: BlockRecord): object {
  return { at: timeText(at), ...block, until: timeOrNull(until) };
}

/** The same for a person. */
export function blockText({ at, blocked, until, by, reason }: BlockRecord): string {
  const what = blocked ? `blocked${untilText(timeOrNull(until))}` : 'unblocked';
  return `${timeText(at)}  ${what}${whoAndWhy(by, reason)}`;
}

/** Who did it and why, after a line. */
export function whoAndWhy(by: BlockRecord['by'], reason: string | null): string {
  const who = by === null ? '' : `  by ${by.name ?? by.id}`;
  return reason === null ? who : `${who}: ${reason}`;
}
