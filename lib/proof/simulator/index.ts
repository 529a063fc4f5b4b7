export { type Find, hunt, plants } from './planted/hunt';
export type { Plant } from './planted/over';
export { generatePlan, type PlanOptions } from './plan/generate';
export {
  type HostedName,
  hostedNames,
  type Plan,
  type StoreName,
  storeNames,
  type Wire,
  wires,
} from './plan/types';
export type {
  CarryCommand,
  Host,
  HostCommand,
  HostConnection,
  OpenHost,
} from './ports/host';
export {
  type FailedWorld,
  playSeries,
  type SeriesOptions,
  type SeriesResult,
} from './run/series';
export { type Played, playPlan, type PlayOptions } from './run/simulate';
export { readSeedFile, type SeedFile, writeSeedFile } from './run/seed-file';
export { walkPoints, type WalkOptions, type WalkResult } from './points/walk';
export { type Failing, shrink, type ShrinkOptions } from './run/shrink';
export type { Fault } from './world/faults';
export type { Violation } from './world/scheduler';
