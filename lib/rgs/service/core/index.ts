export { type Caller, callerOf } from './caller';
export { carryOut, refusedBy } from './carry-out';
export { hashOf } from './hashes';
export {
  type AtFront,
  type CausedCall,
  type Core,
  checkCertain,
  contextOf,
  inLane,
  noteCall,
} from './parts';
export { historyReplyOf, roundInfoOf, roundReplyOf, tokenDataOf } from './reply';
export type { Surroundings } from './surroundings';
