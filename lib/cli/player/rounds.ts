import type { Command } from 'commander';
import type { PlayerKey, RoundSummary, WalletStore } from '../../operator/wallet';
import { givenJson, purseJson } from '../../operator/wallet/round-report';
import { noHistory, drawTable, givenText, purseText } from '../rounds/text';
import { CommandFailure, withoutControls } from '../terminal/failure';
import { wholeNumber } from '../terminal/flags';
import {
  addPlayerFlags,
  fail,
  failUnknown,
  noPlayer,
  type PlayerFlags,
  print,
  withOpened,
} from './flags';

interface RoundsFlags extends PlayerFlags {
  readonly before?: string;
  readonly limit?: number;
}

/** Adds `rgs-wallet player rounds`. */
export function addRoundsOfPlayer(group: Command): void {
  const rounds = group
    .command('rounds')
    .summary('list the rounds, newest first')
    .description(
      'Lists the rounds of a player, the newest first. In Redis the wallet keeps the list where it runs with --history.',
    )
    .argument('[player]', 'the player, as --player')
    .option('--limit <n>', 'rounds of a page (default: 50)', wholeNumber(1, 200))
    .option('--before <cursor>', 'the next page, as the page before names it');
  addPlayerFlags(rounds).action((player: string | undefined, flags: RoundsFlags) =>
    listRounds(player === undefined ? flags : { ...flags, player: nameOnce(player, flags) }),
  );
}

/** @throws CommandFailure if --player names another player. */
function nameOnce(player: string, flags: RoundsFlags): string {
  if (flags.player === undefined || flags.player === player) return player;
  throw new CommandFailure('Two players: name one, as the argument or with --player.');
}

async function listRounds(flags: RoundsFlags): Promise<void> {
  const { before: cursor, limit } = flags;
  const query = {
    ...(cursor === undefined ? {} : { cursor }),
    ...(limit === undefined ? {} : { limit }),
  };
  await withOpened(flags, async ({ store }, player) => {
    const page = (await store.history?.rounds(player, query)) ?? { kind: 'off' };
    if (page.kind === 'unknown') failUnknown(page.cause);
    else if (page.kind === 'off') fail(noHistory);
    else {
      const { rounds, next } = page;
      if (flags.json) {
        const listed = rounds.map((round) => roundJson(round, store.decimals));
        print(JSON.stringify({ rounds: listed, next }));
        return;
      }
      if (rounds.length === 0) {
        const whose = `of player ${player.playerId} of operator ${player.operatorId}`;
        print(`No ${cursor === undefined ? '' : 'more '}rounds ${whose}.`);
        await warnUnlessKnown(store, player);
      } else roundLines(rounds, store.decimals).forEach(print);
      if (next !== null) print(`More with --before ${next}`);
    }
  });
}

/** A name that is misspelt has no rounds either. */
async function warnUnlessKnown(store: WalletStore, player: PlayerKey): Promise<void> {
  const result = await store.rounds.accounts(player);
  if (result.kind === 'known' && result.accounts === null) {
    process.stderr.write(`${withoutControls(noPlayer(player))}\n`);
  }
}

const titles = ['opened', 'game', 'state', 'debits', 'credits', 'gameRound'];

function roundLines(rounds: readonly RoundSummary[], decimals: number): string[] {
  const rows = rounds.map((round) => {
    const { gameCode, state, gameRound, currency } = round;
    const sums = sumsOf(round, decimals);
    const debits = currency === null ? '' : purseText(sums.debits, currency);
    const opened = new Date(round.openedAt).toISOString();
    return [opened, gameCode ?? '?', state, debits, givenText({ currency, ...sums }), gameRound];
  });
  return drawTable(titles, rows);
}

function roundJson(round: RoundSummary, decimals: number): object {
  const { operatorId, playerId, gameRound, state, gameCode, currency } = round;
  const [stateSince, openedAt, lastAt] = [round.stateSince, round.openedAt, round.lastAt].map(
    (at) => new Date(at).toISOString(),
  );
  const names = { operatorId, playerId, gameRound };
  const times = { stateSince, openedAt, lastAt };
  return { ...names, state, gameCode, currency, ...sumsOf(round, decimals), ...times };
}

function sumsOf({ debits, credits, otherCredits: others = [] }: RoundSummary, decimals: number) {
  return { debits: purseJson(debits, decimals), ...givenJson({ credits, others }, decimals) };
}
