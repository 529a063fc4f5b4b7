import type { IncomingMessage, ServerResponse } from 'node:http';

/** An operator and its current secrets. */
export interface PlainOperator {
  readonly id: string;
  readonly secrets: readonly string[];
}

/** A player at the start; amounts as on the wire. */
export interface PlainPlayer {
  readonly id: string;
  /** The first operator unless set. */
  readonly operator?: string;
  readonly currency: string;
  readonly real: number | string;
  readonly bonus?: number | string;
  readonly discounts?: readonly {
    readonly stake: number;
    readonly absoluteDiscountAmount: number;
    readonly spinsRemaining: number;
  }[];
}

export interface PlainWalletOptions {
  /** Names of plants.cjs; none unless set: the right wallet. */
  readonly plants?: ReadonlySet<string>;
  readonly operators?: readonly PlainOperator[];
  readonly players?: readonly PlainPlayer[];
  /** Where calls are kept, so that a wallet over the same file goes on where this one ended. */
  readonly file?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The clock by which it forgets; `now` unless set. */
  readonly memoryNow?: () => number;
  /** Where a planted wallet dies; it cuts the connection unless set. */
  readonly onCrash?: () => void;
}

export interface PlainWallet {
  /** For `http.createServer`. */
  readonly listener: (req: IncomingMessage, res: ServerResponse) => void;
  /** The same without a server. */
  answer(request: {
    readonly method: string;
    readonly url: string;
    readonly rawHeaders: readonly string[];
    readonly body: Uint8Array;
    /** The same object for each request of a connection. */
    readonly connection?: object;
  }): Promise<{ readonly status: number; readonly type: string; readonly text: string }>;
  close(): void;
}

export const OPERATORS: readonly PlainOperator[];
export const PLAYERS: readonly PlainPlayer[];

/** @throws TypeError on the name of a plant that is not known. */
export function createWallet(options?: PlainWalletOptions): PlainWallet;
