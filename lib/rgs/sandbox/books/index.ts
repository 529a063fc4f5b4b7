export { type Books, compareBooks, type ProviderRound, type WalletAccount } from './compare';
export { isCertain } from './possible';
export type { Fated } from './movements';
export { type Movement, movementsOf, serviceRound } from './service-round';
export { createWalletBook, type SentCall, type WalletBook } from './wallet-book';
