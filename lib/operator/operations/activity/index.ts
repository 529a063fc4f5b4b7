export { type CallWatch, createCallWatch, type RecentCalls } from './call-watch';
