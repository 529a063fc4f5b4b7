import { addPurses, type Purse, subtractPurses } from '../../../protocol/money/purse';
import { workOf } from '../pending';
import {
  type CreditRecord,
  noTexts,
  type PendingPost,
  type PendingWork,
  type Repair,
  type RoundHead,
} from '../round';
import { isRepairHash, repairHash } from '../repair';
import { type Movement, type NewRecord, onlyRewrites, type RoundChange } from '../change';

/** What a change requires if the money is in the platform's own ledger. In order of precedence. */
export type LedgerPlan =
  /**
   * Another call has pending work that this change does not decide: all pending work comes first. If it
   * includes a debit, it cannot be sped up.
   */
  | { readonly kind: 'waits'; readonly forDebit: boolean }
  /** It takes money back, or may have to: first the round is marked, then the ledger reverses. */
  | VoidPlan
  /** It moves nothing: marks of D7, refusals, ends, rewritten records. */
  | { readonly kind: 'marks'; readonly change: RoundChange }
  /** First the intent is written, then posted, then the change is written. */
  | PostPlan;

/** A change that voids. */
export interface VoidPlan {
  readonly kind: 'voids';
  readonly change: RoundChange;
  /** Pending work of other calls; a change that voids the round ends that too. */
  readonly others: readonly PendingPost[];
}

/** A change with postings. */
export interface PostPlan {
  readonly kind: 'posts';
  readonly change: RoundChange;
  /** Everything pending once the intent is written, in order. */
  readonly posts: readonly PendingPost[];
  /** Those to post at the ledger: accepted ones that move money. */
  readonly wanted: readonly PendingPost[];
  /** Those that were pending and are no longer accepted: another process may have posted them. */
  readonly declined: readonly PendingPost[];
}

/** Classifies a change, once for the whole commit. */
export function ledgerPlanOf(change: RoundChange): LedgerPlan {
  const holdsVoids = writes(change, ({ record }) => record.type === 'void');
  const holdsMarks = writes(change, ({ record }) => isMark(record));
  const others = pendingOfOtherCalls(change);
  const isApart = holdsVoids || holdsMarks || onlyRewrites(change);
  if (!isApart && others.length > 0) return waitFor(change.before);
  if (holdsVoids || takesBack(change)) return { kind: 'voids', change, others };
  if (isApart) return { kind: 'marks', change };
  return postPlanOf(change);
}

function waitFor({ pending }: RoundHead): LedgerPlan {
  return { kind: 'waits', forDebit: holdsDebit(pending?.posts ?? []) };
}

function postPlanOf(change: RoundChange): LedgerPlan {
  const posts = postsOf(change);
  const moving = posts.filter(movesMoney);
  if (change.before.pending === null && moving.length === 0) return { kind: 'marks', change };
  const accepted = new Set(change.records.filter(isAccepted).map(({ hash }) => hash));
  for (const { hash } of repairsPaid(change)) accepted.add(hash);
  return {
    kind: 'posts',
    change,
    posts,
    wanted: moving.filter(({ hash }) => accepted.has(hash)),
    declined: moving.filter(({ hash }) => !accepted.has(hash)),
  };
}

/** Any change may rewrite known records, so they do not classify it. */
function writes({ records }: RoundChange, isSuch: (item: NewRecord) => boolean): boolean {
  return records.some((item) => !item.isRewritten && isSuch(item));
}

/** Whether a record marks a debit that was answered as unknown (D7). */
function isMark(record: NewRecord['record']): boolean {
  return record.type === 'debit' && record.outcome === 'unanswered';
}

/** Whether a change voids a round with unanswered debits, which may have been taken (D5.5), or with repairs (D11.4). */
function takesBack({ before, after }: RoundChange): boolean {
  if (after.state !== 'voided' || before.state === 'voided') return false;
  return before.unanswered > 0 || after.repairs !== before.repairs;
}

