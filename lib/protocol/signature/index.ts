export {
  type JsonDocument,
  type JsonLimits,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from '../json/parse';
export {
  type BodySignatureFinding,
  explainBodySignature,
  type ReceivedBodySignature,
} from './explain-body';
export { explainSignature, type ReceivedSignature, type SignatureFinding } from './explain';
export {
  engineSignedFields,
  type EngineSignedCall,
  type FieldKind,
  readEngineParameters,
  readEngineParts,
  readNamedParts,
  readSignedParameters,
  readSignedParts,
  signedFields,
  type SignedField,
  type SignedOperation,
  type SignedPart,
  type SignedParts,
} from './fields';
export { bodyCharacters, signatureCharacters, Secret, type SecretForm } from './secret';
export {
  type AmountSpelling,
  joinSigned,
  sign,
  signatureHeaders,
  signBody,
  signRequest,
} from './sign';
export { isTimely, parseTimestamp } from './timestamp';
export {
  type BodyClaim,
  findBodySigner,
  findSigner,
  type SignatureClaim,
  verifySignature,
} from './verify';
