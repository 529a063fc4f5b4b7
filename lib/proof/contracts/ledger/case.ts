import assert from 'node:assert/strict';
import { type MovementRefusal, movementRefusals } from '../../../operator/gameround';
import { emptyPurse, type Purse } from '../../../protocol/money/purse';
import { postingOf } from '../../../operator/wallet/ledger';
import type {
  Account,
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerRefused,
  LedgerReversal,
  PlayerKey,
  PostedQuery,
  PostedRound,
  RoundKey,
} from '../../../operator/wallet';
import { systemClock } from '../../../platform';
import { withDeadline } from '../../../platform/within';
import { freshId } from '../../subject/runner';
import { sorted } from '../../subject/players';
import type { ContractPlayers } from '../../subject/players';

/** A ledger under test, with the platform's own services around it. */
export interface ContractLedger {
  readonly ledger: Ledger;
  readonly players: ContractPlayers;
  /** Releases what it holds; called once, after the last case. */
  close?(): unknown;
}

/** The answer to a posting. */
export type PostingAnswer = LedgerDone | LedgerRefused;

/** How long a posting that throws is retried, and the pause between attempts, in milliseconds. */
const patienceMs = 15_000;
const pauseMs = 25;

/** A ledger as the cases use it: retries what throws, as the kit does, and checks every answer. */
export class RetryingLedger {
  private readonly thrown = new Set<string>();

  constructor(
    private readonly ledger: Ledger,
    readonly players: ContractPlayers,
  ) {}

  async debit(posting: LedgerDebit): Promise<PostingAnswer> {
    const answer = await this.answerOf(nameOf('debit', posting), (signal) =>
      this.ledger.debit(posting, signal),
    );
    checkAnswer(answer);
    if (answer.kind === 'done') checkPaid(paidOf(answer, posting.amount), posting.amount);
    return answer;
  }

  async credit(posting: LedgerCredit): Promise<PostingAnswer> {
    const answer = await this.answerOf(nameOf('credit', posting), (signal) =>
      this.ledger.credit(posting, signal),
    );
    checkAnswer(answer);
    return answer;
  }

  /** A reversal must succeed, whatever happened to the posting. */
  async reverse({ key, operatorId, playerId, gameRound, hash }: LedgerReversal): Promise<void> {
    const reversal = { key, operatorId, playerId, gameRound, hash, gameCode: 'bells' };
    const answer = await this.answerOf(nameOf('reverse', reversal), (signal) =>
      this.ledger.reverse(reversal, signal),
    );
    checkAnswer(answer);
    assert.equal(answer.kind, 'done', 'a reversal that is refused leaves money where it must not');
  }

  /** The player's accounts by currency; null if the player is unknown. */
  async accounts(player: PlayerKey): Promise<readonly Account[] | null> {
    const { operatorId, playerId } = player;
    const found = await this.answerOf('balances', (signal) =>
      this.ledger.balances({ operatorId, playerId }, signal),
    );
    if (found !== null) checkAccounts(found);
    return found === null ? null : sorted(found);
  }

  /** What the player has in EUR; an absent bonus balance counts as empty. */
  async purse(player: PlayerKey, currency = 'EUR'): Promise<Purse> {
    const accounts = (await this.accounts(player)) ?? [];
    const account = accounts.find((one) => one.currency === currency);
    assert.ok(account !== undefined, `the player must have an account in ${currency}`);
    return { real: account.real, bonus: account.bonus ?? 0n };
  }

  /** What the ledger says that it posted; null if it has no such list. */
  posted(query: PostedQuery): Promise<readonly PostedRound[] | null> {
    return this.answerOf('postedRounds', async (signal) => {
      const listed = this.ledger.postedRounds?.(query, signal);
      if (listed === undefined) return null;
      const rounds: PostedRound[] = [];
      for await (const round of listed) rounds.push(round);
      return rounds;
    });
  }

