export type { FindingListener, LineFinding, LineFindingId } from './finding';
export { lineFindings } from './finding';
export { createProviderLine, type ProviderLineOptions, type ProviderRouter } from './provider-line';
export type { LineOptions } from './settings';
export type { VoidSpelling } from './transactions';
export { createWalletLine, type OperatorWallet, type WalletLineOptions } from './wallet-line';
