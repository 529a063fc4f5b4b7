import {
  giveUpPending,
  type PendingPost,
  type RoundChange,
  type RoundHead,
  workOf,
} from '../../gameround';
import type { Purse } from '../../money';
import type { Account, CommitResult, LedgerDone, LedgerRefused, RoundKey } from '../../wallet';
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
} from './change-postings';
import type { LedgerCaller } from './ledger-caller';
import type { LedgerStoreSettings } from './options';
import { postingOf } from './posting-key';
import { finishReversals, hashesToReverse } from './reversals';

/**
 * Commits of one round whose money is in a ledger: the intent is durable before the first post,
 * and what the round then has pending is enough for anybody to go on with the same keys.
 */
export class LedgerCommits {
  /** Pending postings that the ledger refused, or that come after such a one: never posted. */
  private readonly unposted = new WeakSet<PendingPost>();

  constructor(
    private readonly settings: LedgerStoreSettings,
    private readonly caller: LedgerCaller,
  ) {}

  /** Nothing else of the round may be pending. @throws LedgerSilentError */
  async commit(round: RoundKey, change: RoundChange, until: AbortSignal): Promise<CommitResult> {
    if (holdsVoids(change)) return this.commitVoids(round, change, until);
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
    for (const [at, post] of posts.entries()) {
      if (!movesMoney(post) || !accepted.has(post.hash)) continue;
      this.unposted.delete(post);
      const answer = await this.post(round, post, intent.gameCode, until);
      if (answer.kind === 'refused') {
        for (const later of posts.slice(at)) this.unposted.add(later);
        return { kind: 'refused', hash: post.hash, reason: answer.reason, head: intent };
      }
      if (post.record.type === 'debit') paid.set(post.hash, paidBy(answer, amountOf(post)));
      accounts = answer.accounts;
    }
    await this.takeBackDeclined(round, posts, accepted, intent.gameCode, until);
    const result = await this.note(round, finishedChange(change, intent, posts, paid));
    if (result.kind !== 'committed' || accounts === undefined) return result;
    return { kind: 'committed', accounts };
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

  /** What was pending and is declined now may have been posted by somebody else. */
  private async takeBackDeclined(
    round: RoundKey,
    posts: readonly PendingPost[],
    accepted: ReadonlySet<string>,
    gameCode: string | null,
    until: AbortSignal,
  ): Promise<void> {
    for (const post of posts) {
      const isSafe = accepted.has(post.hash) || this.unposted.has(post) || !movesMoney(post);
      if (!isSafe) await this.caller.reverse(postingOf(round, post.hash, gameCode), until);
    }
  }

  /** The round is marked first, with all that is to be taken back; then it is taken back. */
  private async commitVoids(
    round: RoundKey,
    change: RoundChange,
    until: AbortSignal,
  ): Promise<CommitResult> {
    const { journal, clock } = this.settings;
    const { before } = change;
    const now = clock.now();
    const gameCode = change.after.gameCode ?? '';
    const givenUp = giveUpPending(before, { gameCode, now });
    if (givenUp !== null) {
      const result = await this.note(round, givenUp);
      return result.kind === 'committed' ? { kind: 'stale' } : result;
    }
    const hashes = await hashesToReverse(journal, round, change);
    if (hashes === null) return { kind: 'stale' };
    const isVoided = change.after.state === 'voided';
    const posts = isVoided ? [] : (before.pending?.posts ?? []);
    const after: RoundHead = {
      ...change.after,
      pending: workOf(before.pending?.since ?? now, posts, hashes),
    };
    const marked = await this.note(round, { ...change, after, movements: [] });
    if (marked.kind !== 'committed') return marked;
    const finished = await finishReversals(journal, this.caller, round, after, until);
    // Somebody else may have gone on with it: the next load tells whether it is done.
    return finished.kind === 'committed' ? { kind: 'committed' } : finished;
  }
}

/** Units that a debit takes, after its discount. */
function amountOf({ record }: PendingPost): bigint {
  return record.type === 'debit' ? record.amount - record.discount : 0n;
}
