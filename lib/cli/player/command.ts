import type { Command } from 'commander';
import type { Account, CashMovement, PlayerKey, WalletStore } from '../../operator/wallet';
import { accountJson } from '../../operator/wallet/round-report';
import { formatAmount, unitsOf } from '../../protocol/money/amount';
import { drawTable, accountText, moneyText, timeCell } from '../rounds/text';
import { openToCommit } from '../stores/open-store';
import { needed, print, printJson } from '../terminal/failure';
import { wholeNumber } from '../terminal/flags';
import { addBlocks, blockJson, blockText, untilText } from './blocks';
import {
  type ActFlags,
  actOf,
  addActFlags,
  addPlayerFlags,
  checkAmount,
  known,
  noPlayer,
  type PlayerFlags,
  withOpened,
  withPlayer,
} from './flags';
import { addLimits } from './limits';
import { addOrders } from './orders';
import { addRoundsOfPlayer } from './rounds';
import { plain } from '../../protocol/json/printable';
import { defined } from '../../platform/validation/defined';
import { timeOrNull } from '../../platform/time/iso';

interface OpenFlags extends PlayerFlags, ActFlags {
  readonly currency?: string;
  readonly real?: string;
  readonly bonus?: string;
}

interface CashFlags extends PlayerFlags {
  readonly before?: string;
  readonly limit?: number;
}

/** Adds `rgs-wallet player` and its subcommands. */
export function addPlayer(program: Command): void {
  const group = program
    .command('player')
    .summary('open, fund, correct, block, limit or show a player')
    .description(
      "Works on one player in a store that keeps the money: Redis or PostgreSQL. What a person does keeps who and why. Where the money is in tables of the platform's own, only show and rounds work.",
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 refused, or not known because the store did not answer; 2 a wrong flag or store: nothing was sent.',
    );
  const open = group
    .command('open')
    .summary('open an account in a currency')
    .description(
      'Opens an account unless the player has one in this currency; the balance of an existing one does not change.',
    )
    .option('--currency <code>', 'three upper-case letters')
    .option('--real <amount>', 'what the real balance holds', '0')
    .option('--bonus <amount>', 'opening bonus balance; no bonus balance unless set');
  addPlayerFlags(addActFlags(open)).action((flags: OpenFlags) => openAccount(flags));
  addPlayerFlags(
    group.command('show').summary('show the balances, and whether the player is blocked'),
  ).action((flags: PlayerFlags) => show(flags));
  addOrders(group);
  addBlocks(group);
  addLimits(group);
  const cash = group
    .command('cash')
    .summary('list openings, deposits, withdrawals and corrections, newest first')
    .option('--limit <n>', 'movements of a page (default: 50)', wholeNumber(1, 200))
    .option('--before <cursor>', 'the next page, as the page before names it');
  addPlayerFlags(cash).action((flags: CashFlags) => listCash(flags));
  addRoundsOfPlayer(group);
}

async function openAccount(flags: OpenFlags): Promise<void> {
  const { real = '0', bonus } = flags;
  const opening = {
    currency: needed('currency', flags.currency),
    balances: { real, ...defined({ bonus }) },
    ...actOf(flags),
  };
  await withPlayer(
    flags,
    async (store, player) => {
      checkAmount('real', real, store, unitsOf);
      if (bonus !== undefined) checkAmount('bonus', bonus, store, unitsOf);
      const opened = await store.players.openPlayer({ ...player, ...opening });
      const { kind, account } = known(opened, player);
      const { decimals } = store;
      if (flags.json) return printJson({ kind, account: accountJson(account, decimals) });
      const note = kind === 'opened' ? 'Opened' : 'Nothing to do: the account exists';
      print(`${note}. Balance: ${accountText(account, decimals)}`);
    },
    openToCommit,
  );
}

async function show(flags: PlayerFlags): Promise<void> {
  await withOpened(flags, async ({ store: wallet, accounts: store }, player) => {
    if (store === null) return showAccounts(wallet, player, flags);
    const { blocked, ...result } = known(await store.players.readPlayer(player), player);
    const { blocks } = known(await store.players.blocks(player), player);
    const blockedUntil = timeOrNull(result.blockedUntil);
    const sorted = sortedByCurrency(result.accounts);
    if (flags.json) {
      const accounts = sorted.map((account) => accountJson(account, store.decimals));
      const shown = { ...player, blocked, blockedUntil, accounts };
      return printJson({ ...shown, blocks: blocks.map(blockJson) });
    }
    const state = blocked ? `, blocked${untilText(blockedUntil)}` : '';
    print(`Player ${player.playerId} of ${player.operatorId}${state}`);
    printAccounts(sorted, store.decimals);
    for (const block of blocks) print(plain(blockText(block)));
  });
}

/** Over tables of the platform's own, which alone knows whether the player is blocked. */
async function showAccounts(
  store: WalletStore,
  player: PlayerKey,
  { json }: PlayerFlags,
): Promise<void> {
  const result = known(await store.rounds.accounts(player), player);
  if (result.accounts === null) throw new Error(noPlayer(player));
  const { decimals } = store;
  const sorted = sortedByCurrency(result.accounts);
  if (json) {
    const accounts = sorted.map((account) => accountJson(account, decimals));
    return printJson({ ...player, accounts });
  }
  print(`Player ${player.playerId} of ${player.operatorId}, in tables of the platform's own`);
  printAccounts(sorted, decimals);
}

function printAccounts(accounts: readonly Account[], decimals: number): void {
  if (accounts.length === 0) return;
  const rows = accounts.map(({ currency, real, bonus }) => [
    moneyText(real, currency, decimals),
    bonus === null ? '' : moneyText(bonus, currency, decimals),
  ]);
  print(drawTable(['balance', 'bonus'], rows).join('\n'));
}

function sortedByCurrency(accounts: readonly Account[]): Account[] {
  return accounts.toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

async function listCash(flags: CashFlags): Promise<void> {
  const { before, limit } = flags;
  const query = defined({ before, limit });
  await withPlayer(flags, async (store, player) => {
    const { movements, next } = known(await store.players.cash(player, query), player);
    if (flags.json) {
      const listed = movements.map((one) => movementJson(one, store.decimals));
      return printJson({ movements: listed, next });
    }
    if (movements.length > 0) {
      const rows = movements.map((one) => movementCells(one, store.decimals));
      print(drawTable(cashTitles, rows).join('\n'));
    }
    if (next !== null) print(`More with --before ${next}`);
  });
}

function movementJson({ at, units, ...movement }: CashMovement, decimals: number): object {
  return { at: timeOrNull(at), ...movement, amount: formatAmount(units, decimals) };
}

const cashTitles = ['time (UTC)', 'what', 'amount', 'balance', 'reference', 'by', 'reason'];

function movementCells(movement: CashMovement, decimals: number): string[] {
  const { at, kind, units, currency, balance, reference, by, reason } = movement;
  return [
    at === null ? 'not known' : timeCell(at),
    kind,
    moneyText(units, currency, decimals),
    balance,
    reference,
    by?.name ?? by?.id ?? '',
    reason ?? '',
  ];
}
