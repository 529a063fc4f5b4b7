export { explainSignature, type ReceivedSignature, type SignatureFinding } from './explain';
export {
  readNamedParts,
  readSignedParameters,
  readSignedParts,
  signedFields,
  type SignedOperation,
  type SignedPart,
  type SignedParts,
} from './fields';
export { bodyCharacters, signatureCharacters } from './fingerprint';
export { Secret } from './secret';
export { type AmountSpelling, joinSigned, sign, signatureHeaders, signRequest } from './sign';
export { isTimely, parseTimestamp } from './timestamp';
export { findSigner, type SignatureClaim, verifySignature } from './verify';
