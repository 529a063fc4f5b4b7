export {
  type CallRecorder,
  type CallWatch,
  type CallWatchOptions,
  createCallWatch,
  type RecentCalls,
  type WatchedCall,
} from '../minutes/call-watch';
export type { MinuteCounts } from '../minutes/counts';
export { type MinutesOptions, type RunningMinutes, startMinutes } from '../minutes/keep';
export { isRight, type Person, type Right, rights } from './configuration/person';
export type { OperationsOptions } from './configuration/options';
export {
  createOperationsRouter,
  type OperationsRouter,
  createOperationsHandler,
  type OperationsHandler,
} from './handler';
export type { RepairOrder, RepairRefusal } from '../gameround/repairs/order';
export {
  type ApproveRepairResult,
  approveRepair,
  type RejectRepairResult,
  rejectRepair,
} from './repairs/decision';
export type { FourEyesOption, RepairOptions } from './repairs/input';
export { type ProposeRepairResult, proposeRepair } from './repairs/propose';
export { repairRefusalTexts } from './repairs/refusals';
