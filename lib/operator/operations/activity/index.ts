export {
  type CallWatch,
  type CallWatchOptions,
  createCallWatch,
  type RecentCalls,
  type WatchedCall,
} from '../configuration/call-watch';