function pendingOfOtherCalls(change: RoundChange): readonly PendingPost[] {
  const { before, records } = change;
  const named = new Set([...records.map(({ hash }) => hash), ...repairsSettled(change)]);
  return before.pending?.posts.filter(({ hash }) => !named.has(hash)) ?? [];
}

/** Whether a debit is among them. */
export function holdsDebit(posts: readonly PendingPost[]): boolean {
  return posts.some(({ record }) => record.type === 'debit');
}

/** The pending posts of a change, in order: what it accepts, and what was pending and is no longer accepted. */
function postsOf(change: RoundChange): readonly PendingPost[] {
  const known = new Map(change.before.pending?.posts.map((post) => [post.hash, post]));
  const debits = debitsBefore(change);
  const own = change.records.flatMap((item) => {
    if (item.isRewritten) return [];
    const post = knownPost(item, known) ?? newPost(item, change, debits.get(item.hash) ?? null);
    return post === null ? [] : [post];
  });
  return [...own, ...repairsPaid(change).map((paid) => known.get(paid.hash) ?? repairPost(paid))];
}

/** What repairs of a change pay (D11.3): posted as credits are, under their own keys. */
function repairsPaid({ movements }: RoundChange): readonly RepairMovement[] {
  return movements.filter((one): one is RepairMovement => {
    return one.kind === 'give' && isRepairHash(one.hash);
  });
}

type RepairMovement = Extract<Movement, { readonly kind: 'give' }>;

/** Hashes of repairs with a posting that is pending before a change and not after it. */
function repairsSettled({ before, after }: RoundChange): string[] {
  const left = new Set(payingIn(after));
  return payingIn(before).filter((hash) => !left.has(hash));
}

function payingIn({ repairs }: RoundHead): string[] {
  const paying = repairs?.list.filter(({ status }) => status === 'paying') ?? [];
  return paying.map(({ id }) => repairHash(id));
}

function repairPost({ hash, currency, purse }: RepairMovement): PendingPost {
  const record: CreditRecord = {
    type: 'credit',
    outcome: 'pending',
    currency,
    amount: purse.real + purse.bonus,
    serial: null,
    purse,
    at: 0,
    fingerprints: noTexts,
  };
  return { hash, record, bonusFirst: false, behind: null };
}

/** Pending content stays as written, except for the calls that named it first since (D1.8). */
function knownPost(
  { hash, record }: NewRecord,
  known: ReadonlyMap<string, PendingPost>,
): PendingPost | null {
  const post = known.get(hash);
  if (post === undefined || post.record.fingerprints === record.fingerprints) return post ?? null;
  return { ...post, record: { ...post.record, fingerprints: record.fingerprints } };
}

function newPost(
  { hash, record }: NewRecord,
  { movements }: RoundChange,
  behind: string | null,
): PendingPost | null {
  if (record.type === 'void' || record.outcome !== 'accepted') return null;
  const take = movements.find((movement) => movement.kind === 'take' && movement.hash === hash);
  const bonusFirst = take?.kind === 'take' && take.bonusFirst;
  // The posts keep what follows a pending debit until both are recorded.
  const own = record.type === 'debit' ? { ...record, behind: noTexts } : record;
  return { hash, record: { ...own, outcome: 'pending' }, bonusFirst, behind };
}

/** By hash of a credit or an end: the follow-up debit before it (D5.3). */
function debitsBefore({ records }: RoundChange): ReadonlyMap<string, string> {
  const debits = new Map<string, string>();
  for (const { hash, record } of records) {
    if (record.type !== 'debit') continue;
    for (const behind of record.behind) debits.set(behind, hash);
  }
  return debits;
}

/** Whether it is posted at the ledger: always a debit, a credit above 0, never an end. */
function movesMoney({ record }: PendingPost): boolean {
  if (record.type !== 'credit') return record.type === 'debit';
  return record.purse.real !== 0n || record.purse.bonus !== 0n;
}

function isAccepted({ record }: NewRecord): boolean {
  return record.type !== 'void' && record.outcome === 'accepted';
}

