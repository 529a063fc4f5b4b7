export { badgeLine } from './badge';
export { findReportFault, jsonReport } from './json';
export { junitReport } from './junit';
export { htmlReport } from './page';
export {
  createProgress,
  type ProgressOptions,
  type ProgressOutput,
  type ShownProgress,
} from './progress';
export { type ReportStyle, summaryTable } from './terminal';
