export { connect, disconnect, reconnect } from './browser';
export { engineCalls } from './engine-calls';
export { launch, resendFor } from './launch';
export { operatorCalls } from './operator';
export { gameResult, resolveRound } from './person';
