export {
  createErrorRenderer,
  errorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  type ErrorObject,
  type ErrorOverrides,
  type ErrorRenderer,
} from './catalogue';
export { readQuery } from './query';
export { readCall, type WireCall } from './read-call';
export { RequestRefusedError } from './refused-request';
export { type MessageName, messageSchemas } from './schemas';
export type { Call, Credit, Debit, End, Transaction, TransactionType, Void } from './transaction';
