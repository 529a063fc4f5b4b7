import type { ArchiveDisk } from '../../../lib/cli/archive/disk';
import { readSealed } from '../../../lib/cli/archive/sealed-file';
import type { RoundEvent } from '../../../lib/operator/wallet';

/** The first event of a round. */
export function eventAt(gameRound: string, at: number, operatorId = 'op'): RoundEvent {
  return {
    type: 'round',
    id: `${operatorId}/p/${gameRound}/1`,
    operatorId,
    playerId: 'p',
    gameRound,
    version: 1,
    at: new Date(at).toISOString(),
    gameCode: null,
    cause: 'call',
    state: 'open',
    transactions: [],
    movements: [],
    accounts: null,
  };
}

/** The lines of all sealed files. */
export async function allLines(disk: ArchiveDisk): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await disk.names()).toSorted()) {
    if (name.endsWith('.gz')) await readSealed(disk, name, (line) => lines.push(line));
  }
  return lines;
}
