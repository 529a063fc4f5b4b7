export { listKnownNames, nameMeantBy, checkOptionNames, type OptionNames } from './known-names';
export { checkMethods, checkPorts } from './ports';
export { schemasOf } from './schemas';
