export type { StatisticsCell } from './cell';
export type { StatisticsAnswer } from './rows';
export {
  createStatistics,
  type Statistics,
  type StatisticsKept,
} from './table';
