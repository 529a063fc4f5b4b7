import type { AccountStore } from '../../../../lib/operator/wallet';
import type { MortalServer } from '../../../rgs/load/scene';
import type { Faults } from '../faults/fault';
import type { Losses } from '../losses/loss';

/** Decimals of the money of every field. */
export const decimals = 2;

/** What keeps the money of a run: real servers, and what can go wrong with them. */
export interface Field {
  /** `--store` of the wallet, and what belongs to it. */
  readonly storeFlags: readonly string[];
  /** Of the store itself, past what goes wrong with connections. */
  readonly address: string;
  /** What keeps the money and takes writes now. */
  readonly server: MortalServer;
  /** Beside what can go wrong with the processes of the wallet. */
  readonly faults: Faults;
  /** Ways to lose what was acknowledged, played after the faults. */
  readonly losses?: Losses;
  /** Opens the store at its address; it creates what is missing. */
  openStore(): AccountStore;
}
