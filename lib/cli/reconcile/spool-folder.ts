import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../../operator/reconciliation/rounds/spool';

/** Characters of a part that are kept before they are written. */
const mostHeld = 65_536;

/**
 * Parts in files of a temporary folder, which this user alone can read: they name players. {@link remove} deletes it.
 */
export class SpoolFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rgs-wallet-reconcile-'));

  /** A spool with files of this name. */
  spool(name: string): Spool {
    const held = new Map<number, string[]>();
    const sizes = new Map<number, number>();
    const pathOf = (part: number): string => join(this.#folder, `${name}-${part}`);
    const write = (part: number): void => {
      const lines = held.get(part) ?? [];
      if (lines.length > 0) appendFileSync(pathOf(part), `${lines.join('\n')}\n`, { mode: 0o600 });
      held.delete(part);
      sizes.delete(part);
    };
    return {
      add(part, line) {
        const lines = held.get(part);
        if (lines === undefined) held.set(part, [line]);
        else lines.push(line);
        const size = (sizes.get(part) ?? 0) + line.length;
        sizes.set(part, size);
        if (size > mostHeld) write(part);
      },
      read(part) {
        const last = held.get(part) ?? [];
        if (!existsSync(pathOf(part))) return last;
        const lines = readFileSync(pathOf(part), 'utf8').split('\n');
        lines.pop();
        return [...lines, ...last];
      },
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
