export {
  type Ages,
  defaultAges,
  isPastMaxAge,
  type JanitorWork,
  janitorWork,
  type Watched,
} from './due';
export { hear, type Heard, recover, voidDue } from './hear';
export { type Batching, nextCall } from './queue';
export { ours, refusalBy, silence } from './refusal';
