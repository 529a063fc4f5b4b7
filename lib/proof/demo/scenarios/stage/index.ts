export { createSandboxApi, type SandboxApi, SandboxApiError } from './api';
export {
  counterType,
  createDealer,
  type Dealer,
  type StartOptions,
  type GrantOptions,
} from './dealer';
export type { Player, Session } from './session';
export {
  type Connected,
  createStage,
  ScenarioError,
  type Stage,
  type StageOptions,
} from './create';
export { describe, isWalletCall, walletCallsIn } from './transactions';
export { differenceText, inMajor, major, unknownBalances } from './differences';
export { endLeftovers } from './leftovers';
export { type BooksBefore, booksBefore } from './own-books';
export { hourMs, minuteMs, type Scenario } from './scenario';
