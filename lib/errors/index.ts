export {
  createErrorRenderer,
  errorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  type ErrorObject,
  type ErrorOverrides,
  type ErrorRenderer,
} from './catalogue';
export { RequestRefusedError } from './errors';
