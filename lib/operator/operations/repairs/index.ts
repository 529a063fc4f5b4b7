export { type ApproveRepairResult, approveRepair } from './approve';
export type { FourEyesOption, RepairOptions } from './options';
export { type ProposeRepairResult, proposeRepair } from './propose';
export { repairRefusalText, repairRefusalTexts } from './refusals';
export { type RejectRepairResult, rejectRepair } from './reject';
