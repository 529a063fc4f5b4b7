import assert from 'node:assert/strict';
import {
  type ApproveRepairResult,
  approveRepair,
} from '../../../operator/operations/repairs/decision';
import {
  type ProposeRepairResult,
  proposeRepair,
} from '../../../operator/operations/repairs/propose';
import type { RepairOptions } from '../../../operator/operations/repairs/input';
import type { Delivery, Repair, RoundState, Verdict } from '../../../operator/gameround';
import type { RepairOrder } from '../../../operator/gameround/repairs/order';
import {
  type Actor,
  type AttentionEntry,
  doTransactions,
  type RoundKey,
} from '../../../operator/wallet';
import { type Clock, systemClock, systemRandom } from '../../../platform';
import type { Transaction } from '../../../protocol/operator-api/transaction';
import { freshDelivery } from '../../subject/runner';
import { playerWith, purseOf, snapshotOf } from '../case';
import type { ContractWallet } from '../../subject/players';

export { voidOf } from '../../subject/voided-call';

/** Two people of an operator. */
export const anna: Actor = Object.freeze({ id: 'anna', name: 'Anna Ö. \u{1f3b0}' });
export const bert: Actor = Object.freeze({ id: 'bert', name: null });

const reason = 'The RGS confirms the win, ticket 4711 "ok" \u00e9\u{1f3b0}';

/** A round of a player who has 100 units, as the RGS plays it and people repair it. */
export class RoundPlay {
  /** How far the people's clock is ahead, in milliseconds. */
  aheadMs = 0;
  /** Each call has its own time. */
  private callMs = 0;

  private constructor(
    readonly wallet: ContractWallet,
    readonly round: RoundKey,
  ) {}

  /** A new round of a player with 100 units, and these in a bonus balance. */
  static async open(wallet: ContractWallet, bonus?: bigint): Promise<RoundPlay> {
    return new RoundPlay(wallet, await playerWith(wallet.players, 100n, bonus));
  }

  /** Another round of the same player, or the same name again after its retention. */
  other(round: RoundKey): RoundPlay {
    const play = new RoundPlay(this.wallet, round);
    play.callMs = this.callMs;
    return play;
  }

  /** From now on calls come that much later. */
  waitMs(ms: number): void {
    this.callMs += ms;
  }

  /**
   * A round with a debit of 10, in which a later credit of 25 was refused for good: it is stranded. The
   * player has 90.
   */
  static async stranded(wallet: ContractWallet): Promise<RoundPlay> {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(debit('e', 1000n));
    await play.call(credit('c', 25n));
    await play.is('stranded', 90n);
    return play;
  }

  /** Sends a call of the RGS; resolves to the outcomes in words: `processed`, a code, or `unknown`. */
  async call(...transactions: readonly Transaction[]): Promise<string[]> {
    return this.deliver(freshDelivery(), transactions);
  }

  /** The same under a signature that no call had before. */
  async signed(...transactions: readonly Transaction[]): Promise<string[]> {
    const fingerprint = systemRandom.bytes(9).toString('base64url');
    return this.deliver({ ...freshDelivery(), fingerprint }, transactions);
  }

  private async deliver(
    delivery: Delivery,
    transactions: readonly Transaction[],
  ): Promise<string[]> {
    const { playerId, gameRound } = this.round;
    const call = { playerId, gameRound, gameCode: 'game', transactions };
    this.callMs += 1;
    const outcome = await doTransactions(this.round, call, delivery, {
      rounds: this.wallet.store.rounds,
      clock: this.clockAhead(this.callMs),
      policy: { useBonusFirst: false, creditTo: 'real' },
      deadlineMs: 60_000,
    });
    assert.equal(outcome.unknown, null);
    return outcome.verdicts.map(wordOf);
  }

  propose(order: Partial<RepairOrder>, by = anna): Promise<ProposeRepairResult> {
    return proposeRepair(this.round, { kind: 'pay', reason, ...order }, by, this.options());
  }

  /** Proposes; it must be possible. Resolves to the proposal's id. */
  async proposed(order: Partial<RepairOrder>, by = anna): Promise<string> {
    const result = await this.propose(order, by);
    assert.ok(result.kind === 'proposed', `it must be proposed: ${wordOfResult(result)}`);
    return result.repair.id;
  }

  approve(id: string, by = bert, more: Partial<RepairOptions> = {}): Promise<ApproveRepairResult> {
    return approveRepair(this.round, id, by, this.options(more));
  }

  /** Proposes and approves; resolves to the repair. */
  async repaired(order: Partial<RepairOrder>): Promise<Repair> {
    const result = await this.approve(await this.proposed(order));
    assert.ok(result.kind === 'made', `it must be made: ${wordOfResult(result)}`);
    assert.equal(result.replay, false);
    return result.repair;
  }

  options(more: Partial<RepairOptions> = {}): RepairOptions {
    const clock = this.clockAhead(this.aheadMs);
    return { store: this.wallet.store, clock, deadlineMs: 60_000, ...more };
  }

  private clockAhead(ms: number): Clock {
    return { ...systemClock, now: () => systemClock.now() + ms };
  }

  /** Asserts the round's state and what the player has. */
  async is(state: RoundState, has: bigint): Promise<void> {
    const { store } = this.wallet;
    const { head } = await snapshotOf(store, this.round);
    assert.deepEqual([head.state, await this.has()], [state, has]);
  }

  /** What the player has, in units of both balances. */
  async has(): Promise<bigint> {
    const { real, bonus } = await purseOf(this.wallet.store, this.round);
    return real + bonus;
  }

  /** Asserts whether the round needs attention. */
  async isListed(expected: boolean): Promise<void> {
    assert.equal((await this.listed()) !== null, expected);
  }

  /** The money at stake, as the list of rounds that need attention has it; null if the round is not listed. */
  async atStake(): Promise<bigint | null> {
    return (await this.listed())?.atStake ?? null;
  }

  private async listed(): Promise<AttentionEntry | null> {
    for await (const entry of this.wallet.store.lists.attention(this.round.operatorId)) {
      if (entry.gameRound === this.round.gameRound) return entry;
    }
    return null;
  }

  /** The repairs as the round keeps them. */
  async repairs(): Promise<readonly Repair[]> {
    return (await snapshotOf(this.wallet.store, this.round)).head.repairs?.list ?? [];
  }
}

/** A result in words. */
export function wordOfResult(result: ProposeRepairResult | ApproveRepairResult): string {
  if (result.kind === 'refused') return result.reason;
  return result.kind === 'unknown' ? `unknown: ${result.cause.message}` : result.kind;
}

/** A debit in EUR. */
export function debit(hash: string, amount: bigint, isFirstDebit = false): Transaction {
  const money = { currency: 'EUR', amount, discount: 0n, serial: null };
  return { type: 'debit', hash, isFirstDebit, ...money };
}

/** A credit in EUR, or another currency. */
export function credit(hash: string, amount: bigint, currency = 'EUR'): Transaction {
  return { type: 'credit', hash, currency, amount, serial: null };
}

function wordOf(verdict: Verdict): string {
  return verdict.outcome === 'refused' ? verdict.code : verdict.outcome;
}
