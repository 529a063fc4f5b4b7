import { type Command, Option } from 'commander';
import {
  type LimitChangeRow,
  limitRefusals,
  type LimitRow,
  limitsView,
} from '../../operator/operations/view/players/limits';
import {
  type LimitKind,
  limitKinds,
  type LimitOrder,
  type LimitWindow,
  limitWindows,
} from '../../operator/wallet';
import { plain } from '../../protocol/json/printable';
import { formatAmount, unitsOf } from '../../protocol/money/amount';
import { amountText, inCurrency } from '../../platform/html';
import { drawTable, timeCell } from '../rounds/text';
import { openToCommit } from '../stores/open-store';
import { CommandFailure, messageOf, needed, print, printJson } from '../terminal/failure';
import { whoAndWhy } from './blocks';
import { defined } from '../../platform/validation/defined';
import {
  type ActFlags,
  actOf,
  addActFlags,
  addPlayerFlags,
  checkAmount,
  known,
  noPlayer,
  type PlayerFlags,
  withPlayer,
} from './flags';

interface LimitFlags extends PlayerFlags, ActFlags {
  readonly kind?: LimitKind;
  readonly currency?: string;
  readonly window?: LimitWindow;
  readonly amount?: string;
  readonly lift?: true;
  readonly zone?: string;
  readonly counts?: 'real' | 'all';
}

/** Adds `rgs-wallet player limit` and `limits`. */
export function addLimits(group: Command): void {
  const limit = group
    .command('limit')
    .summary('set, change or lift a limit of stakes, losses or deposits')
    .description(
      'Sets, changes or lifts a limit of the player, at once. What the limits of this kind and currency have counted in the windows that run stays; a first one counts from now on.',
    )
    .addOption(new Option('--kind <kind>', 'what it bounds').choices(limitKinds))
    .option('--currency <code>', 'three upper-case letters')
    .addOption(
      new Option('--window <window>', 'for a calendar day, a week from Monday, or a month').choices(
        limitWindows,
      ),
    )
    .option('--amount <amount>', 'at most this in a window: a decimal such as 100.00')
    .option('--lift', 'lift the limit')
    .option(
      '--zone <zone>',
      'whose days count, such as Europe/Malta (default: as the other limits of this kind and currency, or UTC)',
    )
    .addOption(
      new Option(
        '--counts <balances>',
        'the real balance alone, or real and bonus (default: as the other limits of this kind and currency, or real)',
      ).choices(['real', 'all']),
    );
  addPlayerFlags(addActFlags(limit)).action((flags: LimitFlags) => setLimit(flags));
  addPlayerFlags(
    group
      .command('limits')
      .summary('list the limits, what counts towards them, and who changed them'),
  ).action((flags: PlayerFlags) => listLimits(flags));
}

/** @throws CommandFailure that names the flag that is missing or too many. */
function orderOf(flags: LimitFlags): LimitOrder & { readonly amount: string | null } {
  const { amount, lift, zone, counts } = flags;
  const which = {
    kind: needed('kind', flags.kind),
    currency: needed('currency', flags.currency),
    window: needed('window', flags.window),
  };
  if (lift) {
    const idle = Object.entries({ amount, zone, counts }).find(([, value]) => value !== undefined);
    if (idle === undefined) return { ...which, amount: null };
    throw new CommandFailure(`--${idle[0]} is not for --lift: it is for a limit that is set.`);
  }
  if (amount === undefined) throw new CommandFailure('--amount is missing, or --lift.');
  return { ...which, amount, ...defined({ zone, counts }) };
}

async function setLimit(flags: LimitFlags): Promise<void> {
  const order = orderOf(flags);
  const act = actOf(flags);
  await withPlayer(
    flags,
    async (store, player) => {
      if (order.amount !== null) checkAmount('amount', order.amount, store, unitsOf);
      const result = await store.players.setLimit(player, order, act);
      if (result.kind === 'unknown') {
        const again = 'Run the same command again: repeating it changes nothing more.';
        throw new Error(
          `Not known whether the limit was changed: ${messageOf(result.cause)} ${again}`,
        );
      }
      if (result.kind !== 'done') {
        const why = result.kind === 'noPlayer' ? noPlayer(player) : limitRefusals[result.reason];
        throw new Error(`Refused, nothing changed. ${why}`);
      }
      const { kind, currency, window } = order;
      const { decimals } = store;
      const amount =
        order.amount === null ? null : formatAmount(unitsOf(order.amount, decimals), decimals);
      if (flags.json) return printJson({ kind, currency, window, amount });
      const which = `${kind} per ${window}`;
      print(
        amount === null
          ? `Lifted: ${which} in ${currency}.`
          : `Set: ${which}, at most ${inCurrency(amount, currency)}.`,
      );
    },
    openToCommit,
  );
}

const titles = [
  'limit',
  'per',
  'currency',
  'at most',
  'used',
  'remaining',
  'resets at (UTC)',
  'counts',
];

async function listLimits(flags: PlayerFlags): Promise<void> {
  await withPlayer(flags, async (store, player) => {
    const found = known(await store.players.limits(player), player);
    const { limits, changes } = limitsView(found, store.decimals);
    if (flags.json) return printJson({ ...player, limits, changes });
    if (limits.length === 0) {
      print(`No limits of player ${player.playerId} of operator ${player.operatorId}.`);
    } else print(drawTable(titles, limits.map(cellsOf)).join('\n'));
    for (const change of changes) print(plain(changeText(change)));
  });
}

function cellsOf(limit: LimitRow): string[] {
  const { kind, window, currency, amount, remaining, resetsAt, zone, counts } = limit;
  const text = (of: string): string => amountText(of, currency);
  const used = limit.isBound ? `at most ${text(limit.used)}` : text(limit.used);
  const balances = counts === 'real' ? 'real' : 'real and bonus';
  const resets = timeCell(resetsAt);
  const amounts = [text(amount), used, text(remaining)];
  return [kind, window, currency, ...amounts, resets, `${balances}, ${zone}`];
}

function changeText({ at, kind, currency, window, amount, by, reason }: LimitChangeRow): string {
  const what =
    amount === null ? ` in ${currency}, lifted` : `, at most ${inCurrency(amount, currency)}`;
  return `${at}  ${kind} per ${window}${what}${whoAndWhy(by, reason)}`;
}
