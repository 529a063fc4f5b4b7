import type { MovementRefusal, RoundChange, RoundHead, RoundView } from '../gameround';
import type { FollowUp } from '../gameround/follow-up';
import type { AmountUnit } from '../../protocol/money/amount';
import type { ActList } from './acts';
import type { Minutes, Reconciliations, Totals } from './day-figures';
import type { EventSource } from './events';
import type { Account, Players } from './players';
import type { RoundHistory } from './lists/history';
import type { RepairList } from './lists/repairs';
import type { RoundLists } from './lists/waiting';
import type { PlayerKey, RoundKey } from './player/round-key';
import type { RoundReport } from './round-report';
import type { Unknown } from './player/store-errors';

export type { Unknown } from './player/store-errors';

/** A round at one moment, with the player's accounts at the same moment. */
export interface RoundSnapshot extends RoundView {
  /** Null if the player is unknown; absent if the store reads accounts separately. */
  readonly accounts?: readonly Account[] | null;
}

/** The answer to {@link Rounds.load}. */
export type LoadResult = { readonly kind: 'loaded'; readonly snapshot: RoundSnapshot } | Unknown;

/** The answer to {@link Rounds.commit}. */
export type CommitResult =
  /** Written and durable. `accounts` is absent if the store reads them separately. */
  | { readonly kind: 'committed'; readonly accounts?: readonly Account[] | null }
  /**
   * The round has changed since the decision; nothing was written. `snapshot`, only where `hashes` asked for
   * it, is what `load` of these would answer, as of a moment after that.
   */
  | { readonly kind: 'stale'; readonly snapshot?: RoundSnapshot }
  /**
   * The account refuses a movement, and the change was not written. If the store cannot move several at
   * once, `head` is the round's head now: with the movements before the refused one pending, for the next
   * decision, which knows the refusal.
   */
  | {
      readonly kind: 'refused';
      readonly hash: string;
      readonly reason: MovementRefusal;
      readonly head?: RoundHead;
    }
  | Unknown;

/** The answer to {@link Rounds.follow}. */
export type FollowResult =
  /** Written and durable, as a commit of it. */
  | Extract<CommitResult, { readonly kind: 'committed' }>
  /**
   * Nothing was written: the round is not of the class, knows a hash of it, changed while the store waited
   * for it, or the account refuses a movement. `snapshot` is what `load` of these hashes would answer, as of
   * that moment.
   */
  | { readonly kind: 'other'; readonly snapshot: RoundSnapshot }
  | Unknown;

/** The answer to {@link Rounds.accounts}; `accounts` is null if the player is unknown. */
export type AccountsResult =
  | { readonly kind: 'known'; readonly accounts: readonly Account[] | null }
  | Unknown;

/**
 * The rounds of a store, and the money that they move. A store guards, writes and reads; it knows no rule but who pays a
 * debit first (`splitDebit`).
 *
 * Each method states what it must guarantee and what breaks otherwise. No method throws for a server that
 * is silent, late or in doubt: that is `unknown` (D7). They throw InvalidInputError for a wrong text, TypeError for other wrong use.
 */
export interface Rounds {
  /**
   * The head of a round, only the records of these hashes, and the accounts, as of one moment. Reads the
   * latest commit, never a stale replica.
   */
  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult>;

  /**
   * Writes the change with all its movements if the round's version is still that of `change.before`. A
   * `take` is split by the balances at that moment; the split is stored in the debit's record and added to
   * the head's `debits`. Answers `committed` only once durable, and with a higher version. A second
   * execution must change nothing: the version guarantees that.
   *
   * With `hashes`, a stale answer may bring along what a load of them would answer, which saves the caller a
   * trip. A store need not; without them it must not.
   */
  commit(round: RoundKey, change: RoundChange, hashes?: readonly string[]): Promise<CommitResult>;

  /**
   * Optional: adds to a round what was decided without reading it, in one trip. In one moment with what it
   * writes it makes sure that the head is one of the class (`isOfClass`) and that none of the hashes is
   * known, neither as transaction nor as void; `changeOf` says all of that. It then does what a commit of
   * that change does. If any of this is not so, it writes nothing. A second execution, however late, must
   * write nothing: each hash of the first one is known. A store without it is loaded from.
   */
  readonly follow?: ((round: RoundKey, followUp: FollowUp) => Promise<FollowResult>) | undefined;

  /** The player's accounts as of one moment. */
  accounts(player: PlayerKey): Promise<AccountsResult>;

  /**
   * A whole round, built by `createRoundReport`; null if nothing is known of it.
   * @throws StoreUnavailableError
   */
  readRound(round: RoundKey): Promise<RoundReport | null>;
}

/** A setting of the store's server that money depends on. */
export interface CheckedSetting {
  /** As the server calls it. */
  readonly name: string;
  /** Null where the store's user may not read it. */
  readonly value: string | null;
  /** What it must be, in words. */
  readonly needs: string;
  /** False also where the server has no such setting; null where its value may not be read. */
  readonly isMet: boolean | null;
  /** What a wrong value does to money: `a crash loses money that was acknowledged`. */
  readonly otherwise: string;
}

