export type {
  DemoPurseKept,
  FreePlaysChanged,
  IdSpent,
  PlayerDataChanged,
  RoundChanged,
  RoundForgotten,
  RoundKept,
  ServiceEvent,
  SessionChanged,
  StatisticsChanged,
} from './event';
