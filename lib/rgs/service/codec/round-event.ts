import type { RoundEvent } from '../../rounds';
import { entry, roundCredit, roundDebit } from './round';
import {
  exactly,
  flag,
  list,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
  union,
  units,
  whole,
} from './shape';
import { endDue, owner, refusal, voidDue } from './transaction';

type Of<Type extends RoundEvent['type']> = Extract<RoundEvent, { readonly type: Type }>;

const settledDue = object<Of<'settled'>['transactions'][number]>({
  type: oneOf('debit', 'credit', 'end', 'void'),
  hash: text,
  fate: oneOf('processed', 'declined', 'dropped', 'withdrawn', 'due', 'held'),
  refusal: nullable(refusal),
});

/** Every event of a round (B4). */
export const roundEvent: Shape<RoundEvent> = union<RoundEvent, 'type'>('type', {
  started: object<Of<'started'>>({
    type: exactly('started'),
    at: whole,
    owner,
    gameRound: text,
    isNamed: flag,
    debit: roundDebit,
    credit: nullable(roundCredit),
    end: nullable(endDue),
    entries: list(entry),
  }),
  debitAdded: object<Of<'debitAdded'>>({
    type: exactly('debitAdded'),
    at: whole,
    debit: roundDebit,
    entry,
  }),
  entryAdded: object<Of<'entryAdded'>>({
    type: exactly('entryAdded'),
    at: whole,
    entry,
    taken: units,
    spins: nullable(object({ counterType: text, awarded: whole, used: whole })),
  }),
  collected: object<Of<'collected'>>({
    type: exactly('collected'),
    at: whole,
    credit: roundCredit,
  }),
  closed: object<Of<'closed'>>({ type: exactly('closed'), at: whole, end: endDue }),
  voided: object<Of<'voided'>>({ type: exactly('voided'), at: whole, void: voidDue }),
  settled: object<Of<'settled'>>({
    type: exactly('settled'),
    transactions: list(settledDue),
    effect: nullable(oneOf('cancelled', 'declined', 'stranded', 'crashed')),
    needsPerson: flag,
    voids: list(voidDue),
  }),
  givenUp: object<Of<'givenUp'>>({ type: exactly('givenUp'), at: whole }),
});
