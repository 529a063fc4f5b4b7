// A process that appends to a journal until it is killed. It prints the number of each append as soon as it
// is acknowledged, and the code of the first error. Arguments: the file, and how many appends at once.
import { writeSync } from 'node:fs';

import { createFileJournal } from '../../../lib/rgs/journal/file';
import type { Journal, JournalError } from '../../../lib/rgs/journal/port';

const [path = '', atOnce = '1'] = process.argv.slice(2);
const every = 40;

async function lastOf(journal: Journal): Promise<number> {
  let last = 0;
  for await (const { number } of journal.replay()) last = Number(number);
  return last;
}

async function run(): Promise<void> {
  const journal = await createFileJournal({ path });
  let last = await lastOf(journal);
  const append = async (): Promise<void> => {
    for (;;) {
      const number = ++last;
      const text = 'x'.repeat((number * 997) % 3000);
      const kept = journal.append([{ type: 'noted', number, text }]);
      const more = number % every === 0 ? journal.compact([{ type: 'snapshot', number }]) : null;
      await kept;
      writeSync(1, `${number}\n`);
      await more;
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, append));
}

run().catch((error: JournalError) => {
  writeSync(1, `${error.code}\n`);
  process.exit(1);
});
