import {
  type CommitCause,
  isRepairHash,
  type Movement,
  type PendingPost,
  type RoundChange,
  type RoundHead,
} from '../gameround';
import {
  finishedChange,
  intentOf,
  type LedgerPlan,
  ledgerPlanOf,
  type PostPlan,
  type VoidPlan,
} from '../gameround/ledger/plan';
import { givenUpFor, reversalsOf, voidedChange } from '../gameround/ledger/voids';
import { isTooLow, outOfRange } from '../gameround/ledger/range';
import type { Purse } from '../../protocol/money/purse';
import type { Account, CommitResult, LedgerDone, LedgerRefused, RoundKey } from '../wallet';
import { paidBy } from './answers';
import { type LedgerCaller, unknownBecause } from './caller';
import type { LedgerStoreSettings } from './options';
import { postingOf } from '../wallet/ledger';
import { finishReversals, knownForReversals } from './reversals';

/** The ledger's answers to the postings of a commit. */
type PostedAll =
  | {
      readonly kind: 'posted';
      readonly paid: ReadonlyMap<string, Purse>;
      readonly accounts: readonly Account[] | undefined;
    }
  | Extract<CommitResult, { kind: 'refused' }>;

/**
 * Commits of a round with its money in a ledger. The intent is durable before the first post, and the round's
 * pending work is enough for any process to continue with the same keys.
 */
export class LedgerCommits {
  /** Pending postings that the ledger refused: that is final, and nothing is to be taken back. */
  private readonly refused = new WeakSet<PendingPost>();

  constructor(
    private readonly settings: LedgerStoreSettings,
    private readonly caller: LedgerCaller,
  ) {}

  /** Does the work of the change. @throws LedgerSilentError */
  async commit(
    round: RoundKey,
    change: RoundChange,
    until: AbortSignal,
  ): Promise<CommitResult | Extract<LedgerPlan, { kind: 'waits' }>> {
    const plan = ledgerPlanOf(change);
    switch (plan.kind) {
      case 'waits':
        return plan;
      case 'voids':
        return this.commitVoids(round, plan, until);
      case 'marks':
        return this.note(round, change);
      case 'posts':
        return this.commitPosts(round, plan, until);
    }
  }

  /** Writes to the journal. The accounts in the result are those that the ledger answered. */
  async note(
    round: RoundKey,
    change: RoundChange,
    balances: readonly Account[] | null = null,
  ): Promise<CommitResult> {
    const noted = { ...withoutMovements(change), balances };
    return withoutAccounts(await this.settings.journal.rounds.commit(round, noted));
  }

  /** Writes the intent first, then posts in order, then writes the change itself. */
  private async commitPosts(
    round: RoundKey,
    plan: PostPlan,
    until: AbortSignal,
  ): Promise<CommitResult> {
    const intent = await this.writeIntent(round, plan, until);
    if ('kind' in intent) return intent;
    const posted = await this.postAll(round, plan, intent, until);
    if (posted.kind === 'refused') return posted;
    const { paid, accounts } = posted;
    const declined = plan.declined.filter((post) => !this.refused.has(post));
    const finished = finishedChange(plan, intent, { paid, declined });
    const result = await this.note(round, finished, declined.length > 0 ? null : accounts);
    if (result.kind === 'stale' && intent !== plan.change.before && paysRepair(plan)) {
      return finishedElsewhere;
    }
    if (result.kind !== 'committed') return result;
    // Only once the journal has the decline: until then, another process may finish the posting.
    if (declined.length > 0) return this.takeBack(round, finished.after, until, finished.cause);
    return accounts === undefined ? result : { kind: 'committed', accounts };
  }

  /** Voids: first marks the round with everything to take back, then takes it back. */
  private async commitVoids(
    round: RoundKey,
    plan: VoidPlan,
    until: AbortSignal,
  ): Promise<CommitResult> {
    const { journal, clock } = this.settings;
    const now = clock.now();
    const givenUp = givenUpFor(plan, now);
    if (givenUp !== null) {
      const result = await this.note(round, { ...givenUp, cause: plan.change.cause });
      return result.kind === 'committed' ? { kind: 'stale' } : result; // the void is decided again
    }
    const known = await knownForReversals(journal, round, plan);
    if (known === null) return { kind: 'stale' };
    const voided = voidedChange(plan, reversalsOf(plan, known), now);
    const marked = await this.note(round, voided);
    return marked.kind === 'committed'
      ? this.takeBack(round, voided.after, until, voided.cause)
      : marked;
  }

