export {
  type Act,
  ActionRefusedError,
  createActions,
  type Done,
  launch,
  resolveRound,
} from './actions';
export { type ApiParts, createApiHandler } from './handler';
