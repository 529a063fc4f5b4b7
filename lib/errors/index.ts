export {
  createErrorRenderer,
  type ErrorCode,
  type ErrorEntry,
  type ErrorObject,
  type ErrorOverrides,
  type ErrorRenderer,
  errorCatalogue,
} from './catalogue';
export { RequestRefusedError, StoreUnavailableError, StoreUnsafeError } from './errors';
