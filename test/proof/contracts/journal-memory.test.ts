import { afterAll, describe, it } from '@jest/globals';

import { createMemoryJournal, type MemoryJournal } from '../../../lib/rgs/journal/memory';
import { journalContract } from '../../../lib/proof';

journalContract({
  runner: { describe, it, afterAll },
  createJournal: () => {
    let journal: MemoryJournal | null = null;
    const open = () => (journal = journal?.reopen() ?? createMemoryJournal());
    return { open, openAfterCrash: open };
  },
});
