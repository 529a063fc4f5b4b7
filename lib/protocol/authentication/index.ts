export { Callers, type CallerSettings, type Refusals } from './callers';
export { type Claim, claimedAuthId, readClaim } from './claim';
export {
  type CallerSecrets,
  checkDistinctSecrets,
  type Credentials,
  type CredentialsPlace,
  holdsSecret,
  readCredentials,
  shownName,
} from './credentials';
export { RecentKeys } from './recent-keys';
export { ReplayGuard, type SeenBody } from './replay-guard';
export { findBodyCaller, findCaller } from './signer';