/** The server of a store. */
export interface StoreServer {
  /** Optional: the settings that money depends on, as the last server check found them; empty before the first one. */
  readonly settings?: readonly CheckedSetting[];

  /**
   * Its wall clock, in milliseconds since 1970; null if the store's user may not ask. The router compares its own
   * clock with it.
   * @throws StoreUnavailableError
   */
  time(): Promise<number | null>;

  /** How many acknowledged commits the store has found missing after it connected anew; for the metrics. */
  readonly lostCommits: number;
}

/** A wallet's store, by its parts. What it cannot do is absent. */
export interface WalletStore {
  /** Decimals kept: one unit is 10^-decimals of the currency (D2.5). */
  readonly decimals: number;
  /** What 1 is in an amount of a call (D2.5). A store around another one has the same: else the money of a call is another. */
  readonly unit: AmountUnit;

  readonly rounds: Rounds;

  readonly lists: RoundLists;

  /** Absent if the players' money is elsewhere: in a ledger, or in tables of the platform's own. */
  readonly players?: Players | undefined;

  /** Without them nothing can follow the store's commits. */
  readonly events?: EventSource | undefined;

  /** Without them no day figures are kept. */
  readonly totals?: Totals | undefined;

  /** Without them the result of `rgs-wallet reconcile` cannot be saved. */
  readonly reconciliations?: Reconciliations | undefined;

  /** Without them a process shows what it counted itself. */
  readonly minutes?: Minutes | undefined;

  /** Without it a player's rounds cannot be listed. */
  readonly history?: RoundHistory | undefined;

  /** Without them no repair can be proposed. */
  readonly repairs?: RepairList | undefined;

  /** Without it nothing lists what people did. */
  readonly acts?: ActList | undefined;

  /** Absent if the store is in this process. */
  readonly server?: StoreServer | undefined;

  /**
   * Optional: how long rounds that are over are kept at least, in milliseconds; of a retention that was raised, the
   * shorter one until the longer has passed. An initial debit that is older is refused (D10.2). Without it none is: a
   * round that the store has forgotten is then played again if its call is.
   */
  readonly retentionMs?: (() => number) | undefined;

  /**
   * Resolves once the server check has passed.
   * @throws StoreUnsafeError that names the setting and what is at stake, StoreUnavailableError.
   */
  ready(): Promise<void>;

  /** Releases everything the store owns; operations in flight may end as `unknown`. */
  close(): Promise<void>;
}

/** The lists of a journal: they have the rounds with pending work too. */
export interface JournalLists extends RoundLists {
  unfinished(operatorId: string): AsyncIterable<RoundKey>;
}

/**
 * The rounds of a store, without money: a ledger store keeps its intents there. Every store that keeps
 * money is also a journal. It never sees a movement: the changes committed here have none.
 */
export interface RoundJournal extends Omit<WalletStore, 'rounds'> {
  readonly rounds: Omit<Rounds, 'accounts'>;

  readonly lists: JournalLists;

  /**
   * Optional: `createLedgerStore` calls it at once, before anything else. From then on `ready` refuses data in which
   * a store kept accounts, and a store refuses the journal's data for accounts. Breaks otherwise: a void of a round from
   * before is answered as done, and pays nobody.
   */
  keepForLedger?(): void;
}

/**
 * A store that keeps the players' money itself. Its commits are all or nothing: if one movement is
 * refused, none was made.
 */
export interface AccountStore extends RoundJournal {
  readonly rounds: Rounds;
  readonly players: Players;
}

/** What the stores of this package in memory, Redis and PostgreSQL are: an account store with every part. */
export interface FullStore extends AccountStore {
  readonly players: Required<Players>;
  readonly events: EventSource;
  readonly totals: Totals;
  readonly reconciliations: Reconciliations;
  readonly minutes: Minutes;
  readonly history: RoundHistory;
  readonly repairs: RepairList;
  readonly acts: ActList;
}

/** What is wrapped: `readRound` is for people, and passed on. */
export type RoundsOperation = 'load' | 'commit' | 'follow' | 'accounts';

/** What a commit or a follow-up writes. */
export type Written = Pick<RoundChange, 'records' | 'movements'>;

/** Does the work of one operation; `written` is there for a commit and a follow-up. */
export type Around = <T extends { readonly kind: string }>(
  operation: RoundsOperation,
  work: () => Promise<T>,
  written?: Written,
) => Promise<T | Unknown>;

/** The same rounds, with something done around each operation. */
export function aroundRounds(rounds: Rounds, around: Around): Rounds {
  const follow = rounds.follow?.bind(rounds);
  return {
    load: (round, hashes) => around('load', () => rounds.load(round, hashes)),
    commit: (round, change, hashes) =>
      around('commit', () => rounds.commit(round, change, hashes), change),
    follow:
      follow && ((round, followUp) => around('follow', () => follow(round, followUp), followUp)),
    accounts: (player) => around('accounts', () => rounds.accounts(player)),
    readRound: (round) => rounds.readRound(round),
  };
}
