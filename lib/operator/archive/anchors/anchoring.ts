import type { Clock, Random } from '../../../platform';
import { backOffMs } from '../../../platform/back-off';
import { within } from '../../../platform/within';
import type { SignedHead } from '../writer/log-writer';
import type { Report } from '../writer/options';
import { type Anchor, type AnchoredLog, ContradictedError, StorageRefusedError } from './anchor';

/** What anchoring works with. */
export interface AnchoringParts {
  readonly log: AnchoredLog;
  /** Keeps a checkpoint with the signatures of an anchor. */
  readonly keep: (note: string) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
}

/** How long an anchor that hangs may hold up the end, in milliseconds. */
const closeMs = 25_000;
const pauses = { firstMs: 1_000, longestMs: 60_000 } as const;

/**
 * Gives checkpoints to anchors, each at its own pace: an anchor that is silent holds up neither the archive nor another
 * anchor. A checkpoint is tried until it is taken, or a newer one is there.
 */
export class Anchoring {
  readonly #lanes: readonly Lane[];
  /** The notes of heads, with the signatures that have joined them. */
  readonly #notes = new WeakMap<SignedHead, string>();

  constructor(anchors: readonly Anchor[], parts: AnchoringParts) {
    const join = async (head: SignedHead, lines: string): Promise<void> => {
      const note = `${this.#notes.get(head) ?? head.note}${lines}`;
      this.#notes.set(head, note);
      await parts.keep(note);
    };
    this.#lanes = anchors.map((anchor) => new Lane(anchor, { ...parts, join }));
  }

  /** A newer checkpoint. */
  offer(head: SignedHead): void {
    for (const lane of this.#lanes) lane.offer(head);
  }

  /** For how long an anchor has lacked a checkpoint that it should have, in seconds; 0 if none does. */
  get unanchoredSeconds(): number {
    return Math.max(0, ...this.#lanes.map((lane) => lane.waitingSeconds));
  }

  /** Whether an anchor knows another log than the latest checkpoint that it was given. */
  get isContradicted(): boolean {
    return this.#lanes.some((lane) => lane.isContradicted);
  }

  /** Stops. First sends each anchor the latest checkpoint that it lacks, within the time limit of one attempt. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** One anchor. */
class Lane {
  isContradicted = false;
  /** Whether the log has said that the storage of the anchor takes nothing more. */
  #isRefused = false;
  #next: SignedHead | null = null;
  #since: number | null = null;
  /** From when on it gets another, by the monotonic clock. */
  #due = 0;
  #work: Promise<void> | null = null;
  readonly #ending = new AbortController();

  constructor(
    private readonly anchor: Anchor,
    private readonly parts: AnchoringParts & {
      readonly join: (head: SignedHead, lines: string) => Promise<void>;
    },
  ) {}

  get waitingSeconds(): number {
    if (this.#since === null) return 0;
    return Math.max(0, Math.round((this.parts.clock.monotonicMs() - this.#since) / 1000));
  }

  offer(head: SignedHead): void {
    this.#next = head;
    this.#since ??= Math.max(this.#due, this.parts.clock.monotonicMs());
    this.#work ??= this.work();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    const { clock } = this.parts;
    if (this.#work !== null) await within(clock, closeMs, this.#work, { late: giveUp });
  }

  private async work(): Promise<void> {
    // One may be offered while the last of them ends.
    do await this.run();
    while (this.#next !== null && !this.#ending.signal.aborted);
    this.#work = null;
  }

  private async run(): Promise<void> {
    const { clock, random } = this.parts;
    for (let failures = 0; this.#next !== null; ) {
      const earlyMs = this.#due - clock.monotonicMs();
      if (earlyMs > 0) await clock.pause(earlyMs, this.#ending.signal, 'background');
      const head: SignedHead = this.#next;
      const isLast = this.#ending.signal.aborted;
      if (await this.tryOnce(head)) {
        failures = 0;
        this.#due = clock.monotonicMs() + (this.anchor.everyMs ?? 0);
        if (this.#next === head) this.#next = this.#since = null;
        continue;
      }
      if (isLast) return;
      failures += 1;
      await clock.pause(backOffMs(pauses, failures, random), this.#ending.signal, 'background');
    }
  }

  private async tryOnce(head: SignedHead): Promise<boolean> {
    const { log, join, report } = this.parts;
    const anchor = this.anchor.name;
    try {
      const lines = await this.anchor.anchor(head, log);
      this.isContradicted = this.#isRefused = false;
      if (lines !== '') await join(head, lines);
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      const fields = { anchor, size: head.size, reason, unanchoredSeconds: this.waitingSeconds };
      if (error instanceof ContradictedError) {
        this.isContradicted = true;
        report('error', fields, 'an anchor contradicts the archive: one of them was rewritten');
      } else if (!(error instanceof StorageRefusedError)) {
        report('warn', fields, 'an anchor has not taken the checkpoint: tried again');
      } else if (!this.#isRefused) {
        this.#isRefused = true;
        report('warn', fields, 'the storage of an anchor takes no checkpoint: this is said once');
      }
      return false;
    }
  }
}

/** Why, in one line; a server whose certificate is not trusted is the usual mistake of a first try. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: unknown; code?: unknown };
  if (!untrusted.has(String(code))) return String(message);
  return `its certificate is not trusted (${String(message)}): name its authority in NODE_EXTRA_CA_CERTS`;
}

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** An anchor that hangs at the end has no checkpoint of it. */
function giveUp(): void {}
