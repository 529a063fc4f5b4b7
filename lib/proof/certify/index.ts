export { allCases } from './run/all-cases';
export {
  type Case,
  type Group,
  groups,
  type CaseResult,
  type CertificationProgress,
  type CertificationResult,
  type LeftOut,
  type Outcome,
  type PlayerMoney,
  type Step,
  type Timing,
  type Verdict,
  type WalletFacts,
} from './talk/case';
export type { Exchange, Header, WalletReply, WalletRequest } from './client';
export type { CertificationOptions, CertifiedOperator } from './run/options';
export { badgeLine, jsonReport } from './report/json';
export { htmlReport } from './report/page/document';
export { junitReport } from './report/junit';
export { casesOf, certify } from './run/whole-run';
export type { LongCases } from './talk';
