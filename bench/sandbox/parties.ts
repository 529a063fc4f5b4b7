/** The names and secrets that the processes of this measurement share; of no use elsewhere. */
export const operator = {
  operatorId: 'casino',
  secret: 'a secret of the measurement, operator',
} as const;
export const provider = {
  gameProviderId: 'studio-1',
  secret: 'a secret of the measurement, provider',
} as const;
export const gameCode = 'game-bells';
export const currency = 'EUR';

/** What the process of the remote game server is started with. */
export interface ServerArguments {
  readonly walletUrl: string;
  readonly routerUrl: string;
  /** A file for the journal; the memory journal without one. */
  readonly journal: string | null;
}

/** What it says over its channel. */
export type ServerMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'memory'; readonly heapUsed: number; readonly rss: number }
  | { readonly kind: 'books'; readonly agree: boolean; readonly doubts: number };

/** What it is asked over its channel. */
export type ServerQuestion = 'memory' | 'books';
