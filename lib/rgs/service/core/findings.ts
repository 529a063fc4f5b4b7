import type { Clock } from '../../../platform';
import { type CallFinding, callFindingRules } from '../../rounds/decision';
import type { Round } from '../../rounds/round';
import type { Finding } from '../../settlement/settle';
import { findingRules } from '../../settlement/fate';
import type { ServiceFinding } from './options';
import type { CausedCall } from './parts';

/** Reports what is legal and almost surely a mistake (E1.5). */
export class Findings {
  constructor(
    private readonly clock: Clock,
    private readonly onFinding: (finding: ServiceFinding) => void,
  ) {}

  /** What an engine call showed about its round. */
  ofCall({ call, cause }: CausedCall, round: Round, codes: readonly CallFinding[]): void {
    for (const code of codes) {
      this.#report(round, { call, code, rule: callFindingRules[code], hash: null, cause });
    }
  }

  /** What an answer of the wallet showed. */
  ofWallet(round: Round, findings: readonly Finding[]): void {
    for (const { code, hash } of findings) {
      const rule = findingRules[code];
      this.#report(round, { call: 'doTransactions', code, rule, hash, cause: null });
    }
  }

  /** What concerns no round. */
  other(
    finding: Pick<ServiceFinding, 'code' | 'rule' | 'call' | 'gameProviderId' | 'cause'>,
  ): void {
    this.onFinding({ ...finding, at: this.clock.now(), gameRound: null, hash: null });
  }

  #report(
    { owner: { gameProviderId }, gameRound }: Round,
    finding: Omit<ServiceFinding, 'at' | 'gameProviderId' | 'gameRound'>,
  ): void {
    this.onFinding({ at: this.clock.now(), gameProviderId, gameRound, ...finding });
  }
}
