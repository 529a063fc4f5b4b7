export { createPlayerData, type PlayerData, type PlayerDataLimits } from './create';
export type { DataOwner, PlayerDataEvent } from './entry';
