import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeDocuments } from '../../../build/openapi/main';

/**
 * Jest global set-up: writes the documents as they are now, and makes the folder in which the processes of a run count. A run inside
 * another one, as of an example's contract, counts for that one; the reporter finds the folder at `process.messagesOfRun`.
 */
export default async function prepareDocuments(): Promise<void> {
  if (process.env['TEST_MESSAGES'] !== undefined) return;
  writeDocuments();
  const folder = mkdtempSync(join(tmpdir(), 'rgs-messages-'));
  process.env['TEST_MESSAGES'] = folder;
  Object.assign(process, { messagesOfRun: folder });
}
