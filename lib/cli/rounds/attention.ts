import { inCurrency } from '../../platform/html';
import type { Command } from 'commander';
import { listPending, type PendingView } from '../../operator/operations/view/waiting/pending';
import { type SavedVoids, savedVoids } from '../../operator/reconciliation/saved/voids';
import type { AttentionEntry, WalletStore } from '../../operator/wallet';
import { formatAmount } from '../../protocol/money/amount';
import { systemClock } from '../../platform';
import { CommandFailure, print, printJson } from '../terminal/failure';
import { wholeNumber } from '../terminal/flags';
import { addRoundsFlags, operatorOf, type RoundsFlags, withRounds } from './flags';
import { ageText, drawTable, moneyText, timeCell } from './text';
import { timeText } from '../../platform/time/iso';

interface AttentionFlags extends RoundsFlags {
  readonly openHours?: number;
}

/** What a person should look at: rounds that need attention, open ones, those with pending work, voids without a debit. */
interface Listed {
  readonly rounds: readonly AttentionEntry[];
  readonly pending: PendingView;
  /** Null if the store keeps no results of reconciliations. */
  readonly unmatched: SavedVoids | null;
  /** Whether the store can list which rounds are open for long. */
  readonly hasOpenRounds: boolean;
}

/** From when on a round without an end is listed, unless set, in hours: as on the operations page. */
const openHoursUnlessSet = 72;

/** Of so many saved days the voids without a debit are listed: as the operations page shows. */
const daysOfVoids = 31;

/** Most pending rounds that are read and printed. */
const maxPending = 200;

/** Adds `rgs-wallet rounds attention`. */
export function addAttention(rounds: Command): void {
  addRoundsFlags(
    rounds
      .command('attention')
      .summary('list the rounds that a person should look at')
      .description(
        'Lists cancelled, stranded and crashed rounds, the oldest first, with the amount at stake: refused wins, or what a void would give back. Also lists rounds that never got their end, rounds with something pending at a ledger, and voids without a debit that `rgs-wallet reconcile --save` found.',
      ),
  )
    .option(
      '--open-hours <n>',
      `hours after which a round without an end is listed (default: ${openHoursUnlessSet}; in Redis only with a history)`,
      wholeNumber(0, 1_000_000),
    )
    .action((flags: AttentionFlags) => run(flags));
}

async function run(flags: AttentionFlags): Promise<void> {
  const operatorId = operatorOf(flags);
  await withRounds(flags, async (store) => {
    const listed = await list(store, operatorId, flags.openHours);
    if (flags.json) for (const one of jsonOf(operatorId, listed, store.decimals)) printJson(one);
    else print(textLines(operatorId, listed, store.decimals).join('\n'));
  });
}

async function list(
  store: WalletStore,
  operatorId: string,
  openHours: number | undefined,
): Promise<Listed> {
  const rounds: AttentionEntry[] = [];
  for await (const entry of store.lists.attention(operatorId)) rounds.push(entry);
  const hasOpenRounds = store.lists.openRounds !== undefined;
  if (store.lists.openRounds !== undefined) {
    const before = systemClock.now() - (openHours ?? openHoursUnlessSet) * 3_600_000;
    for await (const entry of store.lists.openRounds(operatorId, before)) rounds.push(entry);
  } else if (openHours !== undefined) {
    throw new CommandFailure(
      '--open-hours: this store has no index of open rounds; in Redis set `history: true` (serve --history)',
    );
  }
  rounds.sort((one, other) => (one.stateSince ?? 0) - (other.stateSince ?? 0));
  const pending = await listPending(
    { store, clock: systemClock, operators: [operatorId] },
    maxPending,
  );
  const unmatched =
    store.reconciliations === undefined
      ? null
      : await savedVoids(store.reconciliations, operatorId, daysOfVoids);
  return { rounds, pending, unmatched, hasOpenRounds };
}

/** How many pending rounds are not shown, and whether there may be more than that; null if all are. */
function unshown({ rows, total, isWhole }: PendingView) {
  const more = total - rows.length;
  return more === 0 && isWhole ? null : { count: more, whole: isWhole };
}

