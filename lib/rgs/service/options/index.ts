export { checkOptions, roundSettingsOf, serviceRuleNames } from './check';
export type { Game, RgsServiceOptions, ServiceFinding, ServiceRules } from './types';
