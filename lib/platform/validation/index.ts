export { listKnownNames, nameMeantBy } from './known-names';
export { checkOptionNames, type OptionNames } from './known-options';
export { type Fault, schemasOf } from './schemas';
