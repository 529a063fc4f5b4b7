import { describe, expect, test } from '@jest/globals';

import { migrations } from '../../../../lib/operator/stores/postgres/schema/migrations';
import {
  functionsIn,
  relationsOfPlayers,
  rowsPassed,
  subqueriesInValues,
  usesOfManyPlayers,
} from './one-player';

const sql = migrations.map(({ source }) => source).join('\n');
const relations = relationsOfPlayers(sql);
const functions = functionsIn(sql);

/** Functions over many players; none is part of a call, but that an empty schema may become a journal. */
const ofMany: Readonly<Record<string, string>> = {
  note_money: 'at start: whether there is any account',
  list_attention: 'a list of the operator',
  list_open: 'a list of the operator',
  list_unfinished: 'a list of the operator',
  list_repairs: 'a list of the operator',
  list_acts: 'a list of the operator',
  list_books: 'a list of the operator',
  carry_rounds: 'a trigger: of whatever a statement deletes',
  forget_expired: 'the retention, which goes by time',
  renew_events: 'after a restore: all events',
  read_events: 'a page of a consumer',
  forget_events: 'what all consumers have read',
  lag_events: 'what a consumer has not read',
  add_totals: 'what a page of a consumer changes',
  list_notable: 'a list of the operator',
  find_players: 'a search of the operator by the id of a round',
  read_totals: 'the figures of days',
  sum_totals: 'the figures of days',
  read_totals_rounds: 'the rounds of a page of a consumer',
};

describe('a function of the schema', () => {
  test('reads and writes the rows of one player, so that rows can be spread over servers by player', () => {
    const broken = functions.flatMap((one) =>
      usesOfManyPlayers(one, relations).map((use) => [one.name, use] as const),
    );
    expect(broken.filter(([name]) => !(name in ofMany))).toEqual([]);
    expect(new Set(broken.map(([name]) => name))).toEqual(new Set(Object.keys(ofMany)));
  });

  test('passes no row of a table to a function', () => {
    expect(functions.flatMap((one) => rowsPassed(one, relations))).toEqual([]);
  });

  test('has no subquery in INSERT ... VALUES', () => {
    expect(functions.flatMap(subqueriesInValues)).toEqual([]);
  });
});

describe('these rules', () => {
  test('see every function and every table', () => {
    expect(functions).toHaveLength(sql.split('CREATE FUNCTION').length - 1);
    expect(relations).toEqual(expect.arrayContaining(['accounts', 'rounds', 'records', 'heads']));
  });

  test.each<[what: string, body: string, uses: readonly string[]]>([
    [
      'a read',
      'SELECT r.version FROM {schema}.rounds r WHERE r.game_round = of_round;',
      ['FROM rounds'],
    ],
    [
      'a read whose inner query alone names the player',
      'PERFORM FROM {schema}.accounts a WHERE EXISTS (SELECT FROM {schema}.rounds r WHERE r.player_id = of_player);',
      ['FROM accounts'],
    ],
    [
      'one half of a UNION',
      'SELECT a.real FROM {schema}.accounts a WHERE a.player_id = of_player UNION ALL SELECT c.units FROM {schema}.cash c;',
      ['FROM cash'],
    ],
    [
      'a join',
      'SELECT 1 FROM {schema}.cash c JOIN {schema}.rounds r ON r.player_id = c.player_id;',
      ['FROM cash'],
    ],
    [
      'a read that compares a row with itself',
      'SELECT 1 FROM {schema}.cash c WHERE c.player_id = c.player_id;',
      ['FROM cash'],
    ],
    [
      'a read that may name it',
      'SELECT 1 FROM {schema}.cash c WHERE (of_player IS NULL OR c.player_id = of_player);',
      ['FROM cash'],
    ],
    [
      'a read that names it or not',
      'SELECT 1 FROM {schema}.cash c WHERE c.player_id = of_player OR c.units = 0;',
      ['FROM cash'],
    ],
    [
      'an update',
      'UPDATE {schema}.accounts SET real = 0 WHERE operator_id = of_operator;',
      ['UPDATE accounts'],
    ],
    [
      'a deletion in a query',
      'WITH gone AS (DELETE FROM {schema}.records RETURNING hash) SELECT 1 FROM gone;',
      ['FROM records'],
    ],
    [
      'an insertion',
      "INSERT INTO {schema}.cash (operator_id, player_id) VALUES (of_operator, 'of_player');",
      ['INSERT INTO cash'],
    ],
    [
      'an insertion of what another has',
      'INSERT INTO {schema}.cash (operator_id, player_id) SELECT of_operator, g.player_id FROM gone g;',
      ['INSERT INTO cash'],
    ],
  ])('find %s that is not of one player', (_, body, uses) => {
    expect(usesOfManyPlayers(planted(body), relations)).toEqual(uses);
  });

  test.each<[passed: string, call: string]>([
    ['row_to_json(r)', 'row_to_json(r)'],
    ['net_of(r.*)', '{schema}.net_of(r.*)'],
    ['net_of(r::{schema}.rounds)', '{schema}.net_of(of_player, r::{schema}.rounds)'],
  ])('find a row that is passed: %s', (passed, call) => {
    const body = `SELECT ${call} FROM {schema}.rounds AS r WHERE r.player_id = of_player;`;
    expect(rowsPassed(planted(body), relations)).toEqual([passed]);
  });

  test('find a subquery in VALUES', () => {
    const body =
      'INSERT INTO {schema}.blocks (player_id, number) VALUES (of_player, coalesce((SELECT 1 + max(b.number) FROM {schema}.blocks b), 1));';
    expect(subqueriesInValues(planted(body))).toEqual(['blocks']);
  });
});

/** A function with this body, as the schema would have it. */
function planted(body: string) {
  const source = `CREATE FUNCTION {schema}.planted(of_operator text, of_player text) RETURNS void AS $$\nBEGIN\n  ${body} -- of_player\nEND $$;`;
  const [found] = functionsIn(source);
  if (found === undefined) throw new Error('no function was found');
  return found;
}
