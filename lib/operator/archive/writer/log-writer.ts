import { createHash } from 'node:crypto';
import { nextTurn } from '../../../platform/turn';
import {
  type ArchiveIdentity,
  batchLine,
  isTime,
  type KeyEvent,
  type LogKey,
  names,
  type SegmentRecord,
  signOver,
} from '../format';
import { Frontier, leafHash, type NoteSigner, signCheckpoint } from '../tlog';
import { adopt, eventKey, finishAdoption } from './adopt';
import { batchesOf } from './batches';
import { CheckpointFile, keepTimestamp, refuseFork } from './checkpoints';
import { checksumLine, writeChecksums } from './checksums';
import { GrowingLog, type LogHead } from './growing-log';
import { identify, refuseOtherKey, writeKeys } from './identity';
import { ArchiveRefusedError } from './refused';
import { sealSegment } from './seal';
import {
  type ArchivableEvent,
  type NewLine,
  usualSegmentEvents,
  usualSegmentMs,
  type WriterOptions,
} from './options';
import { proveFromDisk } from './prove';
import { sealedRecords } from './sealed';
import { keepTouching, Session } from './session';

/** A checkpoint that was written, for anchors. */
export interface SignedHead extends LogHead {
  readonly note: string;
}

/** Heads that are kept for proofs: those of more than a day, one a minute. */
const mostHeads = 2_000;
/** Lines that are hashed before other work has its turn. */
const slice = 256;

/**
 * Writes the log of an operator's events into a folder. One page after the other: {@link append}, {@link check}, then the
 * acknowledgement to the store, {@link acknowledged}; then {@link sealIfDue} and {@link checkpoint}. Any error ends the
 * writer: what it left is whole, or is put right by the next {@link open}.
 */
export class ArchiveWriter {
  /** Events in the log that the store may deliver again: it has not told that they are kept. */
  readonly #unheard: Set<string>;
  #openedAt: number | null;
  /** The size of the last checkpoint of this writer. */
  #signed = 0;
  readonly #heads = new Map<number, LogHead>();
  readonly #stopTouching: () => void;

  private constructor(
    private readonly options: WriterOptions & { readonly token: string },
    private readonly session: Session,
    private readonly log: GrowingLog,
    private readonly checkpoints: CheckpointFile,
    private ownKeys: readonly LogKey[],
    unheard: readonly string[],
  ) {
    this.#unheard = new Set(unheard);
    this.#openedAt = log.size > log.sealedSize ? options.clock.monotonicMs() : null;
    this.#stopTouching = keepTouching(options.clock, session);
  }

  /**
   * Opens the folder, and takes it over from a process that has ended.
   * @throws ArchiveRefusedError if it is no archive of the operator, is damaged, or another process writes in it.
   */
  static async open(given: WriterOptions): Promise<ArchiveWriter> {
    const { disk, operatorId, signer, random } = given;
    const token = random.bytes(16).toString('hex');
    const options = { ...given, token };
    const identity: ArchiveIdentity = { operatorId, origin: signer.name };
    const { keys } = await identify(disk, identity, signer, token);
    if (given.mayReplaceKey !== true) refuseOtherKey(keys, signer);
    for (const folder of [names.segmentsFolder, names.sessionsFolder])
      await disk.makeFolder(folder);
    const session = await Session.take(options);
    const stopTouching = keepTouching(given.clock, session);
    try {
      return await session.orOvertaken(ArchiveWriter.begin(options, session, keys));
    } finally {
      stopTouching();
    }
  }

  private static async begin(
    options: WriterOptions & { readonly token: string },
    session: Session,
    keys: readonly LogKey[],
  ): Promise<ArchiveWriter> {
    const { disk, signer, report, token } = options;
    const [sealed, sums] = [new Frontier(), createHash('sha256')];
    for await (const record of sealedRecords(disk, sealed)) sums.update(checksumLine(record));
    const log = new GrowingLog(sealed);
    const adopted = await adopt(disk, session, log);
    if (adopted.torn !== null) report('warn', { file: adopted.torn }, 'a torn end was left out');
    const checkpoints = await CheckpointFile.open(disk, signer.name, keys);
    await refuseFork(disk, checkpoints, log, adopted.roots);
    await finishAdoption(disk, session);
    await writeChecksums(disk, sums.digest('hex'), token);
    return new ArchiveWriter(options, session, log, checkpoints, keys, adopted.lastKeys);
  }

  /** Events of the log. */
  get size(): number {
    return this.log.size;
  }

  /** The root of the log. */
  get root(): Buffer {
    return this.log.root();
  }

  /** Events that are not sealed yet. */
  get openEvents(): number {
    return this.log.size - this.log.sealedSize;
  }

  /** The keys that have signed the log, and the one that does. */
  get keys(): readonly LogKey[] {
    return this.ownKeys;
  }

  get origin(): string {
    return this.options.signer.name;
  }

  /** Appends those of the events that the log does not have from a page that was not acknowledged. */
  async append(events: readonly ArchivableEvent[]): Promise<void> {
    await this.appendLines(
      events.map((event) => ({ id: event.id, at: event.at, line: JSON.stringify(event) })),
    );
  }

