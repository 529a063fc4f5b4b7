import { together } from './together';

together(
  'operator/archive',
  'operator/client',
  'operator/events',
  'operator/gameround',
  'operator/ledger',
  'operator/minutes',
  'operator/operations',
  'operator/reconciliation',
  'operator/stores',
  'operator/wallet',
);
