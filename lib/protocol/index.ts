export { bodyCharacters, signatureCharacters } from './fingerprint';
export { escapeControls } from './control-characters';
export { isCurrency, isIdentifier, isSignable } from './identifier';
export {
  type JsonDocument,
  type JsonLimits,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from './json-parse';
export { ExactNumber, type Writable, writeJson } from './json-write';
export { readQuery } from './query';
export { readCall, type WireCall } from './read-call';
export type { Call, Credit, Debit, End, Transaction, TransactionType, Void } from './transaction';
