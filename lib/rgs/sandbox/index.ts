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
export { VirtualClock, virtualClock, type VirtualClockOptions } from '../../platform/virtual-clock';
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
  LaunchPlayerRequest,
  LineName,
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
