import { alikeRules } from '../follow-up/alike';
import { hasNoFollowRules } from '../follow-up/case';
import { type ContractWallet, keepsMoney, type StoreSuiteOptions } from '../../subject/players';
import { type Case, defineWalletSuite, type Rules } from '../suite';
import assert from 'node:assert/strict';
import { parseAmount } from '../../../protocol/money/amount';
import type { AccountJson, RoundJson } from '../../../operator/wallet';
import {
  orderOf,
  anotherRound,
  assertCommitted,
  freshRound,
  playerWith,
  forgotten,
  shortRetention,
} from '../case';
import { RoundPlay, credit, debit, voidOf } from '../repairs/round-play';
import { unseenRound } from '../../../operator/gameround';
import { changeOf, end, openHead, take } from '../changes';
import { oddIds } from '../samples';

/** Options of {@link balancesContract}. */
export interface BalancesContractOptions extends StoreSuiteOptions {
  /** Whether the store has the optional method `follow`; false unless set. */
  readonly follows?: boolean;
}

const rules: Rules<ContractWallet> = {
  'the balance after each transaction': callRules,
  'the balance after what people did': repairRules,
  'balances are kept with their round': keepingRules,
};

/**
 * Defines the cases of the balances that a store keeps with its rounds (`RoundReport.balances`). A store that
 * keeps none does without this suite. Over a ledger a line may lack its balance. No case can be left out.
 */
export function balancesContract(options: BalancesContractOptions): void {
  const { follows = false } = options;
  const all = { ...rules, 'follow-up calls': follows ? alikeRules : hasNoFollowRules };
  defineWalletSuite(options, 'a store that keeps the balances after each commit', all);
}

/** The round as JSON. */
export async function jsonOf({ wallet, round }: RoundPlay): Promise<RoundJson> {
  const report = await wallet.store.rounds.readRound(round);
  assert.ok(report !== null, 'the round must be known');
  return report.toJSON();
}

/**
 * Asserts the transactions in their order, each with the units that the account held after it: `d 90`, or
 * `d 90+5` with a bonus. `-` is an unknown balance. Over a ledger any line may lack its balance.
 */
async function assertLines(play: RoundPlay, expected: readonly string[]): Promise<void> {
  const { transactions } = await jsonOf(play);
  const { decimals } = play.wallet.store;
  const actual = transactions.map(({ hash, type, balance }) => {
    return `${type === 'void' ? 'void ' : ''}${hash} ${textOf(balance, decimals)}`;
  });
  if (keepsMoney(play.wallet)) assert.deepEqual(actual, expected);
  else assert.deepEqual(withUnknown(actual, expected), expected);
}

/** The balance as in {@link assertLines}. */
export function textOf(balance: AccountJson | undefined, decimals: number): string {
  if (balance === undefined) return '-';
  assert.equal(balance.currency, 'EUR');
  const bonus = balance.bonus === null ? '' : `+${unitsOf(balance.bonus, decimals)}`;
  return `${unitsOf(balance.real, decimals)}${bonus}`;
}

/** The player gets cash between two calls. */
export async function deposit({ wallet, round }: RoundPlay, units: bigint): Promise<void> {
  const result = await wallet.players.deposit(orderOf(round, units));
  assert.equal(result.kind, 'done');
}

/** Lines without a balance as they were expected. */
function withUnknown(actual: readonly string[], expected: readonly string[]): string[] {
  return actual.map((line, at) => {
    const wanted = expected[at] ?? '';
    const isUnknown = line.endsWith(' -') && wanted.startsWith(line.slice(0, -1));
    return isUnknown ? wanted : line;
  });
}

function unitsOf(text: string, decimals: number): bigint {
  const units = parseAmount(text, decimals);
  assert.ok(units !== null, `${text} is no amount`);
  return units;
}

const ending = { type: 'end', hash: 'end' } as const;

/** The balance after each transaction of the RGS. */
function callRules(it: Case<ContractWallet>): void {
  it('it is that of the moment, whatever else moves the account meanwhile', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await deposit(play, 7n);
    await play.call(credit('c', 25n));
    await play.other(anotherRound(play.round)).call(debit('x', 2n, true));
    await play.call(ending);
    await deposit(play, 1n);
    await assertLines(play, ['d 90', 'c 122', 'end 120']);
  });

  it('the transactions of a call have the order of the call, each its balance', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(
      debit('d', 10n, true),
      credit('z', 3n),
      debit('b', 20n),
      credit('a', 1n),
      ending,
    );
    await assertLines(play, ['d 90', 'z 93', 'b 73', 'a 74', 'end 74']);
    await play.call(debit('x', 1n));
    await assertLines(play, ['d 90', 'z 93', 'b 73', 'a 74', 'end 74', 'x 74']);
  });

  it('a refused transaction has it too', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(debit('too much', 1000n));
    await play.call(credit('c', 25n));
    await play.call(credit('none', 1n, 'USD'));
    await assertLines(play, ['d 90', 'too much 90', 'c 90', 'none -']);
  });

  it('a bonus balance stands beside the real one', async (wallet) => {
    const play = await RoundPlay.open(wallet, 20n);
    await play.call(debit('d', 60n, true), debit('e', 50n), credit('c', 4n));
    await play.call(voidOf('d'));
    await assertLines(play, ['d 40+20', 'e 0+10', 'c 4+10', 'void d 100+20']);
  });

  it('a call whose credits a void took back has it on its last line, and the void its own', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(debit('e', 20n), credit('c', 50n));
    await assertLines(play, ['d 90', 'e 70', 'c 120']);
    await play.call(voidOf('e'));
    await assertLines(play, ['d 90', 'e -', 'c 120', 'void e 90']);
    await play.call(voidOf('d'));
    await assertLines(play, ['d 90', 'e -', 'c 120', 'void e 90', 'void d 100']);
  });

  it('a resent call changes no balance line', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true), credit('c', 5n));
    await deposit(play, 50n);
    await play.call(debit('d', 10n, true), credit('c', 5n));
    await play.call(voidOf('d'));
    await play.call(voidOf('d'));
    await assertLines(play, ['d 90', 'c 95', 'void d 150']);
  });
}

