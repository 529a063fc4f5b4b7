import type { Repair, RoundHead, RoundState } from '../../gameround';
import { type StakedRound, stakeOf } from '../../gameround/repairs/resolve';
import type { RoundKey } from '../player/round-key';

/**
 * A round that a person should look at. The optional members are those of `createAttentionEntry`: a store
 * of your own may leave them out.
 */
export interface AttentionEntry extends RoundKey {
  readonly state: RoundState;
  /** When the round entered its state, in milliseconds since 1970. */
  readonly stateSince?: number;
  /** The game of the round's first call; null if nothing is known of it. */
  readonly gameCode?: string | null;
  /** The currency of `atStake`; null if the round has none. */
  readonly currency?: string | null;
  /**
   * The money at stake, in units. For a stranded or crashed round: the credits that were refused for good,
   * which is what the player was not paid. For any other, and where no such credit is recorded: what the
   * debits took less what the credits gave, which is what a void would give back; below zero if the player
   * is ahead.
   */
  readonly atStake?: bigint;
  /**
   * The code with which a credit of `atStake` was refused for good, the first by name of several; null or absent
   * without any.
   */
  readonly refusal?: string | null;
  /** The round's latest proposal, if the round has not changed since; otherwise absent (D11). */
  readonly proposal?: Pick<Repair, 'id' | 'kind' | 'proposedBy' | 'proposedAt'>;
}

/** The rounds of an operator that wait for something. */
export interface RoundLists {
  /**
   * The operator's rounds that are cancelled, stranded or crashed, each built by `createAttentionEntry`. A
   * round that changes its state meanwhile may be missing, or listed with its former state. It costs what
   * is listed, whatever else the store holds.
   * @throws StoreUnavailableError
   */
  attention(operatorId: string): AsyncIterable<AttentionEntry>;

  /**
   * The operator's rounds that are open, and have been since `before` (milliseconds since 1970) or longer:
   * a round whose end never came. Optional: lists without an index of them do not have it, such as those in
   * Redis without the option `history`. It costs what is listed.
   * @throws StoreUnavailableError
   */
  readonly openRounds?:
    | ((operatorId: string, before: number) => AsyncIterable<AttentionEntry>)
    | undefined;

  /**
   * The operator's rounds whose head has pending work. A round that changes meanwhile may be missing, or
   * listed although its pending work is done. Optional: only the rounds of a ledger have any.
   * @throws StoreUnavailableError
   */
  unfinished?(operatorId: string): AsyncIterable<RoundKey>;
}

/** Of a round, what its entry has; a whole RoundView has it. */
export interface ListedRound extends StakedRound {
  readonly head: StakedRound['head'] & Pick<RoundHead, 'version' | 'changedAt' | 'gameCode'>;
}

/**
 * The entry of a round, for a store's `lists`. Only the entries of credits that are not
 * accepted count; a store may leave out all others. Refused credits in several currencies are summed in that of
 * the first one given.
 */
export function createAttentionEntry(
  { operatorId, playerId, gameRound }: RoundKey,
  view: ListedRound,
): AttentionEntry {
  const { head } = view;
  const { currency, units: atStake, refusal } = stakeOf(view);
  // A page builds thousands: a spread of the key would be slower than all the rest.
  const entry: AttentionEntry = {
    operatorId,
    playerId,
    gameRound,
    state: head.state,
    stateSince: head.changedAt,
    gameCode: head.gameCode,
    currency,
    atStake,
    refusal,
  };
  const open = head.repairs?.list.find(
    ({ status, version }) => status === 'proposed' && version === head.version,
  );
  if (open === undefined) return entry;
  const { id, kind, proposedBy, proposedAt } = open;
  return { ...entry, proposal: { id, kind, proposedBy, proposedAt } };
}
