export { checkOptions, roundSettingsOf, serviceRuleNames } from './check';
export type { Game, RgsServiceOptions, ServiceFinding, ServiceRules } from './types';
export type { OperatorSettings as ServiceOperator } from '../../settings';
