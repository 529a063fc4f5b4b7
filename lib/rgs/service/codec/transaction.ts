import { type EngineErrorCode, engineErrors } from '../../../protocol/engine-api';
import type {
  CreditDue,
  DebitDue,
  Discount,
  Due,
  EndDue,
  Owner,
  Refusal,
  VoidDue,
} from '../../rounds';
import {
  exactly,
  flag,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
  union,
  units,
  whole,
} from './shape';

const discount = object<Discount>({ amount: units, campaignId: text });

/** A debit that is due. */
export const debitDue: Shape<DebitDue> = object<DebitDue>({
  type: exactly('debit'),
  hash: text,
  at: whole,
  reason: text,
  isFirstDebit: flag,
  amount: units,
  currency: text,
  discount: nullable(discount),
  serial: nullable(text),
});

/** A credit that is due. */
export const creditDue: Shape<CreditDue> = object<CreditDue>({
  type: exactly('credit'),
  hash: text,
  at: whole,
  reason: text,
  amount: units,
  currency: text,
});

/** An end that is due. */
export const endDue: Shape<EndDue> = object<EndDue>({
  type: exactly('end'),
  hash: text,
  at: whole,
  reason: text,
});

/** A void that is due. */
export const voidDue: Shape<VoidDue> = object<VoidDue>({
  type: exactly('void'),
  hash: text,
  at: whole,
  reason: text,
  amount: units,
  currency: text,
});

/** Any transaction that is due. */
export const due: Shape<Due> = union<Due, 'type'>('type', {
  debit: debitDue,
  credit: creditDue,
  end: endDue,
  void: voidDue,
});

/** The owner of a round. */
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

/** Why a call was refused. */
export const refusal: Shape<Refusal> = union<Refusal, 'kind'>('kind', {
  ours: object({ kind: exactly('ours'), code: oneOf(...codes), rule: text }),
  operator: object({
    kind: exactly('operator'),
    id: whole,
    clientmsg: nullable(text),
    rule: text,
  }),
});
