export { assumeRunning, decideAssumed, followUpOf } from './assume';
export { changeOf, type FollowUp, followUpOn, isOfClass, runningHead } from '../follow-up';
