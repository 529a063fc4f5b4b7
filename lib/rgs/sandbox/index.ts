export {
  createFileJournal,
  createMemoryJournal,
  type FileJournalOptions,
  type Journal,
  JournalError,
  type JournalErrorCode,
  type JournalEvent,
  type MemoryJournal,
} from '../journal';
export type { MemoryFetch } from '../../platform/http';
export type { MovableClock } from '../../platform/movable-clock';
export { VirtualClock, virtualClock, type VirtualClockOptions } from '../../platform/virtual-clock';
export type { VoidSpelling } from '../client';
export type { Round } from '../rounds';
export type { Game } from '../service/core/options';
export { ActionRefusedError } from './api';
export { type Books, compareBooks, type ProviderRound, type WalletAccount } from './books';
export { createSandbox, type Sandbox } from './create';
export type {
  Place,
  SandboxOperator,
  SandboxOptions,
  SandboxProvider,
  SandboxScenario,
} from './process';
export type {
  AttentionView,
  BodyView,
  BookedPlayerView,
  BookedRoundView,
  BooksView,
  DifferenceView,
  DueView,
  FaultKind,
  FaultRequest,
  FaultView,
  FindingView,
  FreePlayView,
  LaunchablePlayer,
  LaunchPlayerRequest,
  LineName,
  NoticeView,
  PlayedView,
  PlayerView,
  ResolveRequest,
  SessionView,
  StateView,
  StatisticsView,
  StepView,
  TimelineView,
  WireCall,
  WireView,
} from './view';
