export { playerKey, type PlayerName, roundKey } from './keys';
export { type DemoPurses, demoTtlMs } from './demo-purses';
export type { KeptRounds } from './rounds-kept';
export { createState, type State } from './everything';
