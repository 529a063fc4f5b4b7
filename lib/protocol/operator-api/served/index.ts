export type {
  AssignedFreePlays,
  ConfigurationQuery,
  FreePlayRequest,
  LaunchRequest,
  ServedGame,
  StatisticsGroup,
  StatisticsQuery,
  StatisticsRow,
} from './messages';
export { readConfigurationQuery, readFreePlays, readLaunch, readStatisticsQuery } from './read';
export { writeFreePlays, writeGameList, writeLaunchReply, writeStatistics } from './write';
