import type { RepairKind, RoundRepairs } from '../gameround';
import type { Repair } from '../gameround/round';
import type { Actor, CashMovement } from './player/cash';
import type { LimitTerms } from './player/limits';
import type { BlockRecord } from './players';
import type { PlayerKey, RoundKey } from './player/round-key';
import type { Unknown } from './player/store-errors';

/**
 * What kinds of acts of people there are: a proposal or a decision of a repair; a player was blocked, or it was lifted; a limit
 * was set or lifted; a balance was corrected; cash of any other kind; a file was taken out of the store; somebody may do more
 * or less.
 */
export const actKinds = [
  'repair',
  'block',
  'limit',
  'correction',
  'cash',
  'export',
  'rights',
] as const;
/** One of {@link actKinds}. */
export type ActKind = (typeof actKinds)[number];

/** What a person did with a repair. `approved`: whatever became of it; its round says. */
export const repairSteps = ['proposed', 'approved', 'rejected'] as const;
/** One of {@link repairSteps}. */
export type RepairStep = (typeof repairSteps)[number];

/** Who did something to which player, when and why. */
interface ByPerson extends PlayerKey {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: Actor;
  readonly reason: string | null;
}

/** What was done, without who did it. */
export type ActContent =
  | ({ readonly type: 'cash' } & Pick<
      CashMovement,
      'kind' | 'reference' | 'currency' | 'balance' | 'units'
    >)
  | ({ readonly type: 'block' } & Pick<BlockRecord, 'blocked' | 'until'>)
  /** `amount` in units; null where the limit was lifted. */
  | { readonly type: 'limit'; readonly limit: LimitTerms & { readonly amount: bigint | null } }
  | {
      readonly type: 'repair';
      readonly step: RepairStep;
      readonly gameRound: string;
      /** The id of the repair. */
      readonly repair: string;
      readonly kind: RepairKind;
      /** Null for a round without one. */
      readonly currency: string | null;
      /** What it pays, or is about, in units. */
      readonly amount: bigint;
    };

/** A file that a person took out of the store. An export has one act, or two where it began with a part of its rows. */
export interface ExportContent {
  readonly type: 'export';
  /** The name of the export. */
  readonly id: string;
  /** `begun`: before the first byte was sent; `ended`: after the last row, also where the reader left. */
  readonly step: 'begun' | 'ended';
  /** Name of the file without its day, such as `rounds.csv`. */
  readonly file: string;
  /** What was asked for besides the operator and the player, by the names of the query. */
  readonly filter: Readonly<Record<string, string>>;
  /** Rows that were read for it so far. */
  readonly rows: number;
  /** Whether these are all that fit. */
  readonly isWhole: boolean;
}

/** An export by a person; `playerId` is null where it was not of one player. */
export type ExportAct = ExportContent &
  Omit<ByPerson, 'playerId' | 'reason'> & { readonly playerId: string | null };

/** What somebody may do from then on. The store knows no rights: who does notes it. */
export interface RightsContent {
  readonly type: 'rights';
  /** The name of the change. */
  readonly id: string;
  /** Who may do it. */
  readonly person: Actor;
  /** By the names of the operations pages; nothing if it is empty. */
  readonly may: readonly string[];
  /** What it was until then; null for somebody who was not known. */
  readonly before: readonly string[] | null;
}

/** A change of somebody's rights by a person. */
export type RightsAct = RightsContent & Omit<ByPerson, 'playerId'> & { readonly playerId: null };

/** An act that the store does not see by itself. */
export type NotedAct = ExportAct | RightsAct;

/** Something that a person did. `type`, `by` and `reason` are as in the events. */
export type PersonAct =
  | (ByPerson & ActContent)
  | (ExportAct & { readonly reason: null })
  | RightsAct;

