export { checkOptions, roundSettingsOf, serviceRuleNames } from './check';
export type {
  Game,
  OptionalMember,
  RgsServiceOptions,
  ServiceFinding,
  ServiceRules,
} from './types';
