export { lacksBalances, type TimelineEntry, type TimelineLine, timelineOf } from '../page/timeline';
