export { createGate, type Gate } from './gate';
export { createFaultPlan, type FaultDecision, type FaultPlan } from './plan';
export { faultKinds, lineNames, readFaultRequest } from './read';
