export type { Anchor, AnchoredLog } from './anchors/anchor';
export { Anchoring, type AnchoringParts } from './anchors/anchoring';
export { folderAnchor } from './anchors/folder';
export { timeAuthority } from './anchors/time-authority';
export {
  longestRequest,
  Witness,
  type WitnessAnswer,
  type WitnessOptions,
} from './anchors/witness';
export { witnessAnchor } from './anchors/witness-client';
export type { Compression, LogKey, SegmentRecord, SessionHolder } from './format';
export {
  ArchiveUnreadableError,
  type ArchiveVerification,
  compareWithStore,
  type CompareOptions,
  type EventProofs,
  type EventQuery,
  type Finding,
  findEvents,
  type LogLine,
  type MissingRound,
  type ProvedEvent,
  proveEvents,
  type StoreComparison,
  verifyArchive,
  type VerifyOptions,
  writeProofFolder,
} from './reading';
export { archiveEvents, type ArchiveParts, type ArchiveRequest } from './run';
export {
  noteSigner,
  type NoteKey,
  type NoteSigner,
  parseVkey,
  parseWitnessVkey,
  type Subtree,
  type TreeHead,
  type WitnessKey,
  witnessVkey,
} from './tlog';
export { type ArchiveDisk, openDisk } from './writer/disk';
export type { LogHead } from './writer/growing-log';
export { type ArchiveProcess, thisProcess } from './writer/holder';
export { ArchiveWriter, type SignedHead } from './writer/log-writer';
export type { ArchivableEvent, NewLine, Report, WriterOptions } from './writer/options';
export { ArchiveRefusedError } from './writer/refused';
