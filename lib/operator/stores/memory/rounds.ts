import {
  type AccountBalance,
  type Movement,
  type NewRecord,
  type RoundChange,
  type RoundView,
  tellsNothing,
  withRecord,
} from '../../gameround';
import { noteOf } from '../../gameround/balances';
import { changeOf, type FollowUp } from '../../gameround/follow-up';
import {
  addPurses,
  emptyPurse,
  isInRange,
  type Purse,
  subtractPurses,
} from '../../../protocol/money/purse';
import {
  type AccountsResult,
  changedRepairs,
  type CommitResult,
  createRoundEvent,
  createRoundReport,
  type FollowResult,
  type LoadResult,
  type PlayerKey,
  type RoundKey,
  type RoundReport,
  type Rounds,
  type RoundSnapshot,
} from '../../wallet';
import type { Clock } from '../../../platform';
import { checkPlayerKey, checkRoundKey } from '../check-input';
import { needsWholeRound, takenBackOf } from '../../wallet/limits/moment';
import type { Accounts } from './accounts';
import type { Acts } from './acts';
import type { EventLog } from './event-log';
import { type StoredRound, type StoredRounds, viewOf } from './stored-rounds';

/** What the rounds of a memory store are made of. */
interface MemoryRoundsParts {
  readonly stored: StoredRounds;
  readonly accounts: Accounts;
  readonly log: EventLog;
  readonly acts: Acts;
  readonly clock: Clock;
  readonly decimals: number;
  readonly keepsBalances: boolean;
}

/** Each method works synchronously: that makes it atomic. */
export class MemoryRounds implements Rounds {
  constructor(private readonly parts: MemoryRoundsParts) {}

  async load(key: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return { kind: 'loaded', snapshot: this.snapshot(key, hashes) };
  }

  async commit(
    key: RoundKey,
    change: RoundChange,
    hashes?: readonly string[],
  ): Promise<CommitResult> {
    const { stored, accounts, log, acts, clock, decimals, keepsBalances } = this.parts;
    const now = clock.now();
    const version = stored.find(key, now)?.head.version ?? 0;
    if (version !== change.before.version) return this.stale(key, hashes);
    const { takenBack = [] } = change;
    const view = needsWholeRound(takenBack) ? this.wholeView(key) : null;
    const back = view === null ? takenBack : takenBackOf(takenBack, view);
    const trial = accounts.attempt(key, change.movements, now, back);
    if (trial.refused !== null) {
      return { kind: 'refused', hash: trial.hash, reason: trial.refused };
    }
    const debits = [...trial.taken.values()].reduce(addPurses, change.after.debits);
    const last = change.movements.at(-1);
    if (last !== undefined && !(isInRange(debits) && isInRange(change.after.credits))) {
      return { kind: 'refused', hash: last.hash, reason: 'outOfRange' };
    }
    accounts.write(key, trial);
    const round = stored.take(key, now);
    const records = change.records.map((item) => withTaken(item, trial.taken));
    for (const { hash, record } of records) {
      round.entries.set(hash, withRecord(round.entries.get(hash), record));
    }
    stored.update(round, { ...change.after, debits }, now);
    acts.committed(key, change);
    const left = accounts.list(key);
    if (keepsBalances) keepBalances(round, change, left);
    if (log.isOn && !tellsNothing(change)) {
      const { version: next, state, gameCode } = change.after;
      const all = [...change.movements, ...(change.elsewhere ?? [])];
      const movements = all.map((movement) => movedBy(movement, trial.taken));
      const { before, after, cause } = change;
      const repairs = changedRepairs(before.repairs, after.repairs);
      const committed = { round: key, version: next, state, gameCode, at: now, cause, repairs };
      const event = { ...committed, records, movements, accounts: left };
      log.add(createRoundEvent(event, decimals));
    }
    return { kind: 'committed', accounts: left };
  }

  async follow(key: RoundKey, followUp: FollowUp): Promise<FollowResult> {
    const snapshot = this.snapshot(key, followUp.hashes);
    const change = changeOf(followUp, snapshot);
    const result = change === null ? null : await this.commit(key, change);
    return result?.kind === 'committed' ? result : { kind: 'other', snapshot };
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return { kind: 'known', accounts: this.parts.accounts.list(player) };
  }

  async readRound(key: RoundKey): Promise<RoundReport | null> {
    checkRoundKey(key);
    const { stored, clock, decimals } = this.parts;
    const round = stored.find(key, clock.now());
    if (round === undefined) return null;
    const view = { head: round.head, entries: new Map(round.entries) };
    return createRoundReport(round.key, view, decimals, [...round.balances]);
  }

  private wholeView(key: RoundKey): RoundView | null {
    const round = this.parts.stored.find(key, this.parts.clock.now());
    return round === undefined ? null : { head: round.head, entries: round.entries };
  }

  private stale(key: RoundKey, hashes?: readonly string[]): CommitResult {
    if (hashes === undefined) return { kind: 'stale' };
    return { kind: 'stale', snapshot: this.snapshot(key, hashes) };
  }

  private snapshot(key: RoundKey, hashes: readonly string[]): RoundSnapshot {
    const { stored, accounts, clock } = this.parts;
    return { ...viewOf(stored.find(key, clock.now()), hashes), accounts: accounts.list(key) };
  }
}

/** A debit's record with what it took. */
function withTaken(item: NewRecord, taken: ReadonlyMap<string, Purse>): NewRecord {
  const { hash, record } = item;
  const purse = record.type === 'debit' ? taken.get(hash) : undefined;
  return purse === undefined || record.type !== 'debit'
    ? item
    : { ...item, record: { ...record, purse } };
}

/** What a movement added to each balance. */
function movedBy(movement: Movement, taken: ReadonlyMap<string, Purse>) {
  const { hash, currency } = movement;
  if (movement.kind !== 'take') return { hash, currency, purse: movement.purse };
  return { hash, currency, purse: subtractPurses(emptyPurse, taken.get(hash) ?? emptyPurse) };
}

/** Keeps what the accounts hold after a change, or what the ledger said that they do. */
function keepBalances(
  round: StoredRound,
  change: RoundChange,
  accounts: readonly AccountBalance[] | null,
): void {
  const note = noteOf(change);
  const held = change.balances === undefined ? accounts : change.balances;
  if (note === null || held === null) return;
  round.balances.push({ ...note, version: change.after.version, accounts: held });
}
