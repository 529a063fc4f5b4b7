import { type Command, Option } from 'commander';
import { roundStates } from '../../operator/gameround';
import { roundJson, sumsOf } from '../../operator/operations/export/round-json';
import { type FilterTexts, readFilter } from '../../operator/operations/view/rounds/filter';
import type { PlayerKey, RoundsQuery, RoundSummary, WalletStore } from '../../operator/wallet';
import { noHistory, drawTable, givenText, purseText, timeCell } from '../rounds/text';
import { CommandFailure, noAnswer, print, printJson } from '../terminal/failure';
import { knownZone, wholeNumber } from '../terminal/flags';
import { addPlayerFlags, noPlayer, type PlayerFlags, withOpened } from './flags';
import { exportRounds } from './rounds-export';
import { withoutControls } from '../../protocol/json/printable';

interface RoundsFlags extends PlayerFlags, FilterTexts {
  readonly zone: string;
  readonly before?: string;
  readonly limit?: number;
  readonly csv?: true;
  readonly jsonl?: true;
}

/** Rounds of a page unless set. */
const usualLimit = 50;

/** Adds `rgs-wallet player rounds`. */
export function addRoundsOfPlayer(group: Command): void {
  const rounds = group
    .command('rounds')
    .summary('list the rounds, newest first')
    .description(
      'Lists the rounds of a player, the newest first. In Redis the wallet keeps the list where it runs with --history.',
    )
    .argument('[player]', 'the player, as --player')
    .option(
      '--from <time>',
      'rounds opened on this day or later, or from this time on: 2026-11-24T10:00Z',
    )
    .option('--to <time>', 'rounds opened up to the end of this day, or before this time')
    .option(
      '--zone <name>',
      'time zone of the days of --from and --to, such as Europe/Malta, as serve --books-zone',
      knownZone,
      'UTC',
    )
    .option('--game <code>', 'rounds of this game')
    .addOption(new Option('--state <state>', 'rounds that are in this state').choices(roundStates))
    .option('--min <amount>', 'rounds that gave at least this in their currency: 10.50')
    .option('--limit <n>', `rounds of a page (default: ${usualLimit})`, wholeNumber(1, 200))
    .option(
      '--before <cursor>',
      'the next page, as the page before names it, with the same filters',
    )
    .addOption(
      wholeList('--csv', 'print all of them as CSV, which ends with the line end,<rows>,complete'),
    )
    .addOption(
      wholeList('--jsonl', 'print all of them, each a line of JSON; the last line is the end'),
    );
  addPlayerFlags(rounds).action((player: string | undefined, flags: RoundsFlags) =>
    listRounds(player === undefined ? flags : { ...flags, player: nameOnce(player, flags) }),
  );
}

/** @throws CommandFailure if --player names another player. */
function nameOnce(player: string, flags: RoundsFlags): string {
  if (flags.player === undefined || flags.player === player) return player;
  throw new CommandFailure('Two players: name one, as the argument or with --player.');
}

/** A flag that prints every page: no page can be chosen with it. */
function wholeList(flag: string, description: string): Option {
  const others = ['csv', 'jsonl', 'json', 'limit', 'before'].filter((one) => `--${one}` !== flag);
  return new Option(flag, description).conflicts(others);
}

async function listRounds(flags: RoundsFlags): Promise<void> {
  await withOpened(flags, async ({ store }, player) => {
    const filter = readFilter(
      flags,
      { zone: flags.zone, decimals: store.decimals },
      (name) => `--${name}`,
    );
    const form = flags.csv ? 'csv' : flags.jsonl ? 'jsonl' : null;
    if (form === null) return listPage(store, player, flags, filter);
    const rows = await exportRounds(store, player, filter, form);
    if (rows === 0) await warnUnlessKnown(store, player);
  });
}

async function listPage(
  store: WalletStore,
  player: PlayerKey,
  { before: cursor, limit = usualLimit, json }: RoundsFlags,
  filter: RoundsQuery,
): Promise<void> {
  const query = { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) };
  const page = (await store.history?.rounds(player, query)) ?? { kind: 'off' };
  if (page.kind === 'unknown') throw noAnswer(page.cause);
  if (page.kind === 'off') throw new Error(noHistory);
  const { rounds, next } = page;
  if (json) {
    const listed = rounds.map((round) => roundJson(round, store.decimals));
    return printJson({ rounds: listed, next });
  }
  const isFiltered = Object.keys(filter).length > 0;
  if (rounds.length > 0) print(roundLines(rounds, store.decimals).join('\n'));
  else if (next === null) {
    const which = isFiltered ? ' that these filters ask for' : '';
    const whose = `of player ${player.playerId} of operator ${player.operatorId}`;
    print(`No ${cursor === undefined ? '' : 'more '}rounds ${whose}${which}.`);
    await warnUnlessKnown(store, player);
  }
  if (next === null) return;
  const flag = `--before ${next}`;
  const more = isFiltered ? `${flag} and the same filters` : flag;
  if (rounds.length === limit) return print(`More with ${more}`);
  const found = rounds.length === 0 ? 'None found so far' : 'There may be more';
  print(`${found}: one request reads a limited number of rounds. Continue with ${more}`);
}

/** A name that is misspelt has no rounds either. */
async function warnUnlessKnown(store: WalletStore, player: PlayerKey): Promise<void> {
  const result = await store.rounds.accounts(player);
  if (result.kind === 'known' && result.accounts === null) {
    process.stderr.write(`${withoutControls(noPlayer(player))}\n`);
  }
}

const titles = ['opened (UTC)', 'game', 'state', 'debits', 'credits', 'gameRound'];

function roundLines(rounds: readonly RoundSummary[], decimals: number): string[] {
  const rows = rounds.map((round) => {
    const { gameCode, state, gameRound, currency } = round;
    const sums = sumsOf(round, decimals);
    const debits = currency === null ? '' : purseText(sums.debits, currency);
    const opened = timeCell(round.openedAt);
    return [opened, gameCode ?? '?', state, debits, givenText({ currency, ...sums }), gameRound];
  });
  return drawTable(titles, rows);
}
