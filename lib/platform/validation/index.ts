export { listKnownNames } from './known-names';
export { checkOptionNames, type OptionNames } from './known-options';
export { type Fault, type Schemas, schemasOf } from './schemas';
