export { allCases } from './run/all-cases';
export { type Case, type Group, groups } from './case';
export type { Exchange, Header, WalletReply, WalletRequest } from './client';
export type { CertificationOptions, CertifiedOperator } from './run/options';
export { badgeLine, jsonReport } from './report/json';
export { htmlReport } from './report/page/document';
export { junitReport } from './report/junit';
export type {
  CaseResult,
  CertificationProgress,
  CertificationResult,
  Outcome,
  PlayerMoney,
  Timing,
  Verdict,
} from './result';
export { casesOf, certify } from './run/whole-run';
export type { LongCases } from './talk';
