export { findFault, type SchemaName } from './schemas';
