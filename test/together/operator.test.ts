import { together } from './together';

together(
  'operator/client',
  'operator/events',
  'operator/gameround',
  'operator/ledger',
  'operator/operations',
  'operator/reconciliation',
  'operator/stores',
  'operator/wallet',
);
