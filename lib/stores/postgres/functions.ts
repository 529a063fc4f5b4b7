import { quoteSchema } from './schema-name';

/** A function of the schema; its migration says what it takes and answers. */
export interface StoreFunction {
  readonly name: string;
  readonly parameters: number;
  /** Texts of its longest line. */
  readonly width: number;
}

/** The functions of the store: every method is one call of one of them. */
export const functions = {
  commitRound: { name: 'commit_round', parameters: 42, width: 4 },
  loadRound: { name: 'load_round', parameters: 4, width: 16 },
  readRound: { name: 'read_round', parameters: 3, width: 16 },
  readAccounts: { name: 'read_accounts', parameters: 2, width: 4 },
  openPlayer: { name: 'open_player', parameters: 7, width: 4 },
  blockPlayer: { name: 'block_player', parameters: 5, width: 1 },
  moveCash: { name: 'move_cash', parameters: 8, width: 5 },
  listAttention: { name: 'list_attention', parameters: 4, width: 3 },
  listUnfinished: { name: 'list_unfinished', parameters: 4, width: 2 },
  forgetRounds: { name: 'forget_rounds', parameters: 1, width: 1 },
} as const satisfies Record<string, StoreFunction>;

/** The statement that calls a function: its lines, each text a column of its own. */
export function statementOf({ name, parameters, width }: StoreFunction, schema: string): string {
  const columns = Array.from({ length: width }, (_, at) => `line[${at + 1}]`);
  const values = Array.from({ length: parameters }, (_, at) => `$${at + 1}`);
  return `SELECT ${columns.join(', ')} FROM ${quoteSchema(schema)}.${name}(${values.join(', ')}) AS line`;
}
