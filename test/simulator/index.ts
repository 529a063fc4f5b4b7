export { type Find, hunt, plants } from './planted/hunt';
export type { Plant } from './planted/over';
export { generatePlan } from './plan/generate';
export {
  type HostedName,
  hostedNames,
  type Plan,
  type StoreName,
  storeNames,
  type Wire,
  wires,
} from './plan/types';
export type { Host, HostCommand, OpenHost } from './ports/host';
export { type FailedWorld, playSeries, type SeriesResult } from './run/series';
export { type Played, playPlan, type PlayOptions } from './run/simulate';
export { readSeedFile, writeSeedFile } from './run/seed-file';
export { walkPoints, type WalkResult } from './points/walk';
export { type Failing, shrink } from './run/shrink';
export type { Fault } from './world/faults';
export type { Violation } from './world/scheduler';
