export { createRgsService, type RgsService } from './start-up';
export type { ServiceView, WatchedSession } from '../calls/view';
