import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeDocuments } from '../../../build/openapi/main';

/** Jest global set-up: writes the documents as they are now, and makes the folder in which the processes of a run count. */
export default async function prepareDocuments(): Promise<void> {
  if (process.env['TEST_MESSAGES'] !== undefined) return;
  writeDocuments();
  process.env['TEST_MESSAGES'] = mkdtempSync(join(tmpdir(), 'rgs-messages-'));
}
