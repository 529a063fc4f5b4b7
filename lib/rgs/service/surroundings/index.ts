export { createLatestBalances, type KnownBalance, type LatestBalances } from './balances';
export { type AskedConfigurations, askingConfigurations } from './configurations';
export { createDemoWallet, type DemoWallet } from './demo';
export { createSurroundings, type SurroundingsParts } from './composed';
