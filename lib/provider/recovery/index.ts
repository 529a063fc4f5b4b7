export { isVoided } from './closed';
export { type InquiryParts, isUnknown } from './inquiry';
export {
  type LastSeen,
  lastSeenOf,
  type LostCall,
  type LostRequests,
  type LostRound,
} from './lost';
export type { Recovery, Refusal } from './outcome';
export { recover, type RecoverOptions } from './recover';
export type { RecoveryPolicy } from './step';
