export { lacksBalances, type TimelineEntry, type TimelineLine, timelineOf } from './entries';