/** The head with all postings of a plan pending; `before` itself if they are already. */
export function intentOf({ change, posts }: PostPlan, now: number): RoundHead {
  const { before, after } = change;
  const known = new Set(before.pending?.posts);
  if (posts.every((post) => known.has(post))) return before;
  const { since = now, reversals = [] }: Partial<PendingWork> = before.pending ?? {};
  return {
    ...before,
    version: before.version + 1,
    gameCode: before.gameCode ?? after.gameCode,
    pending: workOf(since, posts, reversals),
    ...payingRepairs(change, posts),
  };
}

/** The process that finishes the posting of a repair must find who approved it. */
function payingRepairs(
  { before, after }: RoundChange,
  posts: readonly PendingPost[],
): Partial<RoundHead> {
  const hashes = new Set(posts.map(({ hash }) => hash));
  if (after.repairs === undefined || !posts.some(({ hash }) => isRepairHash(hash))) return {};
  const list = after.repairs.list.map((repair): Repair => {
    return hashes.has(repairHash(repair.id)) ? { ...repair, status: 'paying' } : repair;
  });
  return { repairs: { list, closed: before.repairs?.closed ?? null } };
}

/** The result of the postings of a plan. */
export interface Posted {
  /** What each debit took, by hash. */
  readonly paid: ReadonlyMap<string, Purse>;
  /** The declined ones to take back: all that the ledger has not refused. */
  readonly declined: readonly PendingPost[];
}

/** The change after its postings, on the current head; pending is only what is to be taken back. */
export function finishedChange(
  { change, posts }: PostPlan,
  head: RoundHead,
  { paid, declined }: Posted,
): RoundChange {
  let { debits, credits } = change.after;
  const given = new Map(posts.map(({ hash, record }) => [hash, record]));
  const records = change.records.map((item): NewRecord => {
    const { hash, record } = item;
    if (record.type === 'void' || record.outcome !== 'accepted' || item.isRewritten) return item;
    const pending = given.get(hash);
    if (record.type === 'debit') {
      const purse = paid.get(hash) ?? record.purse;
      debits = addPurses(debits, purse);
      return { hash, record: { ...record, purse } };
    }
    if (record.type === 'end' || pending?.type !== 'credit') return { hash, record };
    credits = addPurses(credits, subtractPurses(pending.purse, record.purse));
    return { hash, record: { ...record, purse: pending.purse } };
  });
  const { since = 0, reversals = [] }: Partial<PendingWork> = head.pending ?? {};
  const after: RoundHead = {
    ...change.after,
    version: head.version + 1,
    debits,
    credits,
    pending: workOf(since, [], [...reversals, ...declined.map(({ hash }) => hash)]),
  };
  const elsewhere = [...postedBy(records), ...paidBy(posts)];
  return { before: head, after, records, movements: [], elsewhere, cause: change.cause };
}

type Elsewhere = NonNullable<RoundChange['elsewhere']>;

/** What the ledger has paid for repairs, which have no record. */
function paidBy(posts: readonly PendingPost[]): Elsewhere {
  return posts.flatMap(({ hash, record }): Elsewhere => {
    if (!isRepairHash(hash) || record.type !== 'credit') return [];
    return [{ kind: 'give', hash, currency: record.currency, purse: record.purse }];
  });
}

/** What the ledger has moved for these records; what a debit took counts as negative. */
function postedBy(records: readonly NewRecord[]): Elsewhere {
  return records.flatMap(({ hash, record, isRewritten }): Elsewhere => {
    if (isRewritten || record.type === 'void' || record.type === 'end') return [];
    if (record.outcome !== 'accepted') return [];
    const { type, currency, purse } = record;
    if (type === 'credit') return [{ kind: 'give', hash, currency, purse }];
    const added = { real: -purse.real, bonus: -purse.bonus };
    return [{ kind: 'reverse', hash, currency, purse: added }];
  });
}
