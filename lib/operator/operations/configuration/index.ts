export {
  type OperationsOptions,
  type OperationsSettings,
  type OperationsStore,
  readOptions,
} from './options';
export { isRight, type Person, readPerson, type Right, rights } from './person';
