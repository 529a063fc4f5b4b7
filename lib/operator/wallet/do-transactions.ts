import {
  type Admission,
  admit,
  type CallProgress,
  callStart,
  type Delivery,
  decideStep,
  hashesNeeded,
  mayBeForgotten,
  type MovementRefusal,
  onlyGuards,
  type Step,
  type StepContext,
  unseenRound,
  type Verdict,
} from '../gameround';
import { decideAssumed } from '../gameround/follow-up';
import type { Call, Debit } from '../../protocol/operator-api/transaction';
import { Attempts, toError } from './attempts';
import type { CallOutcome, CommitRepeat, DoTransactionsPorts } from './call-outcome';
import type { DebitChecks, DebitsDeclined } from './debit-check';
import { eligibleDiscounts } from './discount-check';
import type { RoundKey } from './player/round-key';
import type { Account } from './players';
import type { CommitResult, RoundSnapshot, Unknown } from './store';

/**
 * Processes the transactions of a call in order, each once by its hash (operator-api 4.1): load, decide,
 * commit. It repeats while the commit is stale, refused or unknown, until the deadline. Repeating after an
 * unknown commit is safe: the version lets it happen only once, and the next load finds what it wrote. A
 * call that may open the round, or only adds to a running one, is decided before anything is loaded.
 */
export function doTransactions(
  round: RoundKey,
  call: Call,
  delivery: Delivery,
  ports: DoTransactionsPorts,
): Promise<CallOutcome> {
  return new CallRun(round, call, delivery, ports).run();
}

class CallRun {
  private readonly verdicts: Exclude<Verdict, { outcome: 'unknown' }>[] = [];
  private readonly notes: string[] = [];
  private readonly attempts: Attempts;
  private readonly hashes: readonly string[];
  private eligible: ReadonlySet<string> = new Set();
  private snapshot: RoundSnapshot | null = null;
  private admission: Admission = 'admitted';
  /** One moment for all attempts: of a commit in doubt nothing may be refused that the commit did. */
  private readonly forgottenBefore: number | undefined;
  private last: Step | null = null;
  private disallowed: DebitsDeclined | null = null;
  /** Why the last commit is repeated. */
  private repeated: CommitRepeat | null = null;

  constructor(
    private readonly round: RoundKey,
    private readonly call: Call,
    private readonly delivery: Delivery,
    private readonly ports: DoTransactionsPorts,
  ) {
    this.attempts = new Attempts(ports.rounds, ports.clock, ports.deadlineMs);
    this.forgottenBefore = ports.forgottenBefore?.();
    this.hashes = [...new Set(call.transactions.map(({ hash }) => hash))];
  }

  /** Never rejects: after an error, the outcome after the verdicts is unknown (D6.1, D7). */
  async run(): Promise<CallOutcome> {
    try {
      const { discountCheck: check, debitChecks } = this.ports;
      if (check !== undefined)
        this.eligible = await eligibleDiscounts(this.round, this.call, check, this.ports);
      if (debitChecks !== undefined && this.holdsDebit()) {
        if (!(await this.askFor(debitChecks))) return this.outcome(this.attempts.failure);
      } else this.snapshot = this.opensRound() ? assumedNew : null;
      let progress: CallProgress = callStart;
      while (progress.at < this.call.transactions.length) {
        const followed = this.mayFollow(progress) ? await this.follow() : null;
        const step = followed ?? (await this.settle(progress));
        if (this.admission !== 'admitted') return this.outcome(notAdmitted);
        if (step === null) return this.outcome(this.attempts.failure);
        this.notes.push(...step.notes);
        for (const verdict of step.verdicts) {
          if (verdict.outcome === 'unknown') return this.outcome(waitsForVoid);
          this.verdicts.push(verdict);
        }
        progress = step.next;
        this.repeated = null;
      }
      if (this.snapshot?.accounts === undefined) await this.readAccounts();
      if (this.snapshot?.accounts !== undefined) return this.outcome(null);
      // Without balances there is no answer (D6.2): the RGS resends or voids transactions without an answer.
      this.verdicts.length = 0;
      return this.outcome(this.attempts.failure);
    } catch (error) {
      return this.outcome(toError(error));
    }
  }