/** Which acts of an operator to list. */
export interface ActsQuery {
  /** The `next` of a page before, of the same filters: the acts that are older. */
  readonly cursor?: string;
  /** Most acts of the page, 1 to 200; 50 unless set. */
  readonly limit?: number;
  /** Only acts of this person, by the whole id. */
  readonly person?: string;
  /** Only what was done to this player. */
  readonly playerId?: string;
  readonly kind?: ActKind;
  /** Only acts of this moment or later, in milliseconds since 1970. */
  readonly from?: number;
  /** Only acts before this moment, in milliseconds since 1970. */
  readonly to?: number;
}

/** The answer to {@link ActList.list}. */
export type ActsPageResult =
  | {
      readonly kind: 'known';
      /** Newest first. */
      readonly acts: readonly PersonAct[];
      /** For the next page; null if this was the last. */
      readonly next: string | null;
      /** Acts from before are not listed, in milliseconds since 1970; null if all are. */
      readonly since: number | null;
    }
  | Unknown;

/** The answer to {@link ActList.note}. */
export type NoteActResult = { readonly kind: 'noted' } | Unknown;

/**
 * What people did in a store: repairs, blocks, limits, corrections, other cash, exports and changes of rights. Kept for ever.
 * What programs did is not listed, and what was refused is not either. Nothing of it is on the path of a call.
 */
export interface ActList {
  /**
   * The acts of an operator, the newest first, a page at a time. An act keeps its place, so it is listed once, whatever is
   * done between two pages. A page may have fewer acts than its limit, also none, and yet have a `next`: with filters a
   * store may read a limited number of acts for it.
   * @throws TypeError for wrong use, and for a cursor that this store did not give for this operator and the same filters.
   */
  list(operatorId: string, query?: ActsQuery): Promise<ActsPageResult>;

  /**
   * Writes down what the store does not see by itself. Repeating an act, of the same time and id, changes nothing. Breaks
   * otherwise: data leave the store and nobody can say with whom.
   * @throws InvalidInputError or TypeError that names what is wrong in the act.
   */
  note(act: NotedAct): Promise<NoteActResult>;
}

/** The kind of an act. */
export function actKindOf(act: ActContent | ExportContent | RightsContent): ActKind {
  if (act.type !== 'cash') return act.type;
  return act.kind === 'correction' ? 'correction' : 'cash';
}

/** What a person did with a repair of a round; null if nobody has decided it. */
export function repairAct(
  round: RoundKey,
  repair: Repair,
  step: RepairStep,
): Exclude<PersonAct, NotedAct> | null {
  const { operatorId, playerId, gameRound } = round;
  const { id, kind, currency, amount } = repair;
  const content = { type: 'repair', step, gameRound, repair: id, kind, currency, amount } as const;
  const key = { operatorId, playerId };
  if (step === 'proposed') {
    const { proposedAt: at, proposedBy: by, reason } = repair;
    return { ...key, at, by, reason, ...content };
  }
  const { decidedAt: at, decidedBy: by, note } = repair;
  if (at === null || by === null) return null;
  // The note of one that the account refused is not of a person.
  return { ...key, at, by, reason: step === 'rejected' ? note : null, ...content };
}

/** The step by which a repair was decided. */
export function decisionOf({ status }: Pick<Repair, 'status'>): RepairStep {
  return status === 'rejected' ? 'rejected' : 'approved';
}

/** A repair at a step that a change of its round has made. */
export interface RepairChange {
  readonly repair: Repair;
  readonly step: RepairStep;
}

/** What people did by a change of a round's repairs: the first decision of each counts. */
export function repairSteppedBy(
  before: RoundRepairs | undefined,
  after: RoundRepairs | undefined,
): readonly RepairChange[] {
  if (after === undefined || after === before) return [];
  const known = new Map(before?.list.map((repair) => [repair.id, repair]));
  return after.list.flatMap((repair) => {
    const old = known.get(repair.id);
    const isDecided = repair.decidedAt !== null && (old?.decidedAt ?? null) === null;
    return [
      ...(old === undefined ? [{ repair, step: 'proposed' } as const] : []),
      ...(isDecided ? [{ repair, step: decisionOf(repair) }] : []),
    ];
  });
}
