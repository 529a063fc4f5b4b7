export { type Count, Counter } from './counter';
export {
  type Labels,
  labelSets,
  type Metric,
  type MetricDescription,
  type MetricFamily,
  type MetricSample,
} from './family';
export { Gauge, type Reading } from './gauge';
export { type Durations, Histogram } from './histogram';
export { textContentType, writeText } from './text';
