export { type Ages, defaultAges, isPastMaxAge, type JanitorWork, janitorWork } from './due';
export { applyAnswer, type AnswerEffect, recover, voidDue } from './apply-answer';
export { type Batching, nextCall } from './queue';
export { ours, refusalBy, silence } from './refusal';
