import { type Command, Option } from 'commander';
import type { Repair, RepairKind } from '../../operator/gameround';
import { proposalLifeMs } from '../../operator/gameround/repairs/standing';
import type { RepairRefusal } from '../../operator/gameround/repairs/order';
import { approveRepair, rejectRepair } from '../../operator/operations/repairs/decision';
import type { FourEyesOption, RepairOptions } from '../../operator/operations/repairs/input';
import { proposeRepair } from '../../operator/operations/repairs/propose';
import { repairRefusalText } from '../../operator/operations/repairs/refusals';
import type { Actor, AttentionEntry, Unknown, WalletStore } from '../../operator/wallet';
import { systemClock } from '../../platform';
import { openToCommit } from '../stores/open-store';
import { CommandFailure, messageOf, print, printJson } from '../terminal/failure';
import { formatAmount } from '../../protocol/money/amount';
import { collect } from '../terminal/flags';
import {
  addRoundFlags,
  addRoundsFlags,
  operatorOf,
  type RoundFlags,
  roundOf,
  type RoundsFlags,
  withRounds,
} from './flags';
import { drawTable, moneyText, timeCell } from './text';
import { plain } from '../../protocol/json/printable';
import { defined } from '../../platform/validation/defined';
import { timeText } from '../../platform/time/iso';

interface PersonFlags extends RoundFlags {
  readonly by: string;
  readonly byName?: string;
}

interface ProposeFlags extends PersonFlags {
  readonly kind: RepairKind;
  readonly hash?: string;
  readonly reference?: string;
  readonly reason: string;
  readonly creditTo: 'real' | 'stakeShares';
}

interface ApproveFlags extends PersonFlags {
  readonly id: string;
  readonly fourEyesAbove?: readonly string[];
}

interface RejectFlags extends PersonFlags {
  readonly id: string;
  readonly reason: string;
}

/** Adds `rgs-wallet rounds repair`. */
export function addRepair(rounds: Command): void {
  const repair = rounds
    .command('repair')
    .summary('repair a round that waits for a person')
    .description(
      'Pays a refused win, notes that it was settled elsewhere, or voids. One person proposes, another approves within 24 hours, as long as the round has not changed.',
    );
  addPersonFlags(repair.command('propose').summary('propose a repair; nothing moves'))
    .addOption(
      new Option('--kind <kind>', 'what to do')
        .choices(['pay', 'resolve', 'void'])
        .makeOptionMandatory(),
    )
    .option(
      '--hash <hash>',
      'the credit to pay, or the debit to void (default: the only one, or the first)',
    )
    .option('--reference <text>', 'where it was settled, for resolve')
    .requiredOption('--reason <text>', 'why: 10 to 500 characters')
    .addOption(
      new Option('--credit-to <balance>', 'where a paid win goes, as for serve')
        .choices(['real', 'stakeShares'])
        .default('real'),
    )
    .action((flags: ProposeFlags) => propose(flags));
  addPersonFlags(repair.command('approve').summary('approve a proposal, and make the repair'))
    .requiredOption('--id <id>', 'of the proposal')
    .option(
      '--four-eyes-above <currency=amount>',
      "the proposer may approve up to this amount; repeat for further currencies (default: never one's own)",
      collect,
    )
    .action((flags: ApproveFlags) => approve(flags));
  addPersonFlags(repair.command('reject').summary('reject a proposal, or withdraw one'))
    .requiredOption('--id <id>', 'of the proposal')
    .requiredOption('--reason <text>', 'why: 10 to 500 characters')
    .action((flags: RejectFlags) => reject(flags));
  addRoundsFlags(
    repair.command('list').summary('list the open proposals of rounds that need attention'),
  ).action((flags: RoundsFlags) => list(flags));
}

function addPersonFlags(command: Command): Command {
  return addRoundFlags(command)
    .requiredOption('--by <id>', 'who does this, for the audit trail')
    .option('--by-name <name>', 'the name of that person');
}

async function propose(flags: ProposeFlags): Promise<void> {
  const round = roundOf(flags);
  const { kind, hash, reference, reason, creditTo } = flags;
  const order = { kind, reason, ...defined({ hash, reference }) };
  await withRepairs(flags, async (store) => {
    const options = { store, creditTo };
    const result = await proposeRepair(round, order, personOf(flags), options);
    if (result.kind !== 'proposed') throw refusal(result, flags);
    printRepair('proposed', result.repair, flags, store.decimals);
  });
}

async function approve(flags: ApproveFlags): Promise<void> {
  const round = roundOf(flags);
  await withRepairs(flags, async (store) => {
    const options: RepairOptions = { store, fourEyes: fourEyesOf(flags) };
    const result = await approveRepair(round, flags.id, personOf(flags), options);
    if (result.kind !== 'made') throw refusal(result, flags);
    printRepair(result.replay ? 'made before' : 'made', result.repair, flags, store.decimals);
  });
}

