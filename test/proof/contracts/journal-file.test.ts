import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, it } from '@jest/globals';

import { journalContract } from '../../../lib/proof';
import { createFileJournal } from '../../../lib/rgs/journal/file';

journalContract({
  runner: { describe, it, afterAll },
  createJournal: () => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-contract-'));
    let file = 0;
    const path = (): string => join(folder, `${file}.journal`);
    const open = () => createFileJournal({ path: path() });
    const openAfterCrash = () => {
      const before = path();
      file += 1;
      cpSync(before, path()); // a process that was killed leaves its file, and not what it held in memory
      return open();
    };
    return { open, openAfterCrash, close: () => rmSync(folder, { recursive: true }) };
  },
});
