export type {
  AssignedFreePlays,
  ConfigurationQuery,
  FreePlayRequest,
  LaunchRequest,
  OperatorNotice,
  ServedGame,
  StatisticsGroup,
  StatisticsQuery,
  StatisticsRow,
} from './messages';
export {
  readConfigurationQuery,
  readFreePlays,
  readLaunch,
  readNotice,
  readStatisticsQuery,
} from './read';
export { writeFreePlays, writeGameList, writeLaunchReply, writeStatistics } from './write';
