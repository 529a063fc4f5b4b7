export type { Account } from './accounts';
export {
  asOwnError,
  readOptions,
  type SandboxOperator,
  type SandboxOptions,
  type SandboxProvider,
  type SandboxScenario,
  type SandboxSettings,
} from './options';
export type { Place } from './party';
export { type Running, startService } from './running';
