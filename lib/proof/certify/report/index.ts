export { badgeLine } from './badge';
export { findReportFault, jsonReport } from './json';
export { junitReport } from './junit';
export { htmlReport } from './page';
export { createProgress } from './progress';
export { type ReportStyle, summaryTable } from './terminal';
