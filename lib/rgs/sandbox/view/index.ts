/*
 * What the API under /sandbox says, as JSON. Amounts are texts of digits in minor units; times are ISO 8601;
 * null means unknown or none. Tokens appear by their last four characters, secrets never.
 */
export type { BookedPlayerView, BookedRoundView, BooksView, DifferenceView } from './books';
export type { FaultKind, FaultRequest, FaultView, LineName } from './faults';
export type {
  ClockRequest,
  DoneView,
  LaunchablePlayer,
  LaunchPlayerRequest,
  PlayedView,
  ResolveRequest,
} from './requests';
export type {
  AttentionView,
  DueView,
  FreePlayView,
  MovementView,
  NoticeView,
  PlayerView,
  RoundView,
  SessionView,
  StateView,
  StatisticsView,
} from './state';
export type {
  BodyView,
  FindingView,
  FindingsView,
  StepView,
  TimelineView,
  WireCall,
  WireView,
} from './wire';
