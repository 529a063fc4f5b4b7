import { together } from './together';

together(
  'rgs/free-plays',
  'rgs/journal',
  'rgs/load',
  'rgs/offers',
  'rgs/player-data',
  'rgs/random',
  'rgs/rounds',
  'rgs/service',
  'rgs/sessions',
  'rgs/settings',
  'rgs/settlement',
  'rgs/statistics',
);
