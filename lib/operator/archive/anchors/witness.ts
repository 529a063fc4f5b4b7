import type { Clock, Random } from '../../../platform';
import { names } from '../format';
import {
  type Checkpoint,
  cosign,
  decodeBase64,
  emptyRoot,
  hashBytes,
  isConsistent,
  LogFormatError,
  type NoteKey,
  type NoteSigner,
  parseCheckpoint,
  signersOf,
  type SignedNote,
} from '../tlog';
import { CheckpointFile } from '../writer/checkpoints';
import type { ArchiveDisk } from '../writer/disk';
import type { ArchiveProcess } from '../writer/holder';
import { keepTouching, Session } from '../writer/session';

/** An answer of a witness, as HTTP has it. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly type: 'text/plain; charset=utf-8' | 'text/x.tlog.size';
  readonly body: string;
}

/** What a witness works with. */
export interface WitnessOptions {
  /** Its own folder: for each log a folder of its percent-encoded name, with a file `checkpoints`. */
  readonly disk: ArchiveDisk;
  /** Its name and key. */
  readonly signer: NoteSigner;
  /** The keys of the logs; several of one log while it is rotated. */
  readonly logs: readonly NoteKey[];
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** So that two witnesses of one state never sign two logs: the second is refused. */
  readonly process: ArchiveProcess;
  readonly random: Random;
}

/** Longest body of a request, in bytes. */
export const longestRequest = 81_920;
const mostProofLines = 63;

/**
 * The other side of C2SP tlog-witness: keeps size and root of each log, and signs a checkpoint only if the log has grown
 * from there. What it signs is on its disk before it answers, so it never goes back.
 */
export class Witness {
  readonly #files = new Map<string, CheckpointFile>();
  /** One request at a time: what is checked must still hold when it is written. */
  #turn: Promise<unknown> = Promise.resolve();

  readonly #stopTouching: () => void;

  private constructor(
    private readonly options: WitnessOptions,
    private readonly session: Session,
  ) {
    this.#stopTouching = keepTouching(options.clock, session);
  }

  /** Reads what the witness has signed. @throws ArchiveRefusedError for a state that is damaged: restore it, never delete it. */
  static async open(options: WitnessOptions): Promise<Witness> {
    await options.disk.makeFolder(names.sessionsFolder);
    const token = options.random.bytes(16).toString('hex');
    const session = await Session.take({ ...options, token });
    for (const number of await session.olderNumbers()) {
      await options.disk.remove(names.sessionName(number));
    }
    const witness = new Witness(options, session);
    for (const { name } of options.logs) witness.#files.set(name, await openFile(options, name));
    return witness;
  }

  /** Answers a request to `add-checkpoint`. */
  addCheckpoint(body: Uint8Array): Promise<WitnessAnswer> {
    const answer = this.#turn.then(() => this.answer(body));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  /** Lets the state go; the next witness need not wait. */
  async close(): Promise<void> {
    this.#stopTouching();
    await this.session.release();
  }

  private async answer(body: Uint8Array): Promise<WitnessAnswer> {
    const request = parseAddCheckpoint(body);
    if (request === null) return refusal(400, 'the request is not old size, proof and checkpoint');
    const { old, proof, note, checkpoint } = request;
    const { origin, size } = checkpoint;
    const file = this.#files.get(origin);
    const known = file?.latest ?? { size: 0, root: emptyRoot };
    if (file === undefined) return refusal(404, 'the log is not known');
    if (!this.isSigned(checkpoint)) return refusal(403, 'no known key of the log has signed it');
    if (old > size) return refusal(400, 'the old size is above the size of the checkpoint');
    if (old !== known.size) return conflict(known.size);
    if (old === size && !checkpoint.root.equals(known.root)) return conflict(known.size);
    if (!isConsistent(known, checkpoint, proof)) return refusal(422, 'the proof is wrong');
    await this.session.check();
    if (size > known.size) await this.keep(origin, note);
    await this.session.check();
    const seconds = Math.floor(this.options.clock.now() / 1000);
    const line = cosign(checkpoint.text, this.options.signer, seconds);
    return { status: 200, type: 'text/plain; charset=utf-8', body: line };
  }

  private isSigned(checkpoint: Checkpoint & SignedNote): boolean {
    const keys = this.options.logs.filter(({ name }) => name === checkpoint.origin);
    try {
      return signersOf(checkpoint, keys).length > 0;
    } catch (error) {
      if (error instanceof LogFormatError) return false;
      throw error;
    }
  }

  private async keep(origin: string, note: string): Promise<void> {
    try {
      await this.#files.get(origin)?.add(note);
    } catch (error) {
      // What it left torn must not be in front of the next.
      this.#files.set(origin, await openFile(this.options, origin));
      throw error;
    }
  }
}

/** Opens what was signed of a log. A torn end, which was never answered, is cut off. */
async function openFile({ disk }: WitnessOptions, origin: string): Promise<CheckpointFile> {
  const folder = encodeURIComponent(origin);
  await disk.makeFolder(folder);
  return CheckpointFile.open(disk, origin, null, folder);
}

/** A request, read; null for an invalid one. */
function parseAddCheckpoint(body: Uint8Array) {
  try {
    if (body.length > longestRequest) return null;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const middle = text.indexOf('\n\n');
    const [first = '', ...hashes] = text.slice(0, Math.max(0, middle)).split('\n');
    const [, old] = /^old (0|[1-9]\d{0,14})$/.exec(first) ?? [];
    if (old === undefined || hashes.length > mostProofLines) return null;
    const proof = hashes.map((hash) => decodeBase64(hash, 'a hash of the proof'));
    if (proof.some(({ length }) => length !== hashBytes)) return null;
    const note = text.slice(middle + 2);
    const checkpoint = parseCheckpoint(note);
    return { old: Number(old), proof, note, checkpoint };
  } catch (error) {
    if (error instanceof LogFormatError || error instanceof TypeError) return null;
    throw error;
  }
}

function refusal(status: 400 | 403 | 404 | 422, why: string): WitnessAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${why}\n` };
}

function conflict(size: number): WitnessAnswer {
  return { status: 409, type: 'text/x.tlog.size', body: `${size}\n` };
}
