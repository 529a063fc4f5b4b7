export type { FindingListener, LineFinding, LineFindingId } from './finding';
export { createProviderLine, type ProviderLineOptions } from './provider-line';
export type { LineOptions } from './settings';
export type { VoidSpelling } from './transactions';
export { createWalletLine, type WalletLineOptions } from './wallet-line';
