import { appendFile, cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { schemaVersion } from '../../../../lib/operator/stores/postgres/schema/migrations';
import { temporaryFolder } from '../../../servers/reaper';
import { built } from '../../../support/built';

const ROOT = join(__dirname, '../../../..');
const MIGRATIONS = 'dist/operator/stores/postgres/schema/packed.js';

/** The migration that a next version has: it adds, and replaces functions that the version before calls. */
const NEXT = `-- Serves programs of schema ${schemaVersion} and later.
ALTER TABLE {schema}.accounts ADD COLUMN note text;
ALTER TABLE {schema}.rounds ADD COLUMN note text;
ALTER TABLE {schema}.records ADD COLUMN note text NOT NULL DEFAULT 'none';
ALTER TABLE {schema}.events ADD COLUMN note text;
CREATE INDEX rounds_by_note ON {schema}.rounds (note) WHERE note IS NOT NULL;
CREATE TABLE {schema}.notes (round bigint PRIMARY KEY, note text NOT NULL);
DO $do$
DECLARE
  replaced record;
BEGIN
  FOR replaced IN SELECT pg_get_functiondef(p.oid) AS text FROM pg_proc p
    WHERE p.pronamespace = '{schema}'::regnamespace
      AND p.proname IN ('commit_round', 'follow_round', 'load_round', 'load_opened', 'forget_expired',
        'commit_own', 'follow_own', 'load_own')
  LOOP
    EXECUTE replaced.text;
  END LOOP;
END $do$;
`;

/** The built program with one more migration, in a folder of its own; resolves to its main file. */
export async function makeNextProgram(): Promise<string> {
  built();
  const folder = await temporaryFolder('next');
  await mkdir(folder, { recursive: true });
  for (const part of ['dist', 'schemas', 'package.json']) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const number = String(schemaVersion + 1).padStart(3, '0');
  const added = JSON.stringify([`${number}-next.sql`, NEXT]);
  await appendFile(join(folder, MIGRATIONS), `exports.packed.set(...${added});\n`);
  return join(folder, 'dist/cli/main.js');
}
