import type { Clock } from '../../../platform';
import { type CallFinding, callFindingRules, type Round } from '../../rounds';
import { type Finding, findingRules } from '../../settlement';
import type { ServiceFinding } from './options';
import type { CausedCall } from './parts';

/** Tells of what is legal and almost surely a mistake (E1.5). */
interface Findings {
  /** What an engine call showed about its round. */
  ofCall(by: CausedCall, round: Round, codes: readonly CallFinding[]): void;
  /** What an answer of the wallet showed. */
  ofWallet(round: Round, findings: readonly Finding[]): void;
  /** What concerns no round. */
  other(finding: Pick<ServiceFinding, 'code' | 'rule' | 'call' | 'gameProviderId' | 'cause'>): void;
}

/** Findings for a listener. */
export function createFindings(
  clock: Clock,
  onFinding: (finding: ServiceFinding) => void,
): Findings {
  const ofRound = ({ owner, gameRound }: Round) => ({
    at: clock.now(),
    gameProviderId: owner.gameProviderId,
    gameRound,
  });
  return {
    ofCall({ call, cause }, round, codes) {
      for (const code of codes) {
        const rule = callFindingRules[code];
        onFinding({ ...ofRound(round), call, code, rule, hash: null, cause });
      }
    },
    ofWallet(round, findings) {
      for (const { code, hash } of findings) {
        const rule = findingRules[code];
        onFinding({ ...ofRound(round), call: 'doTransactions', code, rule, hash, cause: null });
      }
    },
    other(finding) {
      onFinding({ ...finding, at: clock.now(), gameRound: null, hash: null });
    },
  };
}
