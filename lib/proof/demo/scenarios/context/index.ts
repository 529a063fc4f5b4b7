export { createSandboxApi, type SandboxApi, SandboxApiError } from './api';
export { counterType, createDealer, type Dealer } from './dealer';
export type { Player, Session } from './session';
export {
  createScenarioContext,
  type ScenarioContext,
  type ScenarioContextOptions,
  ScenarioError,
} from './create';
export { describe, isWalletCall, walletCallsIn } from './transactions';
export { differenceText, inMajor, major, unknownBalances } from './differences';
export { endLeftovers } from './leftovers';
export { type BooksBefore, booksBefore } from './own-books';
export { hourMs, minuteMs, type Scenario } from './scenario';
