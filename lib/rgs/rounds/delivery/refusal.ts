import type { EngineErrorCode } from '../../../protocol/engine-api';
import type { WalletError } from '../../settlement';
import type { Refusal } from '../state';

/** The answer to the game if the wallet was silent on a debit: its void is due (B2). */
export const silence: Refusal = ours('GENERICBETERROR', 'W2');

/** Ids of ours that would lie if a wallet's were passed on under them (E3). */
const reserved = new Set([12, 13, 14, 15, 16, 19, 26, 37, 1001, 1008, 9000]);

/**
 * The answer to the game for a declined debit: the wallet's own id and text, unless the id is absent or
 * one of ours, which would mean something else (E3).
 */
export function refusalBy(error: WalletError | null): Refusal {
  const id = error?.id ?? null;
  if (id === null || !Number.isSafeInteger(id)) return ours('GENERICBETERROR', 'E3');
  if (reserved.has(id) || (id >= 9100 && id <= 9199)) return ours('GENERICBETERROR', 'E3');
  return { kind: 'operator', id, clientmsg: error?.clientmsg ?? null, rule: 'W2' };
}

/** A refusal of our own by its code and the rule that decides it. */
export function ours(code: EngineErrorCode, rule: string): Refusal {
  return { kind: 'ours', code, rule };
}
