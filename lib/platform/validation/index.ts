export { listKnownNames, nameMeantBy, checkOptionNames, type OptionNames } from './known-names';
export { type Fault, schemasOf } from './schemas';
