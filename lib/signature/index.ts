export { explainSignature, type ReceivedSignature, type SignatureFinding } from './explain';
export {
  readNamedParts,
  readSignedParameters,
  readSignedParts,
  type SignedOperation,
  type SignedPart,
  type SignedParts,
  signedFields,
} from './fields';
export { ReplayGuard } from './replay-guard';
export { Secret } from './secret';
export { type AmountSpelling, joinSigned, sign, signatureHeaders, signRequest } from './sign';
export { isTimely, parseTimestamp } from './timestamp';
export { findSigner, type SignatureClaim, verifySignature } from './verify';
