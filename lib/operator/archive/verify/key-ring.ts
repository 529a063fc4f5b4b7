import { isSignedOver, type LogKey } from '../format';
import {
  type Checkpoint,
  LogFormatError,
  type NoteKey,
  parseVkey,
  signersOf,
  type SignedNote,
} from '../tlog';
import { type Findings, grouped } from './findings';

/**
 * Which key signs the log at which size, and which keys the one before them has handed the log to. A key that signs may be
 * newer than the ring: the keys are read again, and count if they begin with those that are known.
 */
export class KeyRing {
  /** Keys with a right signature under a checkpoint. */
  readonly #used = new Set<NoteKey>();

  /**
   * @param trusted Keys that an auditor knows from elsewhere.
   * @param readKeys Reads the keys of the log as they are now; null if there are none.
   */
  constructor(
    readonly origin: string,
    private keys: readonly LogKey[],
    readonly trusted: readonly NoteKey[],
    private readonly readKeys: () => Promise<readonly LogKey[] | null>,
  ) {}

  /** @throws LogFormatError unless the checkpoint is this log's, signed by the key of its size. */
  async check(checkpoint: Checkpoint & SignedNote): Promise<void> {
    try {
      this.checkNow(checkpoint);
    } catch (error) {
      if (!(error instanceof LogFormatError) || !(await this.hasGrown())) throw error;
      this.checkNow(checkpoint);
    }
  }

  private async hasGrown(): Promise<boolean> {
    const now = await this.readKeys();
    const isMore = now !== null && now.length > this.keys.length;
    if (!isMore || this.keys.some((key, at) => !isSame(key, now[at]))) return false;
    // Those that are known stay, since what they have signed is kept by their identity.
    this.keys = [...this.keys, ...now.slice(this.keys.length)];
    return true;
  }

  private checkNow(checkpoint: Checkpoint & SignedNote): void {
    if (checkpoint.origin !== this.origin) {
      throw new LogFormatError('the checkpoint is of another log');
    }
    const { size } = checkpoint;
    const allowed = this.keys.filter(({ signsFrom }, at) => {
      return signsFrom <= size && (this.keys[at + 1]?.signsFrom ?? size) >= size;
    });
    const signers = signersOf(checkpoint, allowed);
    if (signers.length === 0) {
      throw new LogFormatError(`the checkpoint is not signed by the key of size ${grouped(size)}`);
    }
    for (const key of signers) this.#used.add(key);
  }

  /** Reports what the keys themselves have wrong, once all checkpoints were checked. */
  report(file: string, findings: Findings): void {
    if (this.keys.some(({ name }) => name !== this.origin)) {
      findings.fault(file, null, 'a key is of another log');
    }
    // Of a log that has no checkpoint yet, its keys are what it says.
    const isUsed = (key: NoteKey): boolean => this.#used.size === 0 || this.#used.has(key);
    const isTrusted = (key: NoteKey): boolean =>
      isUsed(key) && this.trusted.some(({ vkey }) => vkey === key.vkey);
    for (const { vkey } of this.trusted) {
      // A forger can write any key into the file, but sign with his own only.
      if (this.keys.some((key) => key.vkey === vkey && isTrusted(key))) continue;
      findings.fault(file, null, `the log is not signed by the given key ${vkey}`);
    }
    // A later key signs the whole log, so what came before a trusted one needs no other trust.
    const from = Math.max(0, this.keys.findLastIndex(isTrusted));
    for (const [at, key] of this.keys.entries()) {
      const before = this.keys[at - 1];
      if (at <= from || before === undefined || isSignedOver(key, before)) continue;
      const since = grouped(key.signsFrom);
      findings.fault(
        file,
        at + 1,
        `from size ${since} on the key is one that the former did not sign for`,
      );
    }
  }
}

function isSame({ vkey, signsFrom, signedOver }: LogKey, other: LogKey | undefined): boolean {
  return other?.vkey === vkey && other.signsFrom === signsFrom && other.signedOver === signedOver;
}

/** A key as it was published. @throws TypeError */
export function knownKey(vkey: string): NoteKey {
  try {
    return parseVkey(vkey);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new TypeError(`key: ${error.message}`, { cause: error });
  }
}
