export type { CallError, CallEvent, HttpFinding, HttpFindingId } from './call-event';
export { httpFindings } from './call-event';
export { type CallerCheck, checkMethods, claimOf, createRefusal } from './callers';
export { reportFinding } from './findings';
export { type Endpoint, mount, type Mounted, type Success } from './mount';
export { apiOptionNames, type ApiOptions, type ApiSettings, readApiOptions } from './options';
export { asDetail, parseBody } from './parse';
export { Replays } from './replays';
export { type Trace, visibleHeader } from './trace';
