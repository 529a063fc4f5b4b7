import { createHash } from 'node:crypto';
import { quoteSchema } from './name';

/** A function of the schema; its migration describes its arguments and answer. */
export interface StoreFunction {
  readonly name: string;
  readonly parameters: number;
  /** Number of texts in its longest line. */
  readonly width: number;
}

/** The functions of the store: every method is one call of one of them. */
export const functions = {
  commitRound: { name: 'commit_round', parameters: 38, width: 4 },
  loadRound: { name: 'load_round', parameters: 4, width: 19 },
  readRound: { name: 'read_round', parameters: 3, width: 19 },
  readAccounts: { name: 'read_accounts', parameters: 2, width: 4 },
  readPlayer: { name: 'read_player', parameters: 2, width: 4 },
  openPlayer: { name: 'open_player', parameters: 7, width: 4 },
  blockPlayer: { name: 'block_player', parameters: 5, width: 1 },
  moveCash: { name: 'move_cash', parameters: 8, width: 5 },
  listAttention: { name: 'list_attention', parameters: 4, width: 3 },
  listUnfinished: { name: 'list_unfinished', parameters: 4, width: 2 },
  forgetRounds: { name: 'forget_rounds', parameters: 1, width: 1 },
} as const satisfies Record<string, StoreFunction>;

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
  const values = Array.from({ length: parameters }, (_, at) => `$${at + 1}`);
  const text = `SELECT ${columns.join(', ')} FROM ${quoteSchema(schema)}.${name}(${values.join(', ')}) AS line`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { text, name: `rgs_${name}_${digest}` };
}
