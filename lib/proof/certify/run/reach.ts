import type { Exchange } from '../client';
import type { RunWallet } from './wallet';

/** A wallet that takes no connection at the end of so many cases in a row has gone. */
const mostCases = 3;
/** Pauses before a look whether it is back, after each of these cases, in milliseconds: it may be starting again. */
const lookAgainMs = [250, 1000, 4000];

/** Whether the calls of a case reach the wallet, and since when none does. */
export class Reach {
  #calls = 0;
  #lost = 0;
  #isLastLost = false;
  #isCut = false;
  #why = '';
  #inARow = 0;
  #since: string | null = null;

  /** Forgets the calls of the case before. */
  begin(): void {
    [this.#calls, this.#lost, this.#isLastLost, this.#isCut] = [0, 0, false, false];
  }

  add({ reply, isUnconnected = false }: Exchange): void {
    this.#calls += 1;
    this.#isLastLost = isUnconnected;
    if (isUnconnected) {
      this.#lost += 1;
      this.#why = reply.kind === 'cut' ? reply.why : 'none in time';
    } else if (reply.kind !== 'reply') this.#isCut = true;
  }

  /** Why no call of the case had a connection; null if one had, or there was none. */
  get whyNone(): string | null {
    return this.#lost > 0 && this.#lost === this.#calls ? this.#why : null;
  }

  /** Whether a call of the case had a connection, and no whole reply on it: the wallet may have ended by that call. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Id of the case in which the wallet was lost; null while it is there. */
  get since(): string | null {
    return this.#since;
  }

  /** Whether the wallet has gone for good. */
  get isGone(): boolean {
    return this.#inARow >= mostCases;
  }

  /** A case is over. Waits a while for a wallet that did not take its last call. */
  async ended(id: string, wallet: RunWallet, playerId: string): Promise<void> {
    if (this.#calls === 0) return;
    if (this.#isLastLost) await untilConnected(wallet, playerId);
    if (this.#isLastLost) {
      this.#inARow += 1;
      this.#since ??= id;
    } else [this.#inARow, this.#since] = [0, null];
  }
}

/** Looks for the wallet until it takes a connection, as the last call of it then tells. */
async function untilConnected(wallet: RunWallet, playerId: string): Promise<void> {
  const { clock, signer, currency } = wallet;
  for (const pauseMs of lookAgainMs) {
    await clock.pause(pauseMs);
    if (wallet.timeLeftMs() === 0) return;
    const { exchange } = await wallet.send(signer.getBalance({ playerId, currency }));
    if (!exchange.isUnconnected) return;
  }
}
