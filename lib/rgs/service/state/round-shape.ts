import { type EngineErrorCode, engineErrors } from '../../../protocol/engine-api/errors';
import type {
  CreditDue,
  DatedVoid,
  DebitDue,
  Discount,
  Due,
  EndDue,
  Entry,
  Owner,
  Refusal,
  Round,
  RoundCredit,
  RoundDebit,
  SpinCounter,
  VoidDue,
} from '../../rounds/round';
import type { RoundEvent } from '../../rounds/event';
import {
  byType,
  exactly,
  flag,
  list,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
  texts,
  union,
  units,
  whole,
} from './shape';

/** What every transaction has that is due. */
const sent = { hash: text, at: whole, reason: text } as const;

const discount = object<Discount>({ amount: units, campaignId: text });

const debitDue = object<DebitDue>({
  type: exactly('debit'),
  ...sent,
  isFirstDebit: flag,
  amount: units,
  currency: text,
  discount: nullable(discount),
  serial: nullable(text),
});

const creditDue = object<CreditDue>({
  type: exactly('credit'),
  ...sent,
  amount: units,
  currency: text,
});

const endDue = object<EndDue>({
  type: exactly('end'),
  ...sent,
});

const voidDue = object<VoidDue>({
  type: exactly('void'),
  ...sent,
  amount: units,
  currency: text,
});

const due: Shape<Due> = union<Due, 'type'>('type', {
  debit: debitDue,
  credit: creditDue,
  end: endDue,
  void: voidDue,
});

export const owner: Shape<Owner> = object<Owner>({
  gameProviderId: text,
  operatorId: text,
  playerId: text,
  gameCode: text,
  mode: oneOf('REAL', 'DEMO'),
  currency: text,
  currencyMultiplier: text,
});

const codes = Object.keys(engineErrors) as EngineErrorCode[];

const refusal: Shape<Refusal> = union<Refusal, 'kind'>('kind', {
  ours: object({ kind: exactly('ours'), code: oneOf(...codes), rule: text }),
  operator: object({
    kind: exactly('operator'),
    id: whole,
    clientmsg: nullable(text),
    rule: text,
  }),
});

const roundDebit = object<RoundDebit>({
  due: debitDue,
  key: nullable(text),
  content: text,
  stake: units,
  state: oneOf('due', 'accepted', 'declined', 'withdrawn', 'voided'),
  refusal: nullable(refusal),
});

const roundCredit = object<RoundCredit>({
  due: creditDue,
  key: nullable(text),
  content: text,
  state: oneOf('due', 'paid', 'refused', 'held', 'dropped'),
});

const entry = object<Entry>({
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
type OwnedRound = Omit<Round, 'owner'>;

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
  voids: list(object<DatedVoid>({ hash: text, at: whole })),
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

type Settled = Extract<RoundEvent, { readonly type: 'settled' }>;

const settledDue = object<Settled['transactions'][number]>({
  type: oneOf('debit', 'credit', 'end', 'void'),
  hash: text,
  fate: oneOf('processed', 'declined', 'dropped', 'withdrawn', 'due', 'held'),
  refusal: nullable(refusal),
});

/** Every event of a round (B4). */
export const roundEvent: Shape<RoundEvent> = byType<RoundEvent>({
  started: {
    at: whole,
    owner,
    gameRound: text,
    isNamed: flag,
    debit: roundDebit,
    credit: nullable(roundCredit),
    end: nullable(endDue),
    entries: list(entry),
  },
  debitAdded: { at: whole, debit: roundDebit, entry },
  entryAdded: { at: whole, entry, taken: units, spins: nullable(counter) },
  collected: { at: whole, credit: roundCredit },
  closed: { at: whole, end: endDue },
  voided: { at: whole, void: voidDue },
  settled: {
    transactions: list(settledDue),
    effect: nullable(oneOf('cancelled', 'declined', 'stranded', 'crashed')),
    needsPerson: flag,
    voids: list(voidDue),
  },
  givenUp: { at: whole },
});
