import { createHash } from 'node:crypto';
import type { LedgerPosting, RoundKey } from '.';

/**
 * The identification of a posting for a ledger. The key is a digest: it has the same short form whatever
 * the identifiers are, and no two postings share one.
 */
export function postingOf(round: RoundKey, hash: string, gameCode: string | null): LedgerPosting {
  const { operatorId, playerId, gameRound } = round;
  const name = JSON.stringify([operatorId, playerId, gameRound, hash]);
  const key = createHash('sha256').update(name).digest('base64url');
  return { key, operatorId, playerId, gameRound, hash, gameCode };
}
