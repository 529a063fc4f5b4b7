export {
  type AssignedFreePlays,
  type ConfigurationQuery,
  type FreePlayRequest,
  type LaunchRequest,
  type OperatorNotice,
  type ServedGame,
  type StatisticsGroup,
  type StatisticsQuery,
  type StatisticsRow,
  writeFreePlays,
  writeGameList,
  writeLaunchReply,
  writeStatistics,
} from './messages';
export {
  readConfigurationQuery,
  readFreePlays,
  readLaunch,
  readNotice,
  readStatisticsQuery,
} from './read';
