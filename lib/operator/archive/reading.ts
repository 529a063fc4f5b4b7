export {
  compareWithStore,
  type CompareOptions,
  type MissingRound,
  type StoreComparison,
} from './compare';
export type { EventQuery } from './find/event-query';
export { findEvents } from './find/search';
export type { LogLine } from './find/segments';
export { writeProofFolder } from './prove/proof-folder';
export { type EventProofs, type ProvedEvent, proveEvents } from './prove/proofs';
export { ArchiveUnreadableError } from './read/unreadable';
export { verifyArchive, type VerifyOptions } from './verify/check';
export type { ArchiveVerification, Finding } from './verify/findings';
