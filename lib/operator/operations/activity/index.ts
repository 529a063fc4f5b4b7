export {
  type CallWatch,
  type CallWatchOptions,
  createCallWatch,
  type RecentCalls,
  type WatchedCall,
} from './call-watch';