  /**
   * Appends lines: all of them are on the disk when it resolves.
   * @throws ArchiveRefusedError for one that is longer than a line of an archive can be: nothing of the page was written.
   */
  async appendLines(page: readonly NewLine[]): Promise<void> {
    const fresh = page.filter((one) => !this.#unheard.has(eventKey(one)));
    const batches = batchesOf(fresh);
    if (fresh.length > 0 && this.openEvents + fresh.length > this.segmentEvents) await this.seal();
    for (const batch of batches) {
      await this.session.append(await this.grow(batch));
      this.#openedAt ??= this.options.clock.monotonicMs();
    }
    for (const one of page) this.#unheard.add(eventKey(one));
  }

  /** @throws ArchiveRefusedError if another process has taken the folder: then nothing may be acknowledged. */
  check(): Promise<void> {
    return this.session.check();
  }

  /** The store has heard that these are kept: it does not deliver them again. */
  acknowledged(page: readonly Pick<ArchivableEvent, 'id' | 'at'>[]): void {
    for (const event of page) this.#unheard.delete(eventKey(event));
  }

  /** Seals the open segment if it is long or old enough; else resolves to null. */
  async sealIfDue(): Promise<SegmentRecord | null> {
    const { clock, segmentMs = usualSegmentMs } = this.options;
    if (this.openEvents === 0) return null;
    const isFull = this.openEvents >= this.segmentEvents;
    const isOld = clock.monotonicMs() - (this.#openedAt ?? 0) >= segmentMs;
    return isFull || isOld ? this.seal() : null;
  }

  /** Seals the open segment. @throws RangeError if it is empty. */
  async seal(): Promise<SegmentRecord> {
    const { options, session, log } = this;
    await session.check();
    const head = log.head();
    const checkpoint = signCheckpoint({ ...head, origin: this.origin }, [options.signer]);
    const record = await session.orOvertaken(sealSegment({ ...options, session, log, checkpoint }));
    log.beginSegment();
    this.#openedAt = null;
    await session.renew();
    options.report('info', { file: record.file, events: record.count }, 'a segment was sealed');
    return record;
  }

  /** Signs the log as it is, unless that was done already. What it holds must have been acknowledged. */
  async checkpoint(): Promise<SignedHead | null> {
    return this.log.size === this.#signed ? null : this.sign([this.options.signer]);
  }

  /** Adds signatures of others to the checkpoints. */
  addCosigned(note: string): Promise<void> {
    return this.checkpoints.add(note);
  }

  /** Keeps the reply of a time authority about the checkpoint of this size, unless there is one: the earliest says most. */
  keepTimestamp(size: number, reply: Buffer): Promise<void> {
    return keepTimestamp(this.options, size, reply);
  }

  /** The proof that the log of a head of this writer begins with that of `size` entries. */
  async prove(size: number, later: LogHead): Promise<readonly Buffer[]> {
    const earlier = this.#heads.get(size);
    const known = earlier === undefined ? null : this.log.proveFrom(earlier, later);
    if (known !== null) return known;
    return proveFromDisk(this.options.disk, this.session.file, size, later.size);
  }

  /** From now on another key signs: both sign this checkpoint. */
  async rotateKey(next: NoteSigner): Promise<SignedHead> {
    this.refuseKnown(next);
    const { signer } = this.options;
    const head = await this.sign([signer, next]);
    const from = { vkey: next.vkey, signsFrom: head.size };
    await this.addKey({ ...next, ...from, signedOver: signOver(signer, from) });
    return head;
  }

  /** From now on the key of this writer signs, without a signature of the one before; the log says so. */
  async replaceKey(reason: string): Promise<void> {
    const { operatorId, signer, clock } = this.options;
    this.refuseKnown(signer);
    const event: KeyEvent = {
      type: 'key',
      id: [operatorId, 'key', this.keys.length + 1].map(encodeURIComponent).join('/'),
      operatorId,
      at: new Date(clock.now()).toISOString(),
      vkey: signer.vkey,
      reason,
    };
    await this.append([event]);
    await this.check();
    await this.addKey({ ...signer, signsFrom: this.log.size, signedOver: null });
    await this.checkpoint();
  }

  /** Lets the folder go; the next process need not wait. */
  async close(): Promise<void> {
    this.#stopTouching();
    await this.session.release();
  }

  private get segmentEvents(): number {
    return this.options.segmentEvents ?? usualSegmentEvents;
  }

  private refuseKnown({ id, name, vkey }: NoteSigner): void {
    if (name !== this.origin) {
      throw new ArchiveRefusedError(
        `The new key is of the log ${name}, and this one is ${this.origin}.`,
      );
    }
    if (this.keys.some((key) => key.vkey === vkey)) {
      throw new ArchiveRefusedError(`The log has the key ${id} already: make another.`);
    }
  }

  private async addKey(next: LogKey): Promise<void> {
    const keys = [...this.keys, next];
    await writeKeys(this.options.disk, keys, this.options.token);
    this.ownKeys = keys;
  }

  private async sign(signers: readonly NoteSigner[]): Promise<SignedHead> {
    await this.check();
    const head = this.log.head();
    const note = signCheckpoint({ ...head, origin: this.origin }, signers);
    await this.checkpoints.add(note);
    this.#signed = head.size;
    this.#heads.set(head.size, head);
    const [oldest] = this.#heads.keys();
    if (this.#heads.size > mostHeads && oldest !== undefined) this.#heads.delete(oldest);
    return { ...head, note };
  }

  /** The text of a batch, which the log now has. */
  private async grow(lines: readonly NewLine[]): Promise<Buffer> {
    for (const [at, { line, at: happened }] of lines.entries()) {
      if (!isTime(happened)) throw new TypeError('at: ISO 8601 in UTC, with milliseconds');
      if (at % slice === slice - 1) await nextTurn();
      this.log.append(leafHash(line), happened);
    }
    const { size } = this.log;
    const end = batchLine({ batch: lines.length, size, root: this.log.root() });
    return Buffer.from(`${lines.map(({ line }) => line).join('\n')}\n${end}\n`);
  }
}
