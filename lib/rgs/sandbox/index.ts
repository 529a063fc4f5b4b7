export { createFileJournal, type FileJournalOptions } from '../journal/file';
export { createMemoryJournal, type MemoryJournal } from '../journal/memory';
export {
  type Journal,
  JournalError,
  type JournalErrorCode,
  type JournalEvent,
} from '../journal/port';
export type { MemoryFetch } from '../../platform/http';
export type { MovableClock } from '../../platform/movable-clock';
export { VirtualClock, virtualClock, type VirtualClockOptions } from '../../platform/virtual-clock';
export type { VoidSpelling } from '../client/transactions';
export type { Round } from '../rounds/round';
export type { Game } from '../service/core/options';
export { ActionRefusedError } from './actions';
export { type Books, compareBooks, type ProviderRound, type WalletAccount } from './books/compare';
export { createSandbox, type Sandbox } from './compose';
export type { Place } from './process/party';
export type {
  SandboxOperator,
  SandboxOptions,
  SandboxProvider,
  SandboxScenario,
} from './process/options';
export type {
  AttentionView,
  DueView,
  FaultKind,
  FaultRequest,
  FaultView,
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
} from './view/state';
export type {
  BodyView,
  FindingView,
  StepView,
  TimelineView,
  WireCall,
  WireView,
} from './view/wire';
export type {
  BookedPlayerView,
  BookedRoundView,
  BooksView,
  DifferenceView,
  OfAccount,
} from './view/books';
