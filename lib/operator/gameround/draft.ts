import type { Transaction } from '../../protocol/operator-api/transaction';
import { afterStuck } from './void';
import { type Delivery, noDelivery, type Ruling, type Verdict } from './verdict';
import { withFingerprint } from './admission';
import { knownOf, pendingPostOf } from './pending';
import { carriedOn } from './repair';
import type { HashEntry, RoundHead, RoundView } from './round';
import {
  type Movement,
  type NewRecord,
  onlyGuards,
  type RoundChange,
  type TakenBack,
  withRecord,
} from './change';

/** The call of a draft. */
interface DraftCall {
  readonly gameCode: string;
  /** The call's first transaction: its record keeps the guard of the call's signature (D1.8). */
  readonly first: Transaction;
  readonly delivery: Delivery;
}

/** The round as a step changes it. */
export class Draft {
  head: RoundHead;
  takes = false;
  readonly verdicts: Verdict[] = [];
  readonly notes: string[] = [];
  private readonly fresh = new Map<string, HashEntry>();
  private readonly records: NewRecord[] = [];
  private readonly movements: Movement[] = [];
  private takenBack: TakenBack[] | null = null;
  /** By hash of a debit: what was first accepted after it (D5.3). */
  private behind: Map<string, string[]> | null = null;

  /** @param debit The call's latest debit, if it is a follow-up that a void may take back. */
  constructor(
    private readonly view: RoundView,
    private readonly call: DraftCall,
    public debit: string | null,
  ) {
    this.head = view.head;
  }

  entry(hash: string): HashEntry | undefined {
    return this.fresh.get(hash) ?? knownOf(this.view, hash);
  }

  add({ type, hash }: Transaction, ruling: Ruling): void {
    const { verdict, head, record, also, movement, alsoMoved, takenBack, note } = ruling;
    const before = this.head.state;
    this.verdicts.push(verdict);
    this.head = head;
    if (record !== undefined) this.write({ hash, record });
    for (const one of also ?? []) this.write(one);
    if (movement !== undefined) this.movements.push(movement);
    if (alsoMoved !== undefined) this.movements.push(...alsoMoved);
    if (takenBack !== undefined) (this.takenBack ??= []).push(...takenBack);
    if (movement?.kind === 'take') this.takes = true;
    if (note !== undefined) this.notes.push(note);
    if (type === 'debit') {
      this.debit = this.followUp(hash, verdict);
      this.noteAnswered(hash, verdict);
    } else if (type !== 'void' && record !== undefined) {
      const isStuck = before !== head.state && verdict.outcome === 'refused';
      if (verdict.outcome === 'processed' || isStuck) this.noteBehind(hash, hash);
      else if (type === 'credit') this.noteAfterStuck(hash);
    }
  }

  /** Whether the transaction needs another step: a step writes either voids or other transactions. */
  isApartFrom({ type }: Transaction): boolean {
    const [written] = this.records;
    return written !== undefined && (written.record.type === 'void') !== (type === 'void');
  }

  /** What the step writes; null if nothing new is known. */
  change(): RoundChange | null {
    this.writeBehind();
    this.noteFingerprint();
    if (this.records.length === 0) return null;
    const before = this.view.head;
    const after = {
      ...this.head,
      version: before.version + 1,
      gameCode: before.gameCode ?? this.call.gameCode,
    };
    const written = { before, after, records: this.records, movements: this.movements };
    const { takenBack } = this;
    const change = takenBack === null ? written : { ...written, takenBack };
    const { repairs } = before;
    if (repairs === undefined || !onlyGuards(change, this.view)) return change;
    return { ...change, after: { ...after, repairs: carriedOn(repairs, before.version) } };
  }

  private write(item: NewRecord): void {
    this.fresh.set(item.hash, withRecord(this.entry(item.hash), item.record));
    this.records.push(item);
  }

  /**
   * The debit that takes the next transactions back with it; null for a first debit, whose void takes back the
   * round.
   */
  private followUp(hash: string, { outcome }: Verdict): string | null {
    const entry = this.entry(hash);
    const isFollowUp = entry?.transaction?.type === 'debit' && !entry.transaction.first;
    return outcome === 'processed' && isFollowUp ? hash : null;
  }

  /**
   * A debit of another delivery that is answered now belongs to no delivery any more: the RGS may have this
   * answer, so the other delivery must not mark the debit (D7).
   */
  private noteAnswered(hash: string, verdict: Verdict): void {
    const known = this.view.entries.get(hash)?.transaction;
    if (verdict.outcome === 'unknown' || !verdict.replay || known?.type !== 'debit') return;
    if (known.delivery === noDelivery || known.delivery === this.call.delivery.id) return;
    if (known.outcome === 'unanswered' || known.outcome === 'pending') return;
    this.rewrite(hash, { ...known, delivery: noDelivery });
    this.fresh.set(hash, withRecord(this.entry(hash), { ...known, delivery: noDelivery }));
  }

  private noteBehind(hash: string, note: string): void {
    const debit = this.debitBefore(hash);
    if (debit === null || this.entry(debit)?.void !== undefined) return;
    this.behind ??= new Map();
    const known = this.behind.get(debit);
    if (known === undefined) this.behind.set(debit, [note]);
    else known.push(note);
  }

  /** A credit that was refused because an earlier one after the same debit stranded the round (D11.4). */
  private noteAfterStuck(hash: string): void {
    const { stuckBy } = this.head;
    const noted = this.behind?.get(this.debitBefore(hash) ?? '');
    if (stuckBy !== undefined && noted?.includes(stuckBy)) this.noteBehind(hash, afterStuck(hash));
  }

  /** A pending credit or end follows the debit of the call that wrote it. */
  private debitBefore(hash: string): string | null {
    const pending = pendingPostOf(this.view.head, hash);
    return pending === undefined ? this.debit : pending.behind;
  }

  private writeBehind(): void {
    if (this.behind === null) return;
    for (const [debit, hashes] of this.behind) {
      const record = this.entry(debit)?.transaction;
      if (record?.type !== 'debit')
        throw new Error('The debit of a pending credit was not loaded.');
      if (record.outcome === 'pending') continue;
      const rewritten = { ...record, behind: [...record.behind, ...hashes] };
      this.rewrite(debit, rewritten);
      this.fresh.set(debit, withRecord(this.entry(debit), rewritten));
    }
  }

  /** Adds the call's fingerprint to the record of its first hash (D1.8). */
  private noteFingerprint(): void {
    const { first, delivery } = this.call;
    if (delivery.fingerprint === null) return;
    const entry = this.entry(first.hash);
    const record =
      first.type === 'void'
        ? (entry?.void ?? entry?.transaction)
        : (entry?.transaction ?? entry?.void);
    if (record === undefined || ('outcome' in record && record.outcome === 'pending')) return;
    const fingerprints = withFingerprint(record.fingerprints, delivery.fingerprint);
    if (fingerprints !== record.fingerprints) this.rewrite(first.hash, { ...record, fingerprints });
  }

  /** Replaces a record that this step writes, or a known one. */
  private rewrite(hash: string, record: NewRecord['record']): void {
    const isVoid = record.type === 'void';
    const at = this.records.findIndex(
      (item) => item.hash === hash && (item.record.type === 'void') === isVoid,
    );
    const isOnlyRewritten = at < 0 || this.records[at]?.isRewritten === true;
    const item: NewRecord = isOnlyRewritten
      ? { hash, record, isRewritten: true }
      : { hash, record };
    if (at < 0) this.records.push(item);
    else this.records[at] = item;
  }
}
