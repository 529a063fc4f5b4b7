import { approveRepair } from '../../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../../lib/operator/operations/repairs/propose';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { anotherRound } from '../../../../lib/proof/contracts/case';
import { freshId } from '../../../../lib/proof/subject/runner';
import { voidOf } from '../../../../lib/proof/subject/voided-call';
import { call, twice } from '../case';
import { answersOf } from '../model/player';
import type { Play } from './play';
import { type PlayedDebit, PlayedRound } from '../model/played-round';

/** Opens a round. */
export async function playOpening(play: Play): Promise<void> {
  const { dice } = play;
  const currency = dice.chance(80) ? 'EUR' : 'USD';
  const round = new PlayedRound(anotherRound(play.key), currency);
  const followUps = dice.times(0, 2, () => transactionOf(play, round, dice.chance(50)));
  const first = debitOf(play, round, true);
  const [, code] = await decided(play, round, [first, ...followUps, ...endOf(play)]);
  if (code === null) play.rounds.push(round);
}

/** Debits of a round that runs, with credits around them. */
export async function playFollowUp(play: Play, round: PlayedRound): Promise<void> {
  const { dice } = play;
  const before =
    round.declined === null && dice.chance(30) ? [transactionOf(play, round, false)] : [];
  const debit = debitOf(play, round, false);
  const after = dice.times(0, 2, () => transactionOf(play, round, dice.chance(40)));
  const [, code, hash] = await decided(play, round, [...before, debit, ...after, ...endOf(play)]);
  round.declined = code === null ? null : hash;
}

/** A late win, or the end: no block and no limit refuses it (D13.3). */
export async function playCredit(play: Play, round: PlayedRound): Promise<void> {
  const { player, now } = play;
  const credit = transactionOf(play, round, false);
  if (credit.type !== 'credit') return;
  const transactions = [credit, ...endOf(play)];
  if (round.declined === null) return void (await decided(play, round, transactions));
  // D4.5 and D4.7: the wallet declined a debit before it.
  await sent(play, round, [credit], () => [['DEBITFAILEDBEFORE']]);
  player.book.add({ type: 'nothing', at: now });
  round.state = 'stranded';
  round.unpaid = { hash: credit.hash, amount: credit.amount };
}

/** People pay the win that was refused, which counts as a credit (D13.4). */
export async function playRepair(play: Play, round: PlayedRound): Promise<void> {
  const { player, now } = play;
  const { store, clock } = play.process;
  const { unpaid } = round;
  if (unpaid === null) return;
  play.note(`repair ${round.key.gameRound}: pay ${unpaid.amount}`);
  const options = { store, clock, deadlineMs: 60_000 };
  const order = { kind: 'pay', reason: 'The RGS confirms the win' } as const;
  const proposed = await proposeRepair(round.key, order, { id: 'anna', name: null }, options);
  play.keep('a proposal', proposed.kind, () => ['proposed']);
  if (proposed.kind !== 'proposed') return;
  const by = { id: 'bert', name: null };
  const { kind } = await approveRepair(round.key, proposed.repair.id, by, options);
  play.keep('a repair', kind, () => ['made']);
  round.money.add(player.give(round.currency, unpaid.amount, now));
  round.unpaid = null;
  round.state = 'closed';
}

/** Voids a later debit, the one that was declined, or the whole round: never refused (D5.1). */
export async function playVoid(play: Play, round: PlayedRound): Promise<void> {
  const { dice, player, now } = play;
  const [first, ...laterDebits] = round.debits;
  if (first === undefined) return;
  const { currency, declined } = round;
  if (declined !== null && round.state === 'open' && dice.chance(70)) {
    await voided(play, round, declined);
    player.back([], currency, now);
    round.declined = null;
    round.calls = [];
    return;
  }
  const isWhole = round.state === 'stranded' || laterDebits.length === 0 || dice.chance(40);
  const debit = isWhole ? first : dice.pick(laterDebits);
  await voided(play, round, debit.hash);
  player.back(isWhole ? round.voidAll() : round.voidOne(debit), currency, now);
}

