import { together } from './together';

together(
  'rgs/free-plays.test.ts',
  'rgs/journal',
  'rgs/load',
  'rgs/offers.test.ts',
  'rgs/player-data.test.ts',
  'rgs/random.test.ts',
  'rgs/rounds',
  'rgs/service',
  'rgs/sessions.test.ts',
  'rgs/settings.test.ts',
  'rgs/settlement',
  'rgs/statistics.test.ts',
);
