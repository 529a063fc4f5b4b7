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
  BooksView,
  FaultKind,
  FaultRequest,
  FaultView,
  FindingView,
  LaunchPlayerRequest,
  LineName,
  PlayedView,
  StateView,
  TimelineView,
  WireCall,
  WireView,
} from './view';
