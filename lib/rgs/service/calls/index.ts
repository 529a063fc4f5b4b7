export { connect, disconnect, reconnect } from './browser';
export { type EngineCalls, engineCalls } from './engine-calls';
export { launch, type Launched, resendFor } from './launch';
export { operatorCalls } from './operator';
export { gameResult, resolveRound } from './person';
