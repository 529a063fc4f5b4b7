import { leastRetentionMs } from '../../operator/stores/store-options';
import { CommandFailure } from '../terminal/failure';

/** @throws CommandFailure for `--limits-from` over a ledger, or where a month's rounds are not kept. */
export function checkLimitsFrom(choice: {
  readonly limitsFrom?: 'history';
  readonly ledger?: string;
  readonly retentionMs?: number;
}): void {
  const { limitsFrom, ledger, retentionMs = 0 } = choice;
  if (limitsFrom === undefined) return;
  if (ledger !== undefined) {
    throw new CommandFailure("--limits-from is not for a ledger: the limits are the platform's");
  }
  if (retentionMs < leastRetentionMs) {
    throw new CommandFailure('--limits-from history needs --retention-days of at least 32');
  }
}
