import {
  giveUpPending,
  onlyRewrites,
  type PendingPost,
  type RoundChange,
  type RoundHead,
  voidPending,
  workOf,
} from '../gameround';
import type { Purse } from '../../protocol/money';
import type { Account, CommitResult, LedgerDone, LedgerRefused, RoundKey } from '../wallet';
import { paidBy } from './answers';
import {
  acceptedBy,
  finishedChange,
  headWith,
  holdsMarks,
  holdsVoids,
  movesMoney,
  outOfRange,
  postingsOf,
  strangersTo,
  voidsUnanswered,
} from './change-postings';
import type { LedgerCaller } from './caller';
import type { LedgerStoreSettings } from './options';
import { postingOf } from '../wallet/posting-key';
import { finishReversals, hashesToReverse } from './reversals';

/**
 * Commits of one round whose money is in a ledger: the intent is durable before the first post,
 * and what the round then has pending is enough for anybody to go on with the same keys.
 */
export class LedgerCommits {
  /** Pending postings that the ledger refused: they are final, and nothing is to be taken back. */
  private readonly refused = new WeakSet<PendingPost>();

  constructor(
    private readonly settings: LedgerStoreSettings,
    private readonly caller: LedgerCaller,
  ) {}

  /** What another call has pending comes before all but voids and marks. @throws LedgerSilentError */
  async commit(round: RoundKey, change: RoundChange, until: AbortSignal): Promise<CommitResult> {
    if (onlyRewrites(change)) return this.note(round, change);
    if (holdsVoids(change) || voidsUnanswered(change)) {
      return this.commitVoids(round, change, until);
    }
    if (holdsMarks(change)) return this.note(round, change);
    return this.commitPostings(round, change, until);
  }

  /** Writes to the journal, which knows no accounts. */
  async note(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    const written = { ...change, movements: [] };
    const result = await this.settings.journal.commit(round, written);
    return result.kind === 'committed' ? { kind: 'committed' } : result;
  }

  /** The intent first, then the postings in their order, then the change itself. */
  private async commitPostings(
    round: RoundKey,
    change: RoundChange,
    until: AbortSignal,
  ): Promise<CommitResult> {
    const posts = postingsOf(change);
    if (change.before.pending === null && !posts.some(movesMoney)) return this.note(round, change);
    const intent = await this.writeIntent(round, change, posts, until);
    if ('kind' in intent) return intent;
    const paid = new Map<string, Purse>();
    const accepted = acceptedBy(change);
    let accounts: readonly Account[] | undefined;
    for (const post of posts) {
      if (!movesMoney(post) || !accepted.has(post.hash)) continue;
      const answer = await this.post(round, post, intent.gameCode, until);
      if (answer.kind === 'refused') {
        this.refused.add(post);
        return { kind: 'refused', hash: post.hash, reason: answer.reason, head: intent };
      }
      if (post.record.type === 'debit') paid.set(post.hash, paidBy(answer, amountOf(post)));
      accounts = answer.accounts;
    }
    const declined = posts.filter((post) => !accepted.has(post.hash) && this.mayBePosted(post));
    const finished = finishedChange(change, intent, { posts, paid, declined });
    const result = await this.note(round, finished);
    if (result.kind !== 'committed') return result;
    if (declined.length > 0) return this.takeBack(round, finished.after, until);
    return accounts === undefined ? result : { kind: 'committed', accounts };
  }

  /**
   * What was pending and is declined now may have been posted by somebody else. It is taken back
   * after the journal says that it is declined: before, that other might be the one to finish it.
   */
  private mayBePosted(post: PendingPost): boolean {
    return movesMoney(post) && !this.refused.has(post);
  }

  /** Somebody else may have gone on with it: the next load tells whether it is done. */
  private async takeBack(
    round: RoundKey,
    head: RoundHead,
    until: AbortSignal,
  ): Promise<CommitResult> {
    const { journal } = this.settings;
    const finished = await finishReversals(journal, this.caller, round, head, until);
    return finished.kind === 'committed' ? { kind: 'committed' } : finished;
  }

  /** The head with all postings written down as pending; or why they are not. */
  private async writeIntent(
    round: RoundKey,
    change: RoundChange,
    posts: readonly PendingPost[],
    until: AbortSignal,
  ): Promise<RoundHead | CommitResult> {
    const { before } = change;
    const known = new Set(before.pending?.posts);
    if (posts.every((post) => known.has(post))) return before;
    const excess = outOfRange(change);
    if (excess !== null) return { kind: 'refused', hash: excess, reason: 'outOfRange' };
    // A ledger that fails is tried with a question first, before anything is written down for it.
    if (this.caller.isBroken) await this.caller.balances(round, until);
    const after = headWith(change, posts, this.settings.clock.now());
    const result = await this.note(round, { before, after, records: [], movements: [] });
    return result.kind === 'committed' ? after : result;
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
   * Voids, or a debit whose void came before it and that voids the round: the round is marked first,
   * with all that is to be taken back; then it is taken back.
   */
  private async commitVoids(
    round: RoundKey,
    change: RoundChange,
    until: AbortSignal,
  ): Promise<CommitResult> {
    const { journal, clock } = this.settings;
    const { before } = change;
    const now = clock.now();
    const isVoided = change.after.state === 'voided';
    if (isVoided || strangersTo(change).length < (before.pending?.posts.length ?? 0)) {
      // What is voided is not driven any further; the rules then decide the void anew.
      const givenUp = giveUpPending(before, { gameCode: change.after.gameCode ?? '', now });
      const result = givenUp === null ? null : await this.note(round, givenUp);
      if (result !== null) return result.kind === 'committed' ? { kind: 'stale' } : result;
    }
    const hashes = await hashesToReverse(journal, round, change);
    if (hashes === null) return { kind: 'stale' };
    const posts = isVoided ? [] : strangersTo(change);
    const records = isVoided ? [...change.records, ...voidPending(before)] : change.records;
    const after: RoundHead = {
      ...change.after,
      pending: workOf(before.pending?.since ?? now, posts, hashes),
    };
    const marked = await this.note(round, { ...change, after, records });
    return marked.kind === 'committed' ? this.takeBack(round, after, until) : marked;
  }
}

/** Units that a debit takes, after its discount. */
function amountOf({ record }: PendingPost): bigint {
  return record.type === 'debit' ? record.amount - record.discount : 0n;
}
