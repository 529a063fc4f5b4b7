import { createHash } from 'node:crypto';
import type { PostgresValue } from '../client/port';
import { quoteSchema } from './name';

/** A function of the schema; its migration describes its parameters and answer. */
export interface StoreFunction {
  readonly name: string;
  /** Their names, in the order in which values are sent. */
  readonly parameters: readonly string[];
  /** Number of texts in its longest line. */
  readonly width: number;
}

/** A value for each parameter of a function. */
export type ValuesOf<F extends StoreFunction> = {
  readonly [name in F['parameters'][number]]: PostgresValue;
};

const ofPlayer = ['of_operator', 'of_player'] as const;
const ofRound = [...ofPlayer, 'of_round'] as const;
const page = ['of_operator', 'after_player', 'after_round', 'at_most'] as const;
/** What every function that writes takes. */
const writing = ['accept_loss', 'lock_timeout_ms'] as const;
const nextHead = [
  'next_version',
  'next_state',
  'next_resume',
  'next_changed_at',
  'next_currency',
  'next_game_code',
  'is_started',
  'next_credited',
  'next_ended',
  'next_declined',
  'next_unanswered',
  'debits_real',
  'debits_bonus',
  'credits_real',
  'credits_bonus',
] as const;
const pending = ['keeps_pending', 'next_pending', 'needs_attention', 'keep_ms'] as const;
const guard = ['in_currency', 'net', 'lowest', 'highest', 'takes', 'bonus_first'] as const;
const records = ['opening', 'record_hash', 'record_kind', 'record_text', 'record_take'] as const;
const commit = [
  ...ofRound,
  'expected_version',
  ...nextHead,
  ...pending,
  'movements',
  ...guard,
  'took',
  ...records,
] as const;
const cash = [...ofPlayer, 'of_reference', 'move_units', 'of_currency', 'of_balance'] as const;
const account = [...ofPlayer, 'of_currency', 'real_units', 'bonus_units'] as const;

/** The functions of the store: every method is one call of one of them. */
export const functions = {
  commitRound: { name: 'commit_round', parameters: [...writing, ...commit], width: 4 },
  loadRound: { name: 'load_round', parameters: [...ofRound, 'hashes'], width: 19 },
  readRound: { name: 'read_round', parameters: ofRound, width: 19 },
  readAccounts: { name: 'read_accounts', parameters: ofPlayer, width: 4 },
  readPlayer: { name: 'read_player', parameters: ofPlayer, width: 4 },
  openPlayer: { name: 'open_player', parameters: [...writing, ...account], width: 4 },
  blockPlayer: {
    name: 'block_player',
    parameters: [...writing, ...ofPlayer, 'is_blocked'],
    width: 1,
  },
  moveCash: { name: 'move_cash', parameters: [...writing, ...cash], width: 5 },
  listAttention: { name: 'list_attention', parameters: page, width: 3 },
  listUnfinished: { name: 'list_unfinished', parameters: page, width: 2 },
  forgetRounds: { name: 'forget_rounds', parameters: ['at_most'], width: 1 },
} as const satisfies Record<string, StoreFunction>;

/** The arguments of a function, in the order of its parameters. */
export function inOrder<F extends StoreFunction>(
  { parameters }: F,
  values: ValuesOf<F>,
): PostgresValue[] {
  const byName: Readonly<Record<string, PostgresValue>> = values;
  return parameters.map((name) => byName[name] as PostgresValue);
}

/** A statement, and the name to prepare it under. */
export interface Statement {
  readonly text: string;
  readonly name: string;
}

/**
 * The statement that calls a function: its lines, each text in its own column. The name is derived from
 * the text: in sessions shared with other schemas or versions it cannot mean another statement.
 */
export function statementOf({ name, parameters, width }: StoreFunction, schema: string): Statement {
  const columns = Array.from({ length: width }, (_, at) => `line[${at + 1}]`);
  const values = parameters.map((parameter, at) => `${parameter} => $${at + 1}`);
  const text = `SELECT ${columns.join(', ')} FROM ${quoteSchema(schema)}.${name}(${values.join(', ')}) AS line`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { text, name: `rgs_${name}_${digest}` };
}
