export { checkpointsEntry, splitCheckpoints } from './checkpoints';
export { filterBytes, FindFilter, type FindKeys } from './find-filter';
export { findKeysOf } from './find-keys';
export {
  type ArchiveIdentity,
  identityText,
  isSignedOver,
  type KeyLine,
  keysText,
  type LogKey,
  longestIdentity,
  longestKeys,
  parseIdentity,
  parseKeys,
  signOver,
} from './identity';
export type { KeyEvent } from './key-event';
export { blockLevel, decodeLeaves, type Leaves, leavesBytes, LeavesBuilder } from './leaves';
export * as names from './names';
export type { Compression } from './names';
export {
  isTime,
  longestRecord,
  mostEvents,
  parseRecord,
  recordText,
  type SegmentRecord,
} from './record';
export {
  batchLine,
  type BatchEnd,
  holderLine,
  longestLine,
  mostBatchBytes,
  mostInBatch,
  parseSessionLine,
  type SessionHolder,
  type SessionLine,
  wholeLine,
} from './session-line';