  /** Whether an attempt at such a posting threw: then it may have happened more often than answered. */
  hasThrown(kind: 'debit' | 'credit' | 'reverse', key: string): boolean {
    return this.thrown.has(nameOf(kind, { key }));
  }

  private async answerOf<T>(
    name: string,
    attempt: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const deadline = systemClock.monotonicMs() + patienceMs;
    for (;;) {
      try {
        return await withDeadline(systemClock, patienceMs, attempt);
      } catch (error) {
        this.thrown.add(name);
        if (systemClock.monotonicMs() >= deadline) {
          const text = `the ledger threw for ${patienceMs} ms: its last error is the cause`;
          throw new Error(`${text}: ${String(error)}`, { cause: error });
        }
        await systemClock.pause(pauseMs);
      }
    }
  }
}

function nameOf(kind: string, { key }: { readonly key: string }): string {
  return `${kind} ${key}`;
}

/** A debit of the round in EUR, real money first. */
export function debitOf(
  round: RoundKey,
  amount: bigint,
  more: Partial<LedgerDebit> = {},
): LedgerDebit {
  const posting = postingOf(round, freshId('hash'), 'bells');
  return { ...posting, currency: 'EUR', amount, bonusFirst: false, ...more };
}

/** A credit of the round in EUR. */
export function creditOf(
  round: RoundKey,
  real: bigint,
  more: Partial<LedgerCredit> = {},
): LedgerCredit {
  const posting = postingOf(round, freshId('hash'), 'bells');
  return { ...posting, currency: 'EUR', purse: realOnly(real), ...more };
}

function realOnly(real: bigint): Purse {
  return { real, bonus: 0n };
}

/** What a debit took by its answer; all from real if the answer leaves it out. */
export function paidOf({ paid }: LedgerDone, amount: bigint): Purse {
  return paid === undefined ? realOnly(amount) : { real: paid.real, bonus: paid.bonus };
}

/** Asserts that an answer is done; returns what a debit of this amount took. */
export function assertDone(answer: PostingAnswer, amount = 0n): Purse {
  const outcome = answer.kind === 'refused' ? `refused ${answer.reason}` : answer.kind;
  assert.ok(answer.kind === 'done', `the posting must be done, not ${outcome}`);
  return answer.paid === undefined && amount === 0n ? emptyPurse : paidOf(answer, amount);
}

/** Asserts that an answer is a refusal; with this reason if one is given. */
export function assertRefused(answer: PostingAnswer, reason?: MovementRefusal): void {
  assert.equal(answer.kind, 'refused', `the posting must be refused`);
  if (reason !== undefined) assert.deepEqual(answer, { kind: 'refused', reason });
}

/** Does something this many times concurrently. */
export function atOnce<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => work(at)));
}

function checkAnswer(answer: PostingAnswer): void {
  if (answer.kind === 'refused') {
    assert.ok(movementRefusals.includes(answer.reason), `no reason of the port: ${answer.reason}`);
    return;
  }
  assert.equal(answer.kind, 'done', 'a posting is answered done or refused, or throws');
  if (answer.accounts !== undefined) checkAccounts(answer.accounts);
}

function checkPaid({ real, bonus }: Purse, amount: bigint): void {
  assert.ok(real >= 0n && bonus >= 0n, 'what a debit took is never below zero');
  assert.equal(real + bonus, amount, 'what a debit took from both balances is its amount');
}

function checkAccounts(accounts: readonly Account[]): void {
  for (const { currency, real, bonus } of accounts) {
    assert.match(currency, /^[A-Z]{3}$/);
    assert.equal(typeof real, 'bigint', 'balances are bigints, in units');
    assert.ok(bonus === null || typeof bonus === 'bigint', 'bonus is a bigint, or null for none');
  }
  const currencies = new Set(accounts.map(({ currency }) => currency));
  assert.equal(currencies.size, accounts.length, 'a player has one account in a currency');
}

/** The key of the posting of a hash. */
export function keyOf(round: RoundKey, hash: string): string {
  return postingOf(round, hash, null).key;
}