  /** Writes all postings as pending and returns that head; or why it could not. */
  private async writeIntent(
    round: RoundKey,
    plan: PostPlan,
    until: AbortSignal,
  ): Promise<RoundHead | CommitResult> {
    const { before } = plan.change;
    const after = intentOf(plan, this.settings.clock.now());
    if (after === before) return before;
    const excess = outOfRange(plan.change);
    if (excess !== null) return this.refuseExcess(round, plan.change, excess, until);
    // If the ledger is failing, a query tests it first, before anything is written for it.
    if (this.caller.isBroken) await this.caller.balances(round, until);
    const { cause } = plan.change;
    const result = await this.note(round, { before, after, records: [], movements: [], cause });
    return result.kind === 'committed' ? after : result;
  }

  /** Nothing is posted. A debit above the funds is refused as such, as the ledger itself would. */
  private async refuseExcess(
    round: RoundKey,
    change: RoundChange,
    excess: Movement,
    until: AbortSignal,
  ): Promise<CommitResult> {
    const { kind, hash } = excess;
    const accounts = kind === 'take' ? await this.caller.balances(round, until) : null;
    const reason = isTooLow(change, excess, accounts) ? 'tooLow' : 'outOfRange';
    return { kind: 'refused', hash, reason };
  }

  /** Posts until the first refusal; the rest is not posted. */
  private async postAll(
    round: RoundKey,
    { wanted }: PostPlan,
    intent: RoundHead,
    until: AbortSignal,
  ): Promise<PostedAll> {
    const paid = new Map<string, Purse>();
    let accounts: readonly Account[] | undefined;
    for (const post of wanted) {
      const { hash, record } = post;
      const answer = await this.post(round, post, intent.gameCode, until);
      if (answer.kind === 'refused') {
        this.refused.add(post);
        return { kind: 'refused', hash, reason: answer.reason, head: intent };
      }
      if (record.type === 'debit') paid.set(hash, paidBy(answer, amountOf(post)));
      accounts = answer.accounts;
    }
    return { kind: 'posted', paid, accounts };
  }

  private post(
    round: RoundKey,
    post: PendingPost,
    gameCode: string | null,
    until: AbortSignal,
  ): Promise<LedgerDone | LedgerRefused> {
    const { hash, record, bonusFirst } = post;
    const posting = postingOf(round, hash, gameCode);
    if (record.type === 'credit') {
      const { currency, purse } = record;
      return this.caller.credit({ ...posting, currency, purse }, until);
    }
    const currency = record.type === 'debit' ? record.currency : '';
    return this.caller.debit({ ...posting, currency, amount: amountOf(post), bonusFirst }, until);
  }

  /**
   * Takes back what the head has marked. The mark is durable, so another process may make the reversals too: if
   * nothing is left to reverse, the commit counts as made.
   */
  private async takeBack(
    round: RoundKey,
    marked: RoundHead,
    until: AbortSignal,
    cause?: CommitCause,
  ): Promise<CommitResult> {
    const { journal } = this.settings;
    let head = marked;
    for (;;) {
      const finished = await finishReversals(journal, this.caller, round, head, until, cause);
      if (finished.kind !== 'stale') return withoutAccounts(finished);
      const now = await journal.rounds.load(round, []);
      if (now.kind === 'unknown') return now;
      ({ head } = now.snapshot);
      if ((head.pending?.reversals ?? []).length === 0) return { kind: 'committed' };
    }
  }
}

/** A journal's result: it has no accounts. */
function withoutAccounts(result: CommitResult): CommitResult {
  return result.kind === 'committed' ? { kind: 'committed' } : result;
}

function paysRepair({ wanted }: PostPlan): boolean {
  return wanted.some(({ hash }) => isRepairHash(hash));
}

/**
 * The approval of a repair is durable with its intent, and another process may finish it. The approver's call
 * reads the round again and finds its own approval (D11.2).
 */
const finishedElsewhere: CommitResult = unknownBecause(
  new Error('Another process continues the posting of the repair.'),
);

/** Units that a debit takes, after its discount. */
function amountOf({ record }: PendingPost): bigint {
  return record.type === 'debit' ? record.amount - record.discount : 0n;
}

/** The change for the journal, which moves nothing: with what the ledger moves, for its event. */
function withoutMovements(change: RoundChange): RoundChange {
  const moved = change.movements.flatMap((movement) =>
    movement.kind === 'take' ? [] : [movement],
  );
  return { ...change, movements: [], elsewhere: [...(change.elsewhere ?? []), ...moved] };
}
