// What the inputs, the wallet that they meet and the judge agree on.

/** The operator whose money it is. It rotates its secret: both are current. */
export const operatorId = 'casino';
export const secret = 'hostile-secret-0123456789abcdef';
export const nextSecret = 'hostile-secret-that-comes-next-1';

/** Was current once. */
export const droppedSecret = 'hostile-secret-dropped-last-year';

/** Another operator of the same wallet, and an honest one. */
export const rivalId = 'rival';
export const rivalSecret = 'rival-secret-0123456789abcdefgh';

/** The game provider, in both directions. */
export const providerId = 'studio';
export const providerSecret = 'studio-secret-0123456789abcdefg';

/** None of them may be in an answer or a line of the log. */
export const secrets: readonly string[] = [secret, nextSecret, rivalSecret, providerSecret];

export const currency = 'EUR';
export const gameCode = 'game-bells';

/** The players with money. */
export const players: readonly string[] = Array.from({ length: 8 }, (_, at) => `player-${at}`);

/** What each of them has at the start of a batch, in the currency, and in the unit kept of four decimals. */
export const startAmount = '10000000';
export const startUnits = 100_000_000_000n;

/** Most that X-H-TIMESTAMP may be off, in milliseconds (D1.3). */
export const clockToleranceMs = 300_000;

/** The time of the first input; each following one comes a millisecond later. */
export const firstMs = Date.UTC(2026, 0, 1);