async function reject(flags: RejectFlags): Promise<void> {
  const round = roundOf(flags);
  await withRepairs(flags, async (store) => {
    const by = personOf(flags);
    const result = await rejectRepair(round, flags.id, by, flags.reason, { store });
    if (result.kind !== 'rejected') throw refusal(result, flags);
    printRepair('rejected', result.repair, flags, store.decimals);
  });
}

/** Proposals and decisions are commits too, and have their events. */
function withRepairs(
  flags: RoundFlags,
  work: (store: WalletStore) => Promise<void>,
): Promise<void> {
  const round = roundOf(flags);
  return withRounds(flags, work, (choice, log) => openToCommit(choice, log, round));
}

async function list(flags: RoundsFlags): Promise<void> {
  const operatorId = operatorOf(flags);
  await withRounds(flags, async (store) => {
    const open: AttentionEntry[] = [];
    const from = systemClock.now() - proposalLifeMs;
    for await (const entry of store.lists.attention(operatorId)) {
      if (entry.proposal !== undefined && entry.proposal.proposedAt > from) open.push(entry);
    }
    if (flags.json) for (const one of open) printJson(jsonOf(one));
    else print(textOf(operatorId, open, store).join('\n'));
  });
}

function jsonOf({ operatorId, playerId, gameRound, proposal }: AttentionEntry): object {
  const proposedAt = timeText(proposal?.proposedAt ?? 0);
  return { operatorId, playerId, gameRound, ...proposal, proposedAt };
}

function textOf(
  operatorId: string,
  open: readonly AttentionEntry[],
  { decimals }: WalletStore,
): string[] {
  if (open.length === 0) return [`No open proposal of operator ${operatorId}.`];
  const titles = ['id', 'kind', 'proposed (UTC)', 'by', 'at stake', 'player', 'gameRound'];
  const rows = open.map(({ proposal, atStake, currency, playerId, gameRound }) => [
    proposal?.id ?? '',
    proposal?.kind ?? '',
    timeCell(proposal?.proposedAt ?? 0),
    proposal?.proposedBy.id ?? '',
    atStake === undefined ? '?' : moneyText(atStake, currency ?? null, decimals),
    playerId,
    gameRound,
  ]);
  return drawTable(titles, rows);
}

function printRepair(word: string, repair: Repair, flags: RoundFlags, decimals: number): void {
  const { id, kind, hash, amount, currency } = repair;
  if (flags.json) {
    const text = formatAmount(amount, decimals);
    return printJson({ result: word, id, kind, hash, amount: text, currency });
  }
  const what = hash === null ? '' : ` of ${plain(hash)}`;
  print(`${word} ${id}: ${kind}${what}, ${moneyText(amount, currency, decimals)}`);
}

function personOf({ by, byName }: PersonFlags): Actor {
  return { id: by, name: byName ?? null };
}

/** @throws CommandFailure for a value that is not CURRENCY=AMOUNT. */
function fourEyesOf({ fourEyesAbove }: ApproveFlags): FourEyesOption {
  if (fourEyesAbove === undefined) return 'always';
  const above = fourEyesAbove.map((text): [string, string] => {
    const [currency = '', amount = '', ...more] = text.split('=');
    if (amount !== '' && more.length === 0) return [currency, amount];
    throw new CommandFailure('--four-eyes-above must be like EUR=50.00');
  });
  return { above: Object.fromEntries(above) };
}

function refusal(
  result:
    | Unknown
    | { readonly kind: string; readonly reason?: RepairRefusal; readonly repair?: Repair },
  flags: RoundFlags & { readonly id?: string },
): Error {
  if ('cause' in result) {
    return new Error(
      `The store did not answer; the same command again is safe: ${messageOf(result.cause)}`,
    );
  }
  const { reason, repair } = result;
  if (reason === undefined) return new Error('The repair was refused.');
  return new Error(
    unknownName(reason, flags) ?? repairRefusalText({ reason, ...(repair && { repair }) }),
  );
}

/** Names what may be misspelt; null if that is not the reason. */
function unknownName(
  reason: RepairRefusal,
  flags: RoundFlags & { readonly id?: string },
): string | null {
  const { operatorId, playerId, gameRound } = roundOf(flags);
  const name = plain(`round ${gameRound} of player ${playerId} of operator ${operatorId}`);
  if (reason === 'noRound') return `Nothing is known of ${name}.`;
  if (reason === 'noProposal') return `There is no proposal ${plain(flags.id ?? '')} for ${name}.`;
  return null;
}
