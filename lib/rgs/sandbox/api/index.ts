export {
  type Act,
  ActionRefusedError,
  createActions,
  type Done,
  launch,
  resolveRound,
} from './actions';
export { createApiHandler } from './handler';