  private holdsDebit(): boolean {
    return this.call.transactions.some(({ type }) => type === 'debit');
  }

  /**
   * Asks whether the new debits are allowed. Which are new the round tells: a known one is answered by its record (D12.4).
   * False if the round cannot be loaded.
   */
  private async askFor(checks: DebitChecks): Promise<boolean> {
    while (this.snapshot === null && this.attempts.isWorthwhile) this.snapshot = await this.load();
    const { snapshot, call } = this;
    if (snapshot === null) return false;
    if (admit(call.transactions, snapshot, this.delivery) !== 'admitted') return true;
    const fresh = new Map<string, Debit>(); // a call may hold a debit twice
    for (const one of call.transactions) {
      const isKnown = snapshot.entries.get(one.hash) !== undefined || fresh.has(one.hash);
      if (one.type === 'debit' && !isKnown) fresh.set(one.hash, one);
    }
    const [first, ...others] = fresh.values();
    if (first === undefined) return true;
    this.disallowed = await checks.ask(this.round, call, [first, ...others]);
    return true;
  }

  private mayFollow(progress: CallProgress): boolean {
    return progress === callStart && this.snapshot === null && this.attempts.isWorthwhile;
  }

  /**
   * Adds the whole call to a running round in one trip, if that is all it does; null if the round itself must
   * decide, which the answer may include. If the store executes it late, after that, each of its hashes is
   * known, or it does what a resend of the call would do (D7).
   */
  private async follow(): Promise<Step | null> {
    const follow = this.ports.rounds.follow?.bind(this.ports.rounds);
    const assumed = follow && decideAssumed(this.call, this.context(noRefusals));
    if (follow === undefined || !assumed) return null;
    const result = await this.attempts.run(() => follow(this.round, assumed.followUp));
    if (result.kind === 'committed') {
      this.snapshot = withAccounts(assumed.view, result.accounts);
      this.last = assumed.step;
      return assumed.step;
    }
    if (result.kind === 'unknown') {
      this.repeated = result.kind;
      await this.attempts.failed(result);
    } else this.take(result.snapshot);
    return null;
  }

  /** Uses the snapshot in an answer if it covers every hash of the call. */
  private take(snapshot?: RoundSnapshot): void {
    const needed = snapshot && hashesNeeded(this.call.transactions, snapshot);
    if (needed?.length === 0) this.snapshot = snapshot ?? null;
  }

  /** Decides and commits one step until it is definite; null at the deadline, or if the call is not admitted. */
  private async settle(progress: CallProgress): Promise<Step | null> {
    let refusals = noRefusals;
    while (this.attempts.isWorthwhile) {
      this.snapshot ??= await this.load();
      if (this.snapshot === null) continue;
      this.admission = admit(this.call.transactions, this.snapshot, this.delivery);
      if (this.admission !== 'admitted') return null;
      const { transactions } = this.call;
      const step = decideStep(transactions, progress, this.snapshot, this.context(refusals));
      this.last = step;
      if (step.change === null) return step;
      const { change } = step;
      const hashes = this.snapshot === assumedNew ? this.hashes : undefined;
      if (this.repeated !== null) this.ports.onCommitRepeat?.(this.repeated);
      const result = await this.attempts.run((rounds) => rounds.commit(this.round, change, hashes));
      if (result.kind === 'committed') {
        const isLast = step.next.at >= transactions.length;
        this.snapshot = isLast ? withAccounts(this.snapshot, result.accounts) : null;
        return step;
      }
      if (result.kind === 'unknown' && onlyGuards(change, this.snapshot)) return step;
      this.repeated = result.kind;
      refusals = await this.prepareNext(result, refusals);
    }
    return null;
  }

  private context(refusals: ReadonlyMap<string, MovementRefusal>): StepContext {
    return {
      gameRound: this.round.gameRound,
      gameCode: this.call.gameCode,
      delivery: this.delivery,
      now: this.ports.clock.now(),
      refusals,
      eligibleDiscounts: this.eligible,
      policy: this.ports.policy,
      forgottenBefore: this.forgottenBefore,
      disallowed: this.disallowed?.code,
    };
  }

