import type { Command } from 'commander';
import type { Players, CashRefusal, CashResult, CorrectionOrder } from '../../operator/wallet';
import { accountJson } from '../../operator/wallet/round-report';
import { signedUnitsOf, unitsOf } from '../../protocol/money/amount';
import { accountText } from '../rounds/text';
import { openToCommit } from '../stores/open-store';
import { messageOf, needed, print, printJson } from '../terminal/failure';
import {
  type ActFlags,
  actOf,
  addActFlags,
  addPlayerFlags,
  checkAmount,
  noPlayer,
  type PlayerFlags,
  withPlayer,
} from './flags';

interface OrderFlags extends PlayerFlags, ActFlags {
  readonly currency?: string;
  readonly amount?: string;
  readonly reference?: string;
  readonly bonus?: true;
}

const refusals: Readonly<Record<Exclude<CashRefusal, 'noPlayer'>, string>> = {
  noCurrency: 'The player has no account in this currency.',
  tooLow: 'The balance is too low.',
  outOfRange: 'The balance would leave its range.',
  limitReached: 'The deposit would exceed a limit of the player.',
  referenceReused:
    'The reference is known with other content: another amount, balance, currency or kind.',
};

/** Adds the commands that move a player's cash. */
export function addOrders(group: Command): void {
  addOrder(group, 'deposit', 'add money to a balance', (players, order) => players.deposit(order));
  addOrder(group, 'withdraw', 'take money from a balance', (players, order) =>
    players.withdraw(order),
  );
  addOrder(
    group,
    'correct',
    'set a balance right, by a person and with a reason',
    (players, order) => players.correct(order),
  );
}

type Send = (players: Required<Players>, order: CorrectionOrder) => Promise<CashResult>;

function addOrder(group: Command, name: string, summary: string, send: Send): void {
  const isCorrection = name === 'correct';
  const sign = isCorrection ? '; --amount=-2.50 takes' : '';
  const command = group
    .command(name)
    .summary(summary)
    .description(
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}, once per reference: the same command may be repeated.`,
    )
    .option('--currency <code>', 'three upper-case letters')
    .option('--amount <amount>', `a decimal such as 25.00${sign}`)
    .option('--reference <id>', 'idempotency key: repeating it never moves money twice')
    .option('--bonus', 'the bonus balance, not the real one');
  addPlayerFlags(addActFlags(command)).action((flags: OrderFlags) =>
    run(flags, isCorrection, send),
  );
}

async function run(flags: OrderFlags, isCorrection: boolean, send: Send): Promise<void> {
  const reference = needed('reference', flags.reference);
  const order = {
    currency: needed('currency', flags.currency),
    amount: needed('amount', flags.amount),
    reference,
    balance: flags.bonus === true ? ('bonus' as const) : ('real' as const),
    ...actOf(flags),
  };
  if (isCorrection) needed('reason', flags.reason);
  await withPlayer(
    flags,
    async (store, player) => {
      checkAmount('amount', order.amount, store, isCorrection ? signedUnitsOf : unitsOf);
      const result = await send(store.players, { ...player, ...order } as CorrectionOrder);
      if (result.kind === 'unknown') {
        throw new Error(
          `Not known whether the money moved: ${sentence(messageOf(result.cause))} Run the same command again: the reference ${reference} moves it once.`,
        );
      }
      if (result.kind === 'refused') {
        const { reason } = result;
        const why = reason === 'noPlayer' ? noPlayer(player) : refusals[reason];
        throw new Error(`Refused, nothing moved. ${why}`);
      }
      const { account, replay } = result;
      const { decimals } = store;
      if (flags.json) return printJson({ replay, account: accountJson(account, decimals) });
      const note = replay ? 'Done before, nothing moved again. ' : 'Done. ';
      print(`${note}Balance: ${accountText(account, decimals)}`);
    },
    openToCommit,
  );
}

/** With its full stop. */
function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
