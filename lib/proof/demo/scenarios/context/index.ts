export { createSandboxApi, type SandboxApi, SandboxApiError } from './api';
export { counterType, createDealer, type Dealer, type Player, type Session } from './dealer';
export {
  createScenarioContext,
  type ScenarioContext,
  type ScenarioContextOptions,
  ScenarioError,
} from './create';
export { describe, isWalletCall, walletCallsIn } from './wallet-answers';
export {
  differenceText,
  inMajor,
  major,
  unknownBalances,
  endLeftovers,
  type BooksBefore,
  booksBefore,
} from './own-books';
export { hourMs, minuteMs, type Scenario } from './scenario';
