import assert from 'node:assert/strict';
import { type DebitRecord, type HashEntry, unseenRound } from '../../operator/gameround';
import {
  addPurses,
  emptyPurse,
  isEmptyPurse,
  type Purse,
  subtractPurses,
} from '../../protocol/money/purse';
import type { Transaction } from '../../protocol/operator-api/transaction';
import type { RoundReport } from '../../operator/wallet';
import { type Known, takenBackCode, voidedCode } from '../oracle/answers';
import { toText } from '../oracle/broken-rule';
import { checkRecord } from '../oracle/records';
import { ConcurrentAnswers, type TransactionVerdict } from './answers';
import { isGivenUp, MovingDebits, recordedUnanswered, unansweredWorks } from './doubt';
import { type Guess, type Work, sumOf } from './moments';

/** The effect of a round on its player's money, all in one currency. */
export interface RoundEffect {
  /** The round's currency; null if no debit was ever accepted, and nothing moved. */
  readonly currency: string | null;
  /** By the answers; a debit whose answer was lost counts by its record. */
  readonly total: bigint;
  /** By the records, for each balance. */
  readonly net: Purse;
  /** Debits that a ledger may or may not have taken, until they are voided (D7); below zero. */
  readonly uncertain: readonly Guess[];
  /** What may have moved since the last check, or been taken back. */
  readonly guesses: readonly Guess[];
  /** What moved since the last check without an answer that shows it. */
  readonly works: readonly Work[];
}

/** The effect of a round that is not known yet. */
export const noEffect: RoundEffect = Object.freeze({
  currency: null,
  total: 0n,
  net: emptyPurse,
  uncertain: [],
  guesses: [],
  works: [],
});

/**
 * The answers to the RGS on one round, compared with what the store keeps of it. It knows which answers
 * are consistent (O2, O3, O8) and what they do to the money (O1, O4, O5, D5.3), not the other rules.
 */
export class HistoryRound {
  private readonly answers: ConcurrentAnswers;
  private readonly lost = new Set<string>();
  private readonly withdrawn = new Set<string>();
  /** Debits that arrived, and whose outcome was answered as unknown or not at all. */
  private readonly inDoubt = new Set<string>();
  private readonly claimed = new Set<string>();
  private readonly moving = new MovingDebits();
  private wasVoided = false;
  /** By hash: what was recorded before the round's void, and only answered as voided. */
  private unanswered: ReadonlyMap<string, string> = new Map();

  /** `movesApart`: whether the money is in a ledger, so that each posting is its own moment. */
  constructor(
    private readonly gameRound: string,
    private readonly movesApart: boolean,
  ) {
    this.answers = new ConcurrentAnswers(gameRound);
  }

  /** Records debits that the RGS voids; if the answer is lost, also whether they arrived. */
  withdraw(hashes: readonly string[], lost: { readonly arrives: boolean } | null): void {
    for (const hash of hashes) {
      this.withdrawn.add(hash);
      if (lost !== null) this.lose(hash, lost.arrives);
    }
  }

  private lose(hash: string, arrives: boolean): void {
    this.lost.add(hash);
    if (arrives) this.inDoubt.add(hash);
  }

  /** Records a call and its answer, which may be incomplete. */
  record(transactions: readonly Transaction[], verdicts: readonly TransactionVerdict[]): void {
    this.answers.record(transactions, verdicts);
  }

  /**
   * Records the transactions of a call from one with an unknown outcome on. Its debits may have been given
   * up (D7); a credit or end of a call without a debit is left out while another call's debit waits for
   * its void (D4.1).
   */
  doubt(
    transactions: readonly Transaction[],
    at: number,
    report: RoundReport | null,
    cause: Error,
  ): void {
    const first = transactions[at];
    const text = `${toText(first)} must be answered: ${cause.message}`;
    const isLeftOut = first?.type === 'credit' || first?.type === 'end';
    if (isLeftOut && !transactions.some(({ type }) => type === 'debit')) {
      assert.ok(this.wasCancelled(report), `${text}, and the round was not cancelled (D4.1)`);
      return;
    }
    const isHere = first?.type === 'debit' && isUnanswered(first.hash, report);
    assert.ok(this.movesApart && isHere, text);
    for (const { hash, type } of transactions.slice(at)) {
      if (type === 'debit' && isUnanswered(hash, report)) this.lose(hash, true);
    }
  }

