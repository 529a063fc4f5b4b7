export { checkOptionNames, type OptionNames } from './known-options';
export { type Fault, findFault, locateFault, type SchemaName } from './schemas';
