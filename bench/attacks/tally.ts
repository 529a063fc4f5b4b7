import { type Api, type Kind, kinds } from './inputs/input';

/** Something that must not be. */
export interface Fault {
  /** Of the input that it was seen at. */
  readonly number: number;
  readonly kind: Kind;
  readonly name: string;
  readonly text: string;
}

/** What was played, and what was wrong. */
export interface Tally {
  inputs: number;
  /** Balances that were compared. */
  balances: number;
  readonly byKind: Record<Kind, number>;
  readonly byApi: Record<Api, number>;
  /** By status; `none` for a caller that was gone. */
  readonly byStatus: Map<string, number>;
  readonly faults: Fault[];
  readonly count: (kind: Kind, api: Api, status: number | null) => void;
}

/** Nothing yet. */
export function newTally(): Tally {
  const byStatus = new Map<string, number>();
  const tally: Tally = {
    inputs: 0,
    balances: 0,
    byKind: Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>,
    byApi: { wallet: 0, engine: 0, provider: 0 },
    byStatus,
    faults: [],
    count(kind, api, status) {
      tally.inputs++;
      tally.byKind[kind]++;
      tally.byApi[api]++;
      const name = status === null ? 'none' : String(status);
      byStatus.set(name, (byStatus.get(name) ?? 0) + 1);
    },
  };
  return tally;
}
