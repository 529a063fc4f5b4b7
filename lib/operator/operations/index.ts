export {
  type CallWatch,
  type CallWatchOptions,
  createCallWatch,
  type RecentCalls,
  type WatchedCall,
} from './activity';
export { isRight, type OperationsOptions, type Person, type Right, rights } from './configuration';
export { createOperationsRouter, type OperationsRouter } from './router';
export { createOperationsHandler, type OperationsHandler } from './server';
export type { RepairOrder, RepairRefusal } from '../gameround/repairs';
export {
  type ApproveRepairResult,
  approveRepair,
  type FourEyesOption,
  type ProposeRepairResult,
  proposeRepair,
  type RejectRepairResult,
  rejectRepair,
  type RepairOptions,
  repairRefusalTexts,
} from './repairs';
