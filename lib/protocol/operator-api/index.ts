export {
  createErrorRenderer,
  errorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  type ErrorObject,
  type ErrorOverrides,
  type ErrorRenderer,
  RequestRefusedError,
} from './catalogue';
export { readQuery, readCall, type WireCall } from './read-call';
export { type MessageName, messageSchemas } from './schemas';
export type { Call, Credit, Debit, End, Transaction, TransactionType, Void } from './transaction';
