export { createSandboxApi, type SandboxApi } from './api';
export { counterType, type Player, type Session } from './dealer';
export {
  ScenarioContext,
  type ScenarioContextOptions,
  ScenarioError,
  hourMs,
  minuteMs,
  type Scenario,
} from './create';
export {
  differenceText,
  unknownBalances,
  endLeftovers,
  type BooksBefore,
  booksBefore,
} from './own-books';
