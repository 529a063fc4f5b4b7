// The rounds that the old wallet has. A round is in the file, and on the disk, before its first call goes there: a call that
// reached the old wallet must never be voided at the new one, which knows nothing of it and would answer that all is well.
import { open } from 'node:fs/promises';

/** A name for a round that no other one has. */
export function roundKey({ operatorId, playerId, gameRound }) {
  return JSON.stringify([operatorId, playerId, gameRound]);
}

/** Opens the file, or makes it. One process may have it open at a time. */
export async function openRounds(path) {
  const file = await open(path, 'a+');
  const lines = (await file.readFile('utf8')).split('\n');
  const torn = lines.pop();
  if (torn !== '') await file.appendFile('\n'); // the process died while it wrote: that call was never sent
  const written = new Map(lines.map((key) => [key, Promise.resolve()]));

  async function write(key) {
    await file.appendFile(`${key}\n`);
    await file.datasync();
  }

  return {
    has: (key) => written.has(key),
    /** Resolves once the round is on the disk. If it rejects, no call of the round may be sent. */
    add(key) {
      if (!written.has(key)) written.set(key, write(key));
      return written.get(key);
    },
    close: () => file.close(),
  };
}