  /** After a commit that was not, or may not have been, written: collects the refusals for the next decision. */
  private async prepareNext(
    result: Exclude<CommitResult, { kind: 'committed' }>,
    refusals: ReadonlyMap<string, MovementRefusal>,
  ): Promise<ReadonlyMap<string, MovementRefusal>> {
    if (result.kind === 'refused' && !refusals.has(result.hash)) {
      if (result.head !== undefined && this.snapshot !== null) {
        this.snapshot = { head: result.head, entries: this.snapshot.entries };
      }
      return new Map(refusals).set(result.hash, result.reason);
    }
    this.snapshot = null;
    if (result.kind === 'stale') {
      this.take(result.snapshot);
      return noRefusals;
    }
    await this.attempts.failed(result.kind === 'unknown' ? result : reversalRefused);
    return noRefusals;
  }

  private async load(): Promise<RoundSnapshot | null> {
    const hashes = [...this.hashes];
    for (;;) {
      const result = await this.attempts.run((rounds) => rounds.load(this.round, hashes));
      if (result.kind === 'unknown') {
        await this.attempts.failed(result);
        return null;
      }
      // What a void takes back with its debit is known once the debit is loaded (D5.3).
      const needed = hashesNeeded(this.call.transactions, result.snapshot);
      if (needed.length === 0) return result.snapshot;
      if (needed.some((hash) => hashes.includes(hash))) throw new Error(missingRecord);
      hashes.push(...needed);
    }
  }

  /** Reads the player's accounts, if the commit did not return them. */
  private async readAccounts(): Promise<void> {
    while (
      this.snapshot !== null &&
      this.snapshot.accounts === undefined &&
      this.attempts.isWorthwhile
    ) {
      const result = await this.attempts.run((rounds) => rounds.accounts(this.round));
      if (result.kind === 'known') this.snapshot = withAccounts(this.snapshot, result.accounts);
      else await this.attempts.failed(result);
    }
  }

  /**
   * Whether the round is probably new: then the first trip may be the commit itself. A debit whose hash is
   * the gameRound is the first one (operator-api 3, rule 6). Of an old one the round is looked for first (D10.2).
   */
  private opensRound(): boolean {
    const [first] = this.call.transactions;
    if (first?.type !== 'debit' || mayBeForgotten(first, this.forgottenBefore)) return false;
    const isNative = first.hash === this.round.gameRound;
    return first.isFirstDebit ?? isNative;
  }

  private outcome(cause: Error | null): CallOutcome {
    const head = this.last?.head;
    return {
      verdicts: this.verdicts,
      admission: this.admission,
      unknown: cause === null ? null : { cause },
      accounts: cause === null ? (this.snapshot?.accounts ?? null) : null,
      currency: head?.currency ?? null,
      state: cause === null ? (head?.state ?? null) : null,
      notes: this.notes,
      ...(this.disallowed === null ? {} : { disallowed: this.disallowed }),
    };
  }
}

/** A reversal is never refused for funds (D5.2): a refusal here is not an outcome. */
const reversalRefused: Unknown = {
  kind: 'unknown',
  cause: new Error('The store refuses a reversal.'),
};
const missingRecord = 'The store does not have a record that a debit of the round names.';
const waitsForVoid = new Error('The call or its round waits for the void of a debit (D4.6, D7).');
const notAdmitted = new Error('The signature was used for another body before.');

const noRefusals: ReadonlyMap<string, MovementRefusal> = new Map();

/** The round as it is if this call opens it; otherwise the commit is stale. */
const assumedNew: RoundSnapshot = { head: unseenRound, entries: new Map(), accounts: null };

function withAccounts(
  { head, entries }: RoundSnapshot,
  accounts: readonly Account[] | null | undefined,
): RoundSnapshot {
  return accounts === undefined ? { head, entries } : { head, entries, accounts };
}
