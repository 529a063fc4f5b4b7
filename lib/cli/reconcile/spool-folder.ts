import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../../operator/reconciliation/rounds/spool';

/** Bytes of a part that are kept before they are written. */
const mostHeld = 65_536;

/** Most bytes of a character of a text in UTF-8. */
const bytesOfCharacter = 3;

/** What is not written yet. It is kept as bytes: as texts it would keep the collector of garbage busy. */
interface Held {
  readonly bytes: Buffer;
  length: number;
}

/**
 * Parts in files of a temporary folder, which this user alone can read: they name players. {@link remove} deletes it.
 */
export class SpoolFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rgs-wallet-reconcile-'));

  /** A spool with files of this name. */
  spool<Value>(name: string): Spool<Value> {
    const held = new Map<number, Held>();
    const pathOf = (part: number): string => join(this.#folder, `${name}-${part}`);
    const write = (part: number, bytes: Uint8Array): void =>
      appendFileSync(pathOf(part), bytes, { mode: 0o600 });
    return {
      add(part, value) {
        const text = `${JSON.stringify(value)},`;
        const most = text.length * bytesOfCharacter;
        const own = held.get(part) ?? { bytes: Buffer.allocUnsafe(mostHeld), length: 0 };
        held.set(part, own);
        if (own.length + most > mostHeld) {
          write(part, own.bytes.subarray(0, own.length));
          own.length = 0;
        }
        if (most > mostHeld) write(part, Buffer.from(text));
        else own.length += own.bytes.write(text, own.length);
      },
      read(part) {
        const own = held.get(part);
        const last = own?.bytes.toString('utf8', 0, own.length) ?? '';
        const first = existsSync(pathOf(part)) ? readFileSync(pathOf(part), 'utf8') : '';
        return JSON.parse(`[${`${first}${last}`.slice(0, -1)}]`) as Value[];
      },
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
