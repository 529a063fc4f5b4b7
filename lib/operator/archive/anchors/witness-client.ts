import type { Clock } from '../../../platform';
import { fetchWhole } from '../../../platform/http/fetch-whole';
import { withDeadline } from '../../../platform/within';
import {
  addSignatures,
  cosignedAt,
  type NoteSignature,
  parseNote,
  signatureLine,
  type WitnessKey,
} from '../tlog';
import { type Anchor, type AnchoredLog, ContradictedError } from './anchor';
import type { SignedHead } from '../writer/log-writer';

/** How long a witness may take, in milliseconds. */
const answerMs = 20_000;
/** What C2SP tlog-witness means by a status. */
const refusals: Readonly<Record<number, string>> = {
  403: ': it knows no key that has signed this checkpoint',
  404: ': it does not know this log',
};
/** Tries of one checkpoint: the witness says how far it is, and others may send it checkpoints of the same log. */
const tries = 3;

/**
 * A witness that speaks C2SP tlog-witness: it signs what it saw only grow.
 * @param url Its submission prefix.
 * @param key Of the witness: a signature of another is refused. Null if it is not known.
 */
export function witnessAnchor(url: string, key: WitnessKey | null, clock: Clock): Anchor {
  let known = 0;
  const send = async (old: number, head: SignedHead, log: AnchoredLog) => {
    const proof = await log.prove(old, head);
    const body = addCheckpointBody(old, proof, head.note);
    const target = new URL(`${url.replace(/\/$/, '')}/add-checkpoint`);
    const request = {
      method: 'POST',
      target: target.pathname,
      rawHeaders: ['content-type', 'text/plain; charset=utf-8'],
      body,
    };
    return withDeadline(clock, answerMs, (until) => fetchWhole(target.href, request, until));
  };
  return {
    name: url,
    anchor: async (head, log) => {
      for (let attempt = 0; attempt < tries; attempt++) {
        const { status, headers, body } = await send(known, head, log);
        const text = body.subarray(0, longestAnswer).toString();
        if (status === 200) {
          const lines = ownLines(head.note, text, key);
          known = head.size;
          return lines;
        }
        if (status === 422) throw new ContradictedError('the witness refuses the proof (422)');
        const size = status === 409 ? sizeOf(headers['content-type'], text) : null;
        if (size === null)
          throw new Error(`the witness answered HTTP ${status}${refusals[status] ?? ''}`);
        if (size > head.size) {
          throw new ContradictedError(
            `the witness saw ${size} events, and the log has ${head.size}`,
          );
        }
        if (size === known && size === head.size) {
          throw new ContradictedError(`the witness saw another log of ${size} events`);
        }
        known = size;
      }
      throw new Error('the witness answered each time with another size');
    },
  };
}

/** The body of `add-checkpoint`. */
export function addCheckpointBody(old: number, proof: readonly Buffer[], note: string): Buffer {
  const hashes = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  return Buffer.from(`old ${old}\n${hashes}\n${note}`);
}

/**
 * The cosignatures of the witness; if its key is not known, those that are of no key of the log. Other lines would spoil the
 * checkpoint: a wrong signature of a known key does. @throws Error
 */
function ownLines(head: string, lines: string, key: WitnessKey | null): string {
  const { text, signatures } = parseNote(addSignatures(head, lines));
  const logs = parseNote(head).signatures;
  const isOwn = (one: NoteSignature): boolean => {
    if (key !== null) return cosignedAt(text, one, key) !== null;
    return one.signature.length === 72 && logs.every(({ name }) => name !== one.name);
  };
  const own = signatures.slice(logs.length).filter(isOwn).slice(0, mostCosignatures);
  if (own.length > 0) return own.map(signatureLine).join('');
  const what = key === null ? 'cosignature' : 'signature of its key';
  throw new Error(`the witness answered without a ${what}`);
}

/** The size of a 409; null if it says none. */
function sizeOf(type: string | undefined, text: string): number | null {
  const [, size] = /^(0|[1-9]\d{0,14})\n$/.exec(text) ?? [];
  return type?.split(';')[0]?.trim() === 'text/x.tlog.size' && size !== undefined
    ? Number(size)
    : null;
}

const longestAnswer = 16_384;
/** Of one witness, such as by its former key and the next one. */
const mostCosignatures = 4;
