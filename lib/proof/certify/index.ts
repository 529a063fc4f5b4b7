export { allCases } from './run/all-cases';
export { type Case, type Group, groups } from './cases';
export type { Exchange, Header, WalletReply, WalletRequest } from './client';
export type { CertificationOptions, CertifiedOperator } from './run/options';
export { badgeLine, htmlReport, jsonReport, junitReport } from './report';
export type {
  CaseResult,
  CertificationProgress,
  CertificationResult,
  Outcome,
  PlayerMoney,
  Timing,
  Verdict,
} from './outcome/result';
export { casesOf, certify } from './run/whole-run';
export type { LongCases } from './talk';
