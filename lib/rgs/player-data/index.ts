export { createPlayerData, type PlayerData } from './create';
export type { DataOwner, PlayerDataEvent } from './entry';
