import { type AccountBooks, booksDifference } from '../../../lib/operator/wallet';
import { consumer, type Database, type Session } from './database';

const json = (rows: string): string => `coalesce((SELECT jsonb_agg(o) FROM (${rows}) AS o), '[]')`;

/** A table's rows of the operator, without what differs between two runs. */
function rowsOf(table: string, order: string, without: string): string {
  const names = `{operator_id${without === '' ? '' : ','}${without}}`;
  return json(
    `SELECT to_jsonb(t) - '${names}'::text[] AS row FROM rgs_wallet.${table} t WHERE t.operator_id = $1 ORDER BY ${order}`,
  );
}

/** Whether a row belongs to a round. */
const isOf = (round: string): string =>
  `(${round}.operator_id, ${round}.player_id, ${round}.number) = (t.operator_id, t.player_id, t.round)`;

const ofRounds = (table: string, order: string, row: string): string =>
  json(`SELECT r.game_round, ${row} AS row FROM rgs_wallet.${table} t
    JOIN rgs_wallet.rounds r ON ${isOf('r')} WHERE r.operator_id = $1 ORDER BY r.game_round, ${order}`);

/** Their accounts come in any order. */
const balances = `to_jsonb(t) - '{operator_id,round,accounts}'::text[] || jsonb_build_object('accounts',
  (SELECT jsonb_agg(a.value ORDER BY a.value) FROM jsonb_array_elements(to_jsonb(t.accounts)) AS a))`;

const stored = `SELECT jsonb_build_object(
  'accounts', ${rowsOf('accounts', 't.currency', '')},
  'cash', ${rowsOf('cash', 't.reference', 'moved_at')},
  'blocks', ${rowsOf('blocks', 't.number', 'blocked_at')},
  'repairs', ${rowsOf('repairs', 't.game_round, t.repair', '')},
  'carried', ${rowsOf('carried', 't.currency', '')},
  'rounds', ${json(`SELECT to_jsonb(t) - '{number,operator_id,expires_at}'::text[] AS row, t.expires_at IS NULL AS for_ever,
    t.expires_at < statement_timestamp() AS expired FROM rgs_wallet.rounds t WHERE t.operator_id = $1 ORDER BY t.game_round`)},
  'records', ${ofRounds('records', 't.hash, t.kind', `to_jsonb(t) - '{operator_id,round}'::text[]`)},
  'balances', ${ofRounds('balances', 't.version', balances)},
  'orphans', (SELECT count(*) FROM (
      SELECT operator_id, player_id, round FROM rgs_wallet.records
      UNION ALL SELECT operator_id, player_id, round FROM rgs_wallet.balances
    ) AS t WHERE NOT EXISTS (SELECT FROM rgs_wallet.rounds r WHERE ${isOf('r')}))`;

const inOwnTables = `,
  'own', ${json(`SELECT t.currency, t.real, t.bonus, t."isBlocked" FROM casino.accounts t WHERE t.operator = $1 ORDER BY t.currency`)},
  'entries', ${json(`SELECT t.currency, t.kind, t.real, t.bonus, t.game_round, t.hash FROM casino.entries t WHERE t.operator = $1
    ORDER BY t.currency, t.game_round, t.hash, t.kind`)}`;

/** What is stored of an operator, as a text that is the same where it is the same. */
export async function stateOf(
  { variant }: Database,
  { askPrepared }: Session,
  operatorId: string,
): Promise<string> {
  const text = `${stored}${variant.place === 'own' ? inOwnTables : ''})::text`;
  const [[state] = []] = await askPrepared('state', text, [operatorId]);
  return String(state);
}

/** What the books of an operator do not explain: empty where they are whole. */
export async function gapsOf({ accounts }: Session, operatorId: string): Promise<string[]> {
  const gaps: string[] = [];
  for await (const books of accounts?.players.books?.({ operatorId }) ?? noBooks) {
    const { real, bonus } = booksDifference(books);
    if (real !== 0n || bonus !== 0n) gaps.push(`${books.currency}: ${real} and ${bonus}`);
  }
  return gaps;
}

const noBooks: readonly AccountBooks[] = [];

/** Reads and acknowledges what waits for the consumer, as texts in the order in which it comes. */
export async function drain(
  { variant }: Database,
  { askPrepared }: Session,
  operatorId: string,
): Promise<string[]> {
  const told: string[] = [];
  while (variant.events) {
    const lines = await askPrepared(
      'read',
      'SELECT line[1], line[2], line[4], line[5], line[7], line[8], line[9] FROM rgs_wallet.read_events(50000, $1, $2, 100) AS line',
      [operatorId, consumer],
    );
    const [page, ...events] = lines;
    if (page === undefined) break;
    for (const [, , round, version, event, took, accounts] of events) {
      told.push(JSON.stringify([round, version, event, took, inOrder(String(accounts))]));
    }
    const last = events.at(-1)?.[1] ?? 0;
    const advance = 'SELECT rgs_wallet.advance_events(true, 50000, $1, $2, $3, $4, true)';
    await askPrepared('advance', advance, [operatorId, consumer, page[1], last]);
  }
  return told;
}

/** The accounts of an event come in any order: three words of each. */
function inOrder(text: string): string[] {
  const words = text.split(' ');
  const accounts = Array.from({ length: words.length / 3 }, (_, at) => {
    return words.slice(3 * at, 3 * at + 3).join(' ');
  });
  return accounts.toSorted();
}

/** An answer, comparable as text for whichever operator. */
export interface Answer {
  /** All but the accounts. */
  readonly said: string;
  /** Each account that it tells. */
  readonly accounts: readonly string[];
}

/** An answer in texts that are the same where it is the same. */
export function answerOf(answer: unknown, operatorId: string): Answer {
  const accounts: string[] = [];
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}`;
    if (value instanceof Error) return value.message;
    if (value instanceof Map) return [...(value as ReadonlyMap<unknown, unknown>)];
    if (key !== 'accounts' || !Array.isArray(value)) return value;
    for (const { currency, real, bonus } of value) accounts.push(`${currency} ${real} ${bonus}`);
    return value.length;
  });
  const said = (text ?? 'nothing').replaceAll(operatorId, 'op');
  return { said, accounts: accounts.toSorted() };
}