/** Balances belong to a commit of a round. */
function keepingRules(it: Case<ContractWallet>): void {
  it('a commit that is not written, or is executed again, keeps nothing', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const change = changeOf(unseenRound, [take('d', 10n)]);
    assertCommitted(await store.rounds.commit(round, change));
    const kept = await balancesOf(wallet, round);
    if (keepsMoney(wallet)) {
      assert.deepEqual(kept, [[1, [{ currency: 'EUR', real: 90n, bonus: null }]]]);
    }
    assert.equal((await store.rounds.commit(round, change)).kind, 'stale');
    const poor = changeOf({ ...openHead, debits: { real: 10n, bonus: 0n } }, [take('e', 1000n)]);
    await store.rounds.commit(round, poor);
    assert.deepEqual(await balancesOf(wallet, round), kept);
  });

  it('a player without an account has none', async (wallet) => {
    const round = freshRound();
    assertCommitted(await wallet.store.rounds.commit(round, changeOf(unseenRound, [end('e')])));
    const report = await wallet.store.rounds.readRound(round);
    assert.equal(report?.toJSON().transactions[0]?.balance, undefined);
  });

  it('rounds and players with any identifier have their own', async (wallet) => {
    const first = await RoundPlay.open(wallet);
    for (const [at, gameRound] of oddIds.entries()) {
      const play = first.other({ ...first.round, gameRound });
      await play.call(debit(gameRound, 1n, true));
      await assertLines(play, [`${gameRound} ${99 - at}`]);
    }
  });

  it(
    'they are gone with their round',
    async (wallet) => {
      const play = await RoundPlay.open(wallet);
      await play.call(debit('d', 10n, true), { type: 'end', hash: 'e' });
      await forgotten(wallet.store, play.round);
      await deposit(play, 5n);
      const next = play.other(play.round);
      await next.call(debit('f', 10n, true)); // a ledger knows the key of d for ever
      await assertLines(next, ['f 85']);
      const kept = await balancesOf(wallet, play.round);
      assert.ok(kept.length <= 1, 'a round that begins anew must keep nothing of the earlier one');
      await next.other(anotherRound(play.round)).call(debit('f', 10n, true));
      await assertLines(next, ['f 85']);
    },
    shortRetention,
  );
}

async function balancesOf(
  { store }: ContractWallet,
  round: Parameters<typeof store.rounds.readRound>[0],
) {
  const report = await store.rounds.readRound(round);
  return (report?.balances ?? []).map(({ version, accounts }) => [version, accounts]);
}

const stranded = ['d 90', 'e 90', 'c 90'] as const;

/** The balance after the decision of a repair. */
function repairRules(it: Case<ContractWallet>): void {
  it('a repair has it from its decision on', async (wallet) => {
    const play = await apart(wallet);
    await deposit(play, 5n);
    const id = await play.proposed({ kind: 'pay', hash: 'c' });
    await assertRepairs(play, ['-']);
    await play.approve(id);
    await deposit(play, 5n);
    await assertLines(play, stranded);
    await assertRepairs(play, ['120']);
  });

  it('a void that takes a repair back has its own', async (wallet) => {
    const play = await apart(wallet);
    await play.repaired({ kind: 'pay', hash: 'c' });
    play.waitMs(1000);
    await play.call(voidOf('d'));
    await assertLines(play, [...stranded, 'void d 100']);
    await assertRepairs(play, ['115']);
  });

  it('a void by a person has it as the void of the RGS has', async (wallet) => {
    const play = await apart(wallet);
    await play.repaired({ kind: 'void', hash: 'd' });
    await deposit(play, 5n);
    await assertLines(play, [...stranded, 'void d 100']);
  });

  it('what is settled elsewhere or rejected moves nothing, and has it', async (wallet) => {
    const play = await apart(wallet);
    await play.repaired({ kind: 'resolve', reference: 'ticket 4711' });
    await deposit(play, 5n);
    await assertRepairs(play, ['90']);
  });
}

/** A stranded round; the people come a second later. */
async function apart(wallet: ContractWallet): Promise<RoundPlay> {
  const play = await RoundPlay.stranded(wallet);
  play.aheadMs = 1000;
  return play;
}

/** Asserts the units that the account held after each repair. Over a ledger any may be missing. */
async function assertRepairs(play: RoundPlay, expected: readonly string[]): Promise<void> {
  const { repairs = [] } = await jsonOf(play);
  const actual = repairs.map(({ balance }) => textOf(balance, play.wallet.store.decimals));
  const wanted = expected.map((text, at) => (actual[at] === '-' ? '-' : text));
  assert.deepEqual(actual, keepsMoney(play.wallet) ? expected : wanted);
}
