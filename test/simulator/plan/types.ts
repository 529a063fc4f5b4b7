import type { RepairKind } from '../../../lib/operator/gameround';
import type { LimitKind, LimitWindow } from '../../../lib/operator/wallet';
import type { AttackKind } from './attack-kinds';

/** Where the money of a world is. */
export type StoreName = 'memory' | 'ledger' | HostedName;

/** A store over a server in this process, given as an option beside the plan: Redis' scripts in Lua, PostgreSQL's SQL. */
export type HostedName = 'lua' | 'sql';

/** Those that need nothing else. */
export const storeNames = ['memory', 'ledger'] as const satisfies readonly StoreName[];

/** Those that need a server in this process. */
export const hostedNames: readonly HostedName[] = ['lua', 'sql'];

/** A transaction of a call, in units; a void is no item: it follows of an answer, or is a step of its own. */
export interface Item {
  readonly type: 'debit' | 'credit' | 'end';
  readonly hash: string;
  /** Units; 0 for an end. */
  readonly amount: number;
  /** Set on the initial debit. */
  readonly first?: true | undefined;
  /** Where it is not that of the round. */
  readonly currency?: string | undefined;
  /** Of a free play. */
  readonly serial?: string | undefined;
  /** Units that a debit is to be less, if they are eligible: even ones are. */
  readonly discount?: number | undefined;
}

/** How the voids of a call are sent (W2). */
export type VoidOrder = 'together' | 'apart' | 'lastFirst';

/** What the service does next in a round, after a pause in milliseconds. */
export type Step =
  /** Sends a call, and does what its answer demands. */
  | {
      readonly do: 'call';
      readonly pauseMs: number;
      readonly items: readonly Item[];
      /** Milliseconds until the service gives up its answer (W1). */
      readonly patienceMs: number;
      readonly voids: VoidOrder;
      /** Sent also though the round has ended: a win that something else passed (D4.7). */
      readonly afterEnd?: true | undefined;
    }
  /** Voids a debit, whether it stands, was declined, or was never sent. */
  | {
      readonly do: 'void';
      readonly pauseMs: number;
      readonly hash: string;
      readonly amount: number;
    }
  /** Sends an earlier call of the round again, by its place among the calls; `other` with other amounts. */
  | {
      readonly do: 'again';
      readonly pauseMs: number;
      readonly call: number;
      readonly other: boolean;
    };

/** A round that the service plays. */
export interface RoundPlan {
  /** The gameRound. */
  readonly id: string;
  /** The workload that it is of. */
  readonly kind: string;
  /** Place of its player in the plan. */
  readonly player: number;
  /** Its currency; the usual one unless set. */
  readonly currency?: string;
  /** When it begins, in milliseconds from the start. */
  readonly atMs: number;
  readonly steps: readonly Step[];
}

/** How calls come: as messages, or as signed requests over HTTP. */
export type Wire = 'message' | 'http';

/** All there are. */
export const wires: readonly Wire[] = ['message', 'http'];

/** What becomes of a proposal: `own`: its own person approves it; `byTwo`: two at once; `leave`: nothing. */
export type RepairWay = 'approve' | 'twice' | 'byTwo' | 'own' | 'reject' | 'leave';

/** What happens beside the rounds: operators, people who repair, and on HTTP lines questions, rotations and attacks. */
export type Act =
  | {
      readonly do: 'deposit' | 'withdraw';
      readonly atMs: number;
      readonly player: number;
      readonly units: number;
      readonly reference: string;
      /** The usual one unless set. */
      readonly currency?: string;
    }
  /** A person sets a balance right, by units that may be below zero. */
  | {
      readonly do: 'correct';
      readonly atMs: number;
      readonly player: number;
      readonly units: number;
      readonly balance: 'real' | 'bonus';
      readonly reference: string;
      readonly currency?: string;
    }
  | {
      readonly do: 'block';
      readonly atMs: number;
      readonly player: number;
      readonly blocked: boolean;
      /** A block that ends by itself so many milliseconds after the order. */
      readonly forMs?: number;
    }
  /** A limit is set, or lifted where `units` is null (D13). */
  | {
      readonly do: 'limit';
      readonly atMs: number;
      readonly player: number;
      readonly kind: LimitKind;
      readonly window: LimitWindow;
      readonly units: number | null;
      readonly currency?: string;
      readonly zone?: string;
      readonly counts?: 'real' | 'all';
    }
  /** A person repairs a round that waits for one, and another decides about it (D11); `pick` says which. */
  | {
      readonly do: 'repair';
      readonly atMs: number;
      readonly kind: RepairKind;
      readonly way: RepairWay;
      readonly pick: number;
      /** Milliseconds between the proposal and the decision. */
      readonly pauseMs: number;
    }
  /** A reader of a consumer takes pages of the events that wait, and acknowledges each; where it `dies`, not the last one. */
  | {
      readonly do: 'read';
      readonly atMs: number;
      /** Place of the consumer. */
      readonly consumer: number;
      readonly atMost: number;
      readonly pages: number;
      readonly dies: boolean;
    }
  /** Somebody asks for a balance. */
  | { readonly do: 'ask'; readonly atMs: number; readonly player: number }
  /** The secret of the service is changed, with two of them accepted for a while (D1.2). */
  | { readonly do: 'rotate'; readonly atMs: number }
  /** An attacker makes something of a request of the service; `pick` says of which. */
  | {
      readonly do: 'attack';
      readonly atMs: number;
      readonly kind: AttackKind;
      readonly pick: number;
    };

/** Something that happens to a whole wallet process, for so many milliseconds. */
export interface Incident {
  /**
   * `kill`: it dies; `partition`: it cannot reach its store; `unplug`: the service cannot reach it; `outage`: no
   * process reaches what keeps the money.
   */
  readonly kind: 'kill' | 'partition' | 'unplug' | 'outage';
  readonly wallet: number;
  readonly atMs: number;
  readonly ms: number;
}

/** An account at the start, in units; `bonus` is null without such a balance. */
interface AccountPlan {
  readonly real: number;
  readonly bonus: number | null;
}

/** A player at the start, with an account in the usual currency, and perhaps another one. */
export interface PlayerPlan extends AccountPlan {
  readonly second?: AccountPlan & { readonly currency: string };
}

/** A history as data: what is played, to which wallet. The same plan and faults give the same trace. */
export interface Plan {
  /** Of everything that is drawn while it is played: delays, and faults where they are not given. */
  readonly seed: number;
  readonly store: StoreName;
  /** When the world begins, in milliseconds since 1970; as every world does unless set. */
  readonly startsAt?: number;
  /** `message` unless set. */
  readonly wire?: Wire;
  /** How long the store keeps rounds that are over (D10), in milliseconds; longer than the world lasts unless set. */
  readonly retentionMs?: number;
  /** Consumers of events that every process declares; none unless set. */
  readonly consumers?: number;
  /** Wallet processes over one store. */
  readonly wallets: number;
  readonly policy: { readonly useBonusFirst: boolean; readonly creditTo: 'real' | 'stakeShares' };
  /** The chance of a fault at each point of a line, and of a port. */
  readonly rates: { readonly line: number; readonly port: number };
  readonly players: readonly PlayerPlan[];
  readonly rounds: readonly RoundPlan[];
  readonly acts: readonly Act[];
  readonly incidents: readonly Incident[];
}