/** A recorded call is resent: answered as recorded, whatever was set since (D3.1). */
export async function playResend(play: Play, round: PlayedRound): Promise<void> {
  const { dice, player, now } = play;
  if (round.calls.length === 0) return;
  const { transactions, words } = dice.pick(round.calls);
  play.note('again:');
  await sent(play, round, transactions, () => [words], false);
  player.book.add({ type: 'nothing', at: now });
}

async function voided(play: Play, round: PlayedRound, hash: string): Promise<void> {
  await sent(play, round, [voidOf(hash)], () => [['processed']], false);
}

/** Sends a new call of an open round; returns its answers, and which debit was declined and why. */
async function decided(
  play: Play,
  round: PlayedRound,
  transactions: readonly Transaction[],
): Promise<readonly [readonly string[], string | null, string | null]> {
  const { player, now } = play;
  const words = await sent(play, round, transactions, (reading) => {
    const causes = player.causes(transactions, now, reading);
    const declined = causes.map((cause) => answersOf(transactions, cause));
    const isFree = causes.every(({ isOptional }) => isOptional);
    return isFree ? [answersOf(transactions, null), ...declined] : declined;
  });
  const declined = transactions.findIndex(
    ({ type }, index) =>
      type === 'debit' && !['processed', 'DEBITFAILEDBEFORE'].includes(words[index] ?? ''),
  );
  write(play, round, transactions, words);
  if (declined < 0) return [words, null, null];
  player.book.add({ type: 'nothing', at: now });
  return [words, words[declined] ?? null, transactions[declined]?.hash ?? null];
}

/** Writes what was accepted into the list. */
function write(
  { player, now }: Play,
  round: PlayedRound,
  transactions: readonly Transaction[],
  words: readonly string[],
): void {
  let debit: PlayedDebit | null = null;
  for (const [index, one] of transactions.entries()) {
    if (words[index] !== 'processed') continue;
    if (one.type === 'debit') {
      const purse = player.split(one.currency, one.amount);
      if (purse === null) throw new Error('a debit that the balances cannot pay');
      const money = player.take(one.currency, purse, now);
      debit = { hash: one.hash, money, followers: [], isEndBehind: false };
      round.debits.push(debit);
      round.money.add(money);
    } else if (one.type === 'credit') {
      const money = player.give(one.currency, one.amount, now);
      round.money.add(money);
      debit?.followers.push(money);
    } else {
      round.state = 'closed';
      if (debit !== null) debit.isEndBehind = true;
    }
  }
}

async function sent(
  play: Play,
  round: PlayedRound,
  transactions: readonly Transaction[],
  allowed: Parameters<Play['keep']>[2],
  isNew = true,
): Promise<readonly string[]> {
  const { store } = play.process;
  const rounds = play.dice.chance(15) ? twice(store.rounds) : store.rounds;
  const told = transactions.map((one) => {
    const amount = one.type === 'debit' || one.type === 'credit' ? ` ${one.amount}` : '';
    return `${one.type} ${one.hash}${amount}`;
  });
  play.note(`${round.key.gameRound} ${round.currency}: ${told.join(', ')}`);
  const words = await call(play.process, round.key, transactions, { rounds });
  play.note(`  -> ${words.join(', ')}`);
  play.keep('a call', words, allowed);
  if (isNew) round.calls.push({ transactions, words });
  return words;
}

function debitOf({ dice }: Play, round: PlayedRound, isFirstDebit: boolean): Transaction {
  const amount = BigInt(dice.between(1, 120));
  const money = { currency: round.currency, amount, discount: 0n, serial: null };
  const hash = isFirstDebit ? round.key.gameRound : freshId('d');
  return { type: 'debit', hash, isFirstDebit, ...money };
}

function transactionOf(play: Play, round: PlayedRound, isDebit: boolean): Transaction {
  if (isDebit) return debitOf(play, round, false);
  const amount = BigInt(play.dice.between(1, 150));
  return { type: 'credit', hash: freshId('c'), currency: round.currency, amount, serial: null };
}

function endOf({ dice }: Play): Transaction[] {
  return dice.chance(20) ? [{ type: 'end', hash: freshId('e') }] : [];
}
