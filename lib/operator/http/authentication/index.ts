export type { OperatorCredentials } from './operator-secrets';
export { ReplayGuard } from './replay-guard';
