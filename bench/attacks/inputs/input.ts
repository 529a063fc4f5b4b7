import type { GoodCall } from './call';
import type { RawRequest } from './raw-request';

export const kinds = ['forged', 'altered', 'bytes', 'good', 'nonsense'] as const;

/** What an input is: see `--help`. */
export type Kind = (typeof kinds)[number];

/** Who is called: the wallet; the RGS, by a provider; a provider, by the RGS. */
export type Api = 'wallet' | 'engine' | 'provider';

/** What the specification lets an input do. */
export type Expected =
  /** This status and, unless null, one of these ids; nothing moves. */
  | { readonly is: 'refused'; readonly status: number; readonly ids: readonly number[] | null }
  /** 200, and the money of the call moves; `units` is null where a balance is asked for. */
  | { readonly is: 'taken'; readonly playerId: string; readonly units: bigint | null }
  /** 200 for a call, and nothing moves. */
  | { readonly is: 'idle' }
  /** Reaches the service or the handler of the Game Engine API, which answers with this id. */
  | { readonly is: 'reached'; readonly id: number }
  /**
   * Bytes under a signature that is not theirs, or was seen with others: never processed (D1.1, D1.8). Voids alone under
   * one that was seen may be answered 503 (D1.8).
   */
  | { readonly is: 'shut'; readonly body: Buffer; readonly mayBeUnknown?: boolean }
  /** A signed call with bytes changed: processed only where what is signed is the same. */
  | { readonly is: 'same'; readonly call: GoodCall; readonly body: Buffer }
  /** The caller is gone: an answer at most, and nothing moves. */
  | { readonly is: 'gone' };

/** One input, with what it may do. */
export interface Input {
  readonly kind: Kind;
  readonly api: Api;
  /** Which of its kind, for the report. */
  readonly name: string;
  readonly request: RawRequest;
  readonly expected: Expected;
}

/** What the specification says of every failure of authentication (D1.1, E2.1). */
export const unauthenticated: Expected = { is: 'refused', status: 401, ids: [1001] };

/** Refused with one of these ids and 400. */
export function refusedWith(...ids: readonly number[]): Expected {
  return { is: 'refused', status: 400, ids };
}
