import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextTurn } from '../../lib/platform/turn';

/** How memory is watched. */
export interface MemoryWatch {
  /** Inputs between two looks. */
  readonly everyInputs: number;
  /** Most bytes that may be held beyond those of the lowest look. */
  readonly maxBytes: number;
}

/** A leak of ten bytes an input would hold more after ten million. */
export const usualWatch: MemoryWatch = { everyInputs: 200_000, maxBytes: 50_000_000 };

/** What the process holds, and by how much it has grown. */
export class HeldMemory {
  private lowest = Infinity;
  private lookedAt = 0;

  constructor(private readonly watch: MemoryWatch) {}

  /** Looks if it is time to; a text if more is held than may be. */
  async fault(inputs: number): Promise<string | null> {
    if (inputs - this.lookedAt < this.watch.everyInputs) return null;
    this.lookedAt = inputs;
    const held = await heldBytes();
    this.lowest = Math.min(this.lowest, held); // what was there before may be released meanwhile
    const grown = held - this.lowest;
    return grown > this.watch.maxBytes ? `${Math.round(grown / 1e6)} MB more are held` : null;
  }
}

/** Bytes of the heap and of buffers, once garbage is collected. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let at = 0; at < 2; at++) {
    collect();
    await nextTurn();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
