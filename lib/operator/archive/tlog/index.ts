export { decodeBase64 } from './base64';
export { isConsistent, isIncluded, type TreeHead } from './check-proof';
export {
  type Checkpoint,
  parseCheckpoint,
  signCheckpoint,
} from './checkpoint';
export { cosign, cosignedAt, parseWitnessVkey, type WitnessKey, witnessVkey } from './cosignature';
export { LogFormatError } from './format-error';
export { Frontier, type Subtree } from './frontier';
export { emptyRoot, hashBytes, leafHash, sha256 } from './hashes';
export {
  addSignatures,
  longestNote,
  type NoteSignature,
  openNote,
  parseNote,
  signatureLine,
  type SignedNote,
  signersOf,
  signNote,
  signText,
  verifyText,
} from './note';
export { noteSigner, isKeyName, type NoteKey, type NoteSigner, parseVkey } from './note-key';
export { parseProof, proofText } from './proof-text';
export { consistencyProof, inclusionProof } from './prove';
export { joinRanges, KnownSubtrees, rangeOf, rangePlaces } from './subtrees';
