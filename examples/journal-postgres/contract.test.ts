import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it } from '@jest/globals';
import { Pool } from 'pg';
import { journalContract } from 'rgs-wallet-kit/testing';
import { openPostgresJournal } from './journal';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] }); // an empty database for tests
const schema = readFileSync(join(__dirname, 'schema.sql'), 'utf8');

journalContract({
  runner: { describe, it, afterAll },
  createJournal: async () => {
    await pool.query(`DROP TABLE IF EXISTS journal; ${schema}`);
    const open = () => openPostgresJournal(pool);
    return { open, openAfterCrash: open };
  },
});

afterAll(() => pool.end());
