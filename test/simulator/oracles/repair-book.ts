import type { RepairKind } from '../../../lib/operator/gameround';

/** A repair that people made. */
export interface MadeRepair {
  readonly kind: RepairKind;
  /** Of the credit that was paid, or the debit that was voided. */
  readonly hash: string | null;
  readonly amount: number;
  /** Who approved it and when, in milliseconds. */
  readonly maker: string;
}

/** What people did to a round, or may be doing (D11). */
export class RepairBook {
  /** Of the repairs that were made. */
  readonly ids = new Set<string>();
  /** Credits that were paid, with what was paid of each. */
  readonly paid = new Map<string, number>();
  /** Of those that somebody has made just now, as the answer says; two approvals of one person in one millisecond are one. */
  private readonly makers = new Map<string, string>();
  /** How many verdicts, voids and sendings there were: a repair closes the round until the next one. */
  private moves = 0;
  private closedAt: number | null = null;
  private mayClose = false;
  private readonly voiding = new Map<string, number>();

  /** Whether somebody has ever looked after the round: what is proposed keeps it for ever (D11.3). */
  isTouched = false;

  /** Something of the round is sent, or was answered. */
  move(): void {
    this.moves += 1;
  }

  /** An approval begins; the returned number is for {@link make}. */
  begin(kind: RepairKind, hash: string | null): number {
    if (kind === 'void') this.count(hash, 1);
    else this.mayClose = true;
    return this.moves;
  }

  /** It is known what came of an approval. */
  end(kind: RepairKind, hash: string | null): void {
    if (kind === 'void') this.count(hash, -1);
  }

  /** A repair was made; `isReplay`: before. False if it was made twice. */
  make(id: string, repair: MadeRepair, begun: number, isReplay: boolean): boolean {
    const { kind, hash, amount, maker } = repair;
    const isTwice = !isReplay && (this.makers.get(id) ?? maker) !== maker;
    if (!isReplay) this.makers.set(id, maker);
    if (this.ids.has(id)) return !isTwice;
    this.ids.add(id);
    if (kind === 'pay' && hash !== null) this.paid.set(hash, amount);
    if (kind !== 'void') this.closedAt = begun;
    return !isTwice;
  }

  /** Whether a person may have voided this debit: it is not known yet. */
  isVoiding(hash: string): boolean {
    return (this.voiding.get(hash) ?? 0) > 0;
  }

  /** Whether people may have voided something. */
  get mayHaveVoided(): boolean {
    return this.voiding.size > 0;
  }

  /** Whether a repair may have closed the round at some time: then it takes nothing new. */
  get mayHaveClosed(): boolean {
    return this.mayClose;
  }

  /** Whether a repair closed the round, and nothing came since. */
  get hasClosed(): boolean {
    return this.closedAt === this.moves;
  }

  private count(hash: string | null, by: number): void {
    if (hash !== null) this.voiding.set(hash, (this.voiding.get(hash) ?? 0) + by);
  }
}
