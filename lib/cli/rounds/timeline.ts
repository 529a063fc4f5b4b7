import { inCurrency } from '../../platform/html';
import type { Command } from 'commander';
import type { RepairJson, RoundJson, RoundKey, WalletStore } from '../../operator/wallet';
import {
  lacksBalances,
  type TimelineEntry,
  type TimelineLine,
  timelineOf,
} from '../../operator/operations/page/round/timeline';
import {
  accountText,
  checkChoice,
  findByHash,
  drawTable,
  givenText,
  purseText,
  repairCells,
  timeCell,
} from './text';
import { print, printJson } from '../terminal/failure';
import { plain } from '../../protocol/json/printable';
import { addLookFlags, checked, type LookFlags, operatorOf, withRounds } from './flags';

/** Adds `rgs-wallet rounds show`. */
export function addShow(rounds: Command): void {
  addLookFlags(
    rounds
      .command('show')
      .summary('print what happened in a round, the oldest first')
      .description(
        'Prints a round: its state, its sums and its timeline, the oldest entry first. The timeline has every transaction with its outcome, what it moved and the balance after it, and what people did. Balances are kept only if the wallet runs with --history. Ends with the current balances of the player.',
      ),
  ).action((flags: LookFlags) => run(flags));
}

async function run(flags: LookFlags): Promise<void> {
  checkChoice(flags.round, flags.hash);
  const player = { operatorId: operatorOf(flags), playerId: checked('--player', flags.player) };
  const { round: gameRound, hash } = flags;
  if (gameRound !== undefined) checked('--round', gameRound);
  if (hash !== undefined) checked('--hash', hash);
  await withRounds(flags, async (store) => {
    const round: RoundKey =
      gameRound === undefined
        ? await findByHash(store, player, hash ?? '')
        : { ...player, gameRound };
    const report = await store.rounds.readRound(round);
    if (report === null) {
      throw new Error(
        `Nothing is known of round ${round.gameRound} of player ${round.playerId} of operator ${round.operatorId}.`,
      );
    }
    const json = report.toJSON();
    const timeline = timelineOf(json);
    if (flags.json) return printJson({ ...json, timeline });
    const lines = [...roundLines(json, timeline), ...repairLines(json.repairs ?? [])];
    print([...lines, ...(await balanceLines(store, round))].join('\n'));
  });
}

const noBalances =
  'Balances after each line are not kept: start every process of the wallet with --history (option history: true). Rounds from then on have them.';

function roundLines(json: RoundJson, timeline: readonly TimelineEntry[]): string[] {
  const { state, stateSince, gameCode, currency } = json;
  const facts = [
    ['player', json.playerId],
    ['gameRound', json.gameRound],
    ['game', gameCode ?? '?'],
    ['state', `${state} since ${stateSince}`],
    ['debits', purseText(json.debits, currency)],
    ['credits', givenText(json) || inCurrency('0', currency)],
  ];
  if (json.unanswered > 0) facts.push(['waits for voids', String(json.unanswered)]);
  if (json.declined !== null) facts.push(['declined debit', json.declined]);
  if (json.pending !== null) {
    const { since, posts, reversals } = json.pending;
    facts.push(['pending', `since ${since}: ${[...posts, ...reversals].join(', ')}`]);
  }
  const titles = [
    'time (UTC)',
    'by',
    'what',
    'amount',
    'outcome',
    'moved',
    'balance after',
    'hash',
  ];
  return [
    ...facts.map(([name = '', value = '']) => `${name.padEnd(16)}${plain(value)}`),
    '',
    ...drawTable(
      titles,
      timeline.flatMap(({ at, by, lines }) =>
        lines.map((line) => [
          fineTime(at),
          by === null ? 'RGS' : by.id,
          ...lineCells(line, currency),
        ]),
      ),
    ),
    ...(lacksBalances(json, timeline) ? ['', noBalances] : []),
  ];
}

/** Each repair with who proposed and who decided it. */
function repairLines(repairs: readonly RepairJson[]): string[] {
  if (repairs.length === 0) return [];
  const titles = [
    'proposed (UTC)',
    'by',
    'repair',
    'status',
    'decided',
    'by',
    'amount',
    'hash',
    'id',
  ];
  const rows = repairs.map((one) => [...repairCells(one), one.hash ?? one.reference ?? '', one.id]);
  return [
    '',
    ...drawTable(titles, rows),
    ...repairs.map(({ id, reason }) => plain(`${id}: ${reason}`)),
  ];
}

/** With milliseconds: what follows each other within a second keeps its order. */
function fineTime(at: string): string {
  return `${timeCell(at)}${at.slice(19, 23)}`;
}

function lineCells(line: TimelineLine, currency: string | null): string[] {
  const { what, kind, amount, outcome, moved, balance, hash } = line;
  const ofRound = line.currency ?? currency;
  return [
    kind === 'first' ? `first ${what}` : [what, kind ?? ''].join(' ').trim(),
    amount === null ? '' : inCurrency(amount, ofRound),
    outcome,
    moved === null ? '' : purseText(moved, ofRound),
    balance === null
      ? ''
      : purseText({ ...balance, bonus: balance.bonus ?? '0' }, balance.currency),
    hash ?? '',
  ];
}

/** The balances, where the store answers. */
async function balanceLines(
  store: WalletStore,
  round: { readonly operatorId: string; readonly playerId: string },
): Promise<string[]> {
  const result = await store.rounds.accounts(round);
  if (result.kind === 'unknown' || result.accounts === null) return [];
  const { decimals } = store;
  return ['', ...result.accounts.map((one) => `balance now     ${accountText(one, decimals)}`)];
}