  /** Whether this is counted for the first time. */
  claim(name: string): boolean {
    const isNew = !this.claimed.has(name);
    this.claimed.add(name);
    return isNew;
  }

  /** The hashes of withdrawn debits that are not voided yet. */
  get toVoid(): readonly string[] {
    return [...this.withdrawn].filter((hash) => !this.answers.isVoided(hash));
  }

  /**
   * Checks all answers against the stored round, while nothing is in progress. `isTogether`: whether
   * several calls of the round came concurrently.
   */
  check(report: RoundReport | null, isTogether: boolean): RoundEffect {
    const entries = report?.entries ?? new Map<string, HashEntry>();
    const { answers, wasVoided } = this;
    const isVoided = report?.head.state === 'voided';
    answers.settle(isVoided);
    for (const [name, times] of answers.firstTimes) {
      const isOnce = times === 1 || (this.movesApart && isDoneByOthers(times, entries.get(name)));
      assert.ok(isOnce, `O2: ${name} must be processed once, all else be replays`);
    }
    answers.taken = this.takenBack(entries, isVoided);
    const mayBeUnanswered = this.movesApart && isTogether && isVoided && !wasVoided;
    if (mayBeUnanswered) this.unanswered = recordedUnanswered(answers.known, entries);
    this.wasVoided = isVoided;
    for (const known of answers.known.values()) {
      if (known.answer === null) continue;
      const entry = entries.get(known.hash);
      const outcome = this.outcomeNow(known, known.answer, entry, isVoided);
      for (const one of known.transactions) checkRecord(this.gameRound, one, outcome, entry);
    }
    this.checkAnswers(entries);
    const effect = this.weigh(report, entries);
    if (!this.movesApart) return effect;
    const came = (hash: string): boolean => !this.lost.has(hash) || this.inDoubt.has(hash);
    const moving = this.moving.compare(entries, isVoided, came, isTogether);
    const works = mayBeUnanswered ? unansweredWorks(this.unanswered, entries) : [];
    return { ...effect, ...moving, works };
  }

  /** Whether a debit waited for its void when the work in progress began, or since. */
  private wasCancelled(report: RoundReport | null): boolean {
    return [...(report?.entries ?? [])].some(([hash, { transaction: record }]) => {
      return record?.outcome === 'unanswered' && !this.answers.wasVoided(hash);
    });
  }

  /** O3: nothing is recorded or voided that was not answered. */
  private checkAnswers(entries: ReadonlyMap<string, HashEntry>): void {
    const hasGivenUp = this.movesApart && [...entries.values()].some(isGivenUp);
    for (const [hash, entry] of entries) {
      assert.equal(entry.void !== undefined, this.answers.isVoided(hash), `O3: void of ${hash}`);
      const isAnswered = entry.transaction === undefined || this.answers.isAnswered(hash);
      const isDeclined = hasGivenUp && entry.transaction?.outcome === takenBackCode;
      const isKnown = isAnswered || isDeclined || this.lost.has(hash);
      assert.ok(isKnown, `${hash} is recorded without an answer`);
    }
  }

  /**
   * What the record of a hash must be by now. In a ledger a void may have overtaken a call: then a debit
   * was given up, or what followed it declined, or everything was recorded and the call decided again, and
   * only the void was answered (D7, D3.1).
   */
  private outcomeNow(
    { hash, voidedIn }: Known,
    answer: string,
    entry: HashEntry | undefined,
    isVoided: boolean,
  ): string {
    if (this.answers.taken.has(hash)) return takenBackCode;
    const isVoidAnswered = answer === voidedCode && (isVoided || voidedIn !== null);
    if (!this.movesApart || !isVoidAnswered) return answer;
    if (isGivenUp(entry)) return 'unanswered';
    const recorded = this.unanswered.get(hash);
    if (recorded !== undefined) return recorded;
    return isVoided && entry?.transaction?.outcome === takenBackCode ? takenBackCode : answer;
  }

