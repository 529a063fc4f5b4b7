import { LogFormatError, sha256 } from '../tlog';

/** What an event can be found by. */
export interface FindKeys {
  readonly playerId?: string | undefined;
  readonly gameRound?: string | undefined;
  /** Of an act of cash. */
  readonly reference?: string | undefined;
}

/**
 * The file `.find` beside a segment: a Bloom filter over the player ids, rounds and references of its events. It says
 * for certain what is not in the segment. Derived: it may be lost.
 */
export class FindFilter {
  /** @param bits Their number is eight times the length. */
  private constructor(private readonly bits: Buffer) {}

  /** An empty filter for this many events: 4 bytes for each, 16 bits a key. */
  static forEvents(count: number): FindFilter {
    return new FindFilter(Buffer.alloc(Math.max(1, count) * bytesAnEvent));
  }

  /** @throws LogFormatError unless it is a filter for this many events. */
  static decode(file: Buffer, count: number): FindFilter {
    const isWhole = file.length === filterBytes(count) && file.toString('latin1', 0, 8) === magic;
    if (!isWhole) throw new LogFormatError('the filter is not that of the segment');
    return new FindFilter(file.subarray(magic.length));
  }

  /** Adds what an event can be found by. */
  add(keys: FindKeys): void {
    for (const key of keysOf(keys)) {
      const digest = sha256(key);
      for (let at = 0; at < digest.length; at += probeBytes) {
        const bit = this.bitOf(digest, at);
        this.bits[bit >>> 3]! |= 1 << (bit & 7);
      }
    }
  }

  /** False if no event with all of these was added. */
  mayHave(keys: FindKeys): boolean {
    return keysOf(keys).every((key) => {
      const digest = sha256(key);
      for (let at = 0; at < digest.length; at += probeBytes) {
        const bit = this.bitOf(digest, at);
        if ((this.bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
      }
      return true;
    });
  }

  /** The content of the file. */
  encode(): Buffer {
    return Buffer.concat([Buffer.from(magic, 'latin1'), this.bits]);
  }

  /** The bit that a piece of a key's digest names. */
  private bitOf(digest: Buffer, at: number): number {
    return digest.readUInt32BE(at) % (this.bits.length * 8);
  }
}

/** Bytes of a filter for this many events. */
export function filterBytes(count: number): number {
  return magic.length + Math.max(1, count) * bytesAnEvent;
}

function keysOf({ playerId, gameRound, reference }: FindKeys): string[] {
  const keys: string[] = [];
  if (playerId !== undefined) keys.push(`p${playerId}`);
  if (gameRound !== undefined) keys.push(`r${gameRound}`);
  if (reference !== undefined) keys.push(`x${reference}`);
  return keys;
}

const magic = 'rgsfind1';
/** Eight bits are set for a key. */
const probeBytes = 4;
/** 16 bits a key, two keys an event. */
const bytesAnEvent = 4;
