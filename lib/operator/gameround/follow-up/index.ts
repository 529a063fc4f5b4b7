export { type AssumedStep, assumeRunning, decideAssumed, followUpOf } from './assume';
export { changeOf, type FollowUp, followUpOn, isOfClass, runningClass, runningHead } from './class';
