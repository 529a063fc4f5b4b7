import { blackjack, declinedDouble } from './added-bets';
import { lostReply, pending } from './credits';
import { poor, silence, spin, voided } from './debits';
import { blindRetry, crash } from './doubts';
import type { Scenario } from './context';
import { launch, signature, tabClosed } from './sessions';
import { storm } from './storm';
import { freePlays, freeSpins, gamble } from './winnings';

export { playScenario } from './play';
export type { Scenario } from './context';
export {
  createSandboxApi,
  differenceText,
  type Player,
  ScenarioContext,
  type ScenarioContextOptions,
  ScenarioError,
  type Session,
  unknownBalances,
} from './context';

/** The scenarios of the sandbox, in the order of its help. */
export const scenarios: readonly Scenario[] = [
  launch,
  spin,
  signature,
  poor,
  silence,
  lostReply,
  pending,
  blackjack,
  declinedDouble,
  gamble,
  freeSpins,
  freePlays,
  voided,
  tabClosed,
  blindRetry,
  crash,
  storm,
];