  /**
   * D5.3: what the voids of follow-up debits took back: the credits and ends that were first accepted
   * after them, and a credit that stranded the round there. If others may have continued a call, or the
   * round was voided meanwhile, the answers do not show which came first: the records do.
   */
  private takenBack(
    entries: ReadonlyMap<string, HashEntry>,
    isVoided: boolean,
  ): ReadonlySet<string> {
    const taken = new Set<string>();
    for (const known of this.answers.known.values()) {
      const { hash, answer, behind, type } = known;
      if (answer === null || type === 'debit') continue;
      if (answer === takenBackCode || answer === voidedCode) continue;
      const isTaken = entries.get(hash)?.transaction?.outcome === takenBackCode;
      const may = this.answers.mayBeTakenBack(known);
      assert.ok(may || !isTaken, `D5.3: ${hash} is taken back, and no void was of its debit`);
      if (answer === 'processed' && !isVoided) {
        const isFirstVoided = behind !== null && behind.voidedIn !== null;
        const must = this.movesApart ? this.answers.mustBeTakenBack(known) : isFirstVoided;
        assert.ok(isTaken || !must, `D5.3: ${hash} stays, and the void of its debit was answered`);
        const isOwn = !isTaken || must || this.movesApart;
        assert.ok(isOwn, `D5.3: ${hash} is taken back, and another call had it first`);
      }
      if (isTaken) taken.add(hash);
    }
    return taken;
  }

  /** O4, and the sums: what the records say together. */
  private weigh(report: RoundReport | null, entries: ReadonlyMap<string, HashEntry>): RoundEffect {
    const took = chargedDebits(entries);
    const first = [...took].filter(([, record]) => record.first).map(([hash]) => hash);
    assert.equal(first.length, took.size > 0 ? 1 : 0, 'a round has one accepted initial debit');
    const isVoided = first.some((hash) => this.answers.isVoided(hash));
    const head = report?.head ?? unseenRound;
    if (took.size > 0) assert.equal(head.state === 'voided', isVoided, `O4: it is ${head.state}`);
    // What a void gave back, less what the debit took and what the credits that it took back gave.
    let [left, debits, credits] = [this.takenUnits(), emptyPurse, emptyPurse];
    for (const [hash, { void: order, transaction: record }] of entries) {
      const paid = took.get(hash);
      if (order !== undefined) left += sumOf(order.purse);
      if (paid !== undefined) {
        assert.equal(paid.currency, head.currency, `all money is of one currency: ${hash}`);
        if (order === undefined && !isVoided) debits = addPurses(debits, paid.purse);
        else left -= sumOf(paid.purse);
      } else if (record?.type === 'credit' && record.outcome === 'accepted') {
        assert.equal(record.currency, head.currency, `all money is of one currency: ${hash}`);
        if (isVoided) left += sumOf(record.purse);
        else credits = addPurses(credits, record.purse);
      }
    }
    assert.equal(left, 0n, isVoided ? 'O4: a voided round nets to 0' : 'D5.3: a void gives back');
    assert.deepEqual([head.debits, head.credits], [debits, credits], 'the sums of the head');
    const total = isVoided ? 0n : this.answers.net - this.lostUnits(took);
    return { ...noEffect, currency: head.currency, total, net: subtractPurses(credits, debits) };
  }

  /** What the taken-back credits gave. */
  private takenUnits(): bigint {
    let units = 0n;
    for (const hash of this.answers.taken) {
      const known = this.answers.known.get(hash);
      if (known?.answer === 'processed') units += known.units;
    }
    return units;
  }

  /** What debits took whose answers were lost, by their records, until they are voided. */
  private lostUnits(took: ReadonlyMap<string, DebitRecord>): bigint {
    let units = 0n;
    for (const hash of this.lost) {
      if (!this.answers.isVoided(hash)) units += sumOf(took.get(hash)?.purse ?? emptyPurse);
    }
    return units;
  }
}

function isUnanswered(hash: string, report: RoundReport | null): boolean {
  return report?.entries.get(hash)?.transaction?.outcome === 'unanswered';
}

/** Whether another call that continued it may have been answered first: never is one answered twice. */
function isDoneByOthers(times: number, entry: HashEntry | undefined): boolean {
  return times === 0 || isGivenUp(entry);
}

/** The accepted debits; of those whose answer was lost, the ones that took money. */
function chargedDebits(entries: ReadonlyMap<string, HashEntry>): Map<string, DebitRecord> {
  const took = new Map<string, DebitRecord>();
  for (const [hash, { transaction: record }] of entries) {
    if (record?.type !== 'debit') continue;
    const hasTaken = record.outcome === 'unanswered' && !isEmptyPurse(record.purse);
    if (record.outcome === 'accepted' || hasTaken) took.set(hash, record);
  }
  return took;
}
