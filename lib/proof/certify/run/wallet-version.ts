import type { Exchange } from '../client';

/** The header with which a wallet may say its name and version. */
const versionHeader = 'x-wallet-version';
/** Characters that are kept of it, and different values. */
const [longest, most] = [128, 5];

/** Collects what the wallet says of its version. */
export class SentVersions {
  readonly #seen = new Set<string>();

  add({ reply }: Exchange): void {
    if (reply.kind !== 'reply' || this.#seen.size === most) return;
    const said = reply.headers[versionHeader]?.trim().slice(0, longest).toWellFormed() ?? '';
    if (said !== '') this.#seen.add(said);
  }

  result(): string[] {
    return [...this.#seen];
  }
}
