import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createOwnTablesStore, migratePostgres } from '../../../lib/operator/stores/postgres';
import { ownTablesContract, walletStoreContract } from '../../../lib/proof';
import { exampleSql, platformWallet } from '../../servers/postgres/own-tables';
import { startPostgres } from '../../servers/postgres/server';
import { patience } from '../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);

const returns = 'IF refusal IS NOT NULL THEN RETURN; END IF;';

/** Mistakes that functions of a user's own may have: what stands there instead, and the case that finds each. */
const mistakes = [
  {
    mistake: 'writes a balance and then refuses',
    what: returns,
    by: `IF refusal IS NOT NULL THEN UPDATE wallets SET balance = balance - 0.0001 WHERE user_id = w.user_id; RETURN; END IF;`,
    found: 'a movement that is refused leaves balances and rows as they were',
  },
  {
    mistake: 'writes a row and then refuses',
    what: returns,
    by: `IF refusal IS NOT NULL THEN INSERT INTO entries (user_id, ccy, kind, real, bonus, hash) VALUES (w.user_id, w.ccy, 'take', 0, 0, m.hash); RETURN; END IF;`,
    found: 'a debit of a blocked player is refused, and writes nothing',
  },
  {
    mistake: 'takes no lock',
    what: ' FOR NO KEY UPDATE',
    by: '',
    found: 'two rounds of one player at once overdraw nothing',
  },
  {
    mistake: 'writes a balance that it read before its lock',
    what: 'SELECT * INTO w FROM wallets WHERE user_id = user_of(m.player_id) AND ccy = m.currency FOR NO KEY UPDATE;',
    by: `SELECT * INTO w FROM wallets WHERE user_id = user_of(m.player_id) AND ccy = m.currency;
      PERFORM FROM wallets WHERE user_id = w.user_id FOR NO KEY UPDATE;`,
    found: 'two rounds of one player at once overdraw nothing',
  },
  {
    mistake: 'has no row for a reversal',
    what: "'noPlayer' END;\n  END IF;\n",
    by: "'noPlayer' END;\n  END IF;\n  DELETE FROM entries WHERE hash = m.hash AND kind = 'reverse';\n",
    found: 'each bet, win and reversal has its own row of what it moved',
  },
  {
    mistake: 'refuses a reversal for funds',
    what: 'WITH moved AS (',
    by: `IF EXISTS (SELECT FROM wallets WHERE user_id = user_of(m.player_id) AND ccy = m.currency AND balance * 10000 + real_units < 0)
      THEN refusal := 'tooLow'; RETURN; END IF;\n  WITH moved AS (`,
    found: 'a reversal takes the balance below zero, and its row says so (D5.2)',
  },
  {
    mistake: 'rounds to cents',
    what: 'balance = balance + real_units * 0.0001',
    by: 'balance = balance + round(real_units * 0.0001, 2)',
    found: 'each bet, win and reversal has its own row of what it moved',
  },
] as const;

/** A lock that is missing is found by chance: the case needs two debits to meet. */
const maxRuns = 20;

/** The names of the cases that the functions fail, of those with this name; each is run until it fails. */
async function failuresOf(functions: string, part: string, runs: number): Promise<string[]> {
  const url = await server().createDatabase();
  const pool = cleanup.after(new Pool({ connectionString: url }));
  await pool.query(exampleSql('platform'));
  await migratePostgres({ pool });
  await pool.query(functions);
  const cases: { name: string; run: () => Promise<void> }[] = [];
  const closing: (() => Promise<void>)[] = [];
  const runner = {
    describe: (_: string, define: () => void) => define(),
    it: (name: string, run: () => Promise<void>) => cases.push({ name, run }),
    afterAll: (run: () => Promise<void>) => closing.push(run),
  };
  const createStore = () => platformWallet(createOwnTablesStore({ ...patience, url }), pool);
  ownTablesContract({ runner, createStore });
  walletStoreContract({ runner, createStore });
  const failed: string[] = [];
  for (const { name, run } of cases.filter((one) => one.name === part)) {
    for (let at = 0; at < runs && !failed.includes(name); at++) {
      await run().catch(() => failed.push(name));
    }
  }
  for (const close of closing) await close();
  return failed;
}

test.each(mistakes)('finds a function that $mistake', async ({ what, by, found }) => {
  const sql = exampleSql('functions');
  expect(sql).toContain(what);
  expect(await failuresOf(sql, found, 1)).toEqual([]);
  expect(await failuresOf(sql.replace(what, by), found, maxRuns)).toEqual([found]);
});
