export { isCurrency, isIdentifier, isSignable } from './identifier';
export {
  type JsonDocument,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from './json-parse';
export { ExactNumber, type Writable, writeJson } from './json-write';
export { readQuery } from './query';
export { readCall, type WireCall } from './read-call';
export type { Call, Credit, Debit, End, Transaction, TransactionType, Void } from './transaction';
