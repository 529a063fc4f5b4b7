export { hasBalances, type TimelineEntry, type TimelineLine, timelineOf } from './entries';
