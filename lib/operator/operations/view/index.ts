export type { Listed } from './query-store';
export {
  type AttentionRow,
  type AttentionView,
  viewAttention,
  viewOpenRounds,
} from './attention';
export type { BlockRow } from './blocks';
export type { CashRow, CashView } from './cash';
export { type ConsumersView, viewConsumers } from './consumers';
export { hashOf, playerOf, roundOf } from './request';
export { type MoneyView, viewMoney } from './health';
export { listPending, type PendingRow, type PendingView, viewPending } from './pending';
export { type AccountView, type PlayerView, viewPlayer } from './player';
export { type RepairRow, repairRow, type RepairsView, viewRepairs } from './repairs';
export { RequestFault } from './request-fault';
export { viewRound } from './round';
export { findRound, type NotFoundView, type RoundRow, type RoundsView } from './rounds';