/** An object for each line: `{"kind":"round",...}`, then `{"kind":"pending",...}`, then `{"kind":"voidWithoutDebit",...}`. */
function jsonOf(
  ofOperator: string,
  { rounds, pending, unmatched }: Listed,
  decimals: number,
): object[] {
  const entries = rounds.map((entry) => {
    const { operatorId, playerId, gameRound, state, stateSince, gameCode, currency } = entry;
    const names = { kind: 'round', operatorId, playerId, gameRound, state };
    if (stateSince === undefined || entry.atStake === undefined) return names;
    const atStake = formatAmount(entry.atStake, decimals);
    return { ...names, stateSince: timeText(stateSince), gameCode, currency, atStake };
  });
  const waiting = pending.rows.map((round) => ({ kind: 'pending', ...round }));
  const more = unshown(pending);
  const rest = more === null ? [] : [{ kind: 'morePending', ...more }];
  const { voids = [], leftOut = 0 } = unmatched ?? {};
  const ahead = voids.map(({ round, player, hash, at }) => {
    const names = { operatorId: ofOperator, playerId: player, gameRound: round };
    return { kind: 'voidWithoutDebit', ...names, hash, at };
  });
  const others = leftOut === 0 ? [] : [{ kind: 'moreVoidsWithoutDebit', count: leftOut }];
  return [...entries, ...waiting, ...rest, ...ahead, ...others];
}

function textLines(
  operatorId: string,
  { rounds, pending, unmatched, hasOpenRounds }: Listed,
  decimals: number,
): string[] {
  const now = systemClock.now();
  const titles = ['state', 'since (UTC)', 'for', 'at stake', 'player', 'game', 'gameRound'];
  const rows = rounds.map(({ state, stateSince, currency, atStake, ...names }) => [
    state,
    stateSince === undefined ? '?' : timeCell(stateSince),
    stateSince === undefined ? '?' : ageText(now - stateSince),
    atStake === undefined ? '?' : moneyText(atStake, currency ?? null, decimals),
    names.playerId,
    names.gameCode ?? '?',
    names.gameRound,
  ]);
  const lines =
    rows.length === 0
      ? [`No round of operator ${operatorId} needs attention.`]
      : drawTable(titles, rows);
  if (!hasOpenRounds) {
    lines.push(
      'Rounds without an end are not listed: this store has no index of open rounds. In Redis set `history: true` (serve --history).',
    );
  }
  if (pending.rows.length > 0) lines.push('', ...pendingLines(pending, now));
  if (unmatched !== null && unmatched.voids.length > 0) {
    lines.push('', ...unmatchedLines(unmatched, now));
  }
  return lines;
}

function unmatchedLines({ voids, leftOut }: SavedVoids, now: number): string[] {
  const rows = voids.map(({ round, player, hash, at }) => {
    return [timeCell(at), ageText(now - Date.parse(at)), hash, player, round];
  });
  return [
    'Voids without a debit, found by reconcile --save; the RGS may have booked a refund that the player has not had:',
    ...drawTable(['void (UTC)', 'ago', 'hash', 'player', 'gameRound'], rows),
    ...(leftOut === 0 ? [] : [`${leftOut} more were found.`]),
  ];
}

function pendingLines(pending: PendingView, now: number): string[] {
  const rows = pending.rows.map(({ since, gameCode, posts, reversals, amounts, ...names }) => [
    timeCell(since),
    ageText(now - Date.parse(since)),
    Object.entries(amounts)
      .map(([currency, sum]) => inCurrency(sum, currency))
      .join(' and '),
    [...posts, ...reversals.map((hash) => `undo ${hash}`)].join(', '),
    names.playerId,
    gameCode ?? '?',
    names.gameRound,
  ]);
  const titles = ['since (UTC)', 'for', 'to post', 'hashes', 'player', 'game', 'gameRound'];
  const more = unshown(pending);
  return [
    'Pending at the ledger; the sweeper finishes them:',
    ...drawTable(titles, rows),
    ...(more === null ? [] : [`${more.whole ? '' : 'At least '}${more.count} more are pending.`]),
  ];
}
