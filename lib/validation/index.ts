export { type Fault, findFault, locateFault, type SchemaName } from './schemas';
