import type { Entry, Round, RoundCredit, RoundDebit, SpinCounter } from '../../rounds';
import {
  flag,
  list,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
  texts,
  units,
  whole,
} from './shape';
import { creditDue, debitDue, due, owner, refusal } from './transaction';

/** A debit of a round. */
export const roundDebit: Shape<RoundDebit> = object<RoundDebit>({
  due: debitDue,
  key: nullable(text),
  content: text,
  stake: units,
  state: oneOf('due', 'accepted', 'declined', 'withdrawn', 'voided'),
  refusal: nullable(refusal),
});

/** A credit of a round. */
export const roundCredit: Shape<RoundCredit> = object<RoundCredit>({
  due: creditDue,
  key: nullable(text),
  content: text,
  state: oneOf('due', 'paid', 'refused', 'held', 'dropped'),
});

/** An entry of gameState. */
export const entry: Shape<Entry> = object<Entry>({
  hash: text,
  type: oneOf('debit', 'genericwin', 'wager', 'spincounter'),
  at: whole,
  winAmount: units,
  open: units,
  collected: units,
  amountWagered: nullable(units),
  info: texts,
  protectedInfo: texts,
  reason: text,
  jackpotIds: list(text),
  key: nullable(text),
  content: text,
});

const counter = object<SpinCounter>({ counterType: text, awarded: whole, used: whole });

/** What a round is, but for its owner. */
export type OwnedRound = Omit<Round, 'owner'>;

const ownedMembers = {
  gameRound: text,
  isNamed: flag,
  state: oneOf(
    'starting',
    'open',
    'closed',
    'declined',
    'cancelled',
    'voided',
    'stranded',
    'crashed',
  ),
  endsAtOnce: flag,
  startedAt: whole,
  lastCallAt: whole,
  debits: list(roundDebit),
  credits: list(roundCredit),
  entries: list(entry),
  awaiting: list(entry),
  counters: list(counter),
  queue: list(due),
  undelivered: list(due),
  needsPerson: flag,
} as const;

/** A round without its owner, as rounds at rest are kept in memory. */
export const ownedRound: Shape<OwnedRound> = object<OwnedRound>(ownedMembers);

/** A whole round, as a snapshot of the journal has it. */
export const wholeRound: Shape<Round> = object<Round>({ owner, ...ownedMembers });
