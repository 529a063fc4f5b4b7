export { createLatestBalances, type KnownBalance, type LatestBalances } from './balances';
export {
  type Configurations,
  cachedConfigurations,
} from './configurations';
export { createDemoWallet, type DemoWallet } from './demo';
export { createSurroundings } from './composed';
