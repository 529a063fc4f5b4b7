// What the load, the contestants and the books agree on.

/** Who calls. */
export const operatorId = 'casino';

/** The secret that the load signs with and the contestants verify with. */
export const secret = 'bench-secret-0123456789abcdef';

/** The one currency. */
export const currency = 'EUR';

/** The one game. */
export const gameCode = 'game-bells';

/** What each player has at the start, in cents: more than any run can take. */
export const startCents = 1_000_000_000;

/** Most that X-H-TIMESTAMP may be off, in milliseconds (D1.3). */
export const clockToleranceMs = 300_000;

/** How long closed rounds are kept, in milliseconds (D10). */
export const retentionMs = 30 * 24 * 3600 * 1000;

/** Connections that a contestant over PostgreSQL has for each pool. */
export const poolSize = 20;

/** Of a store for what is not measured, as opening players or counting money: a busy machine may take long for it. */
export const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 } as const;

/** What a player with three limits has, by kind and window; each of more than any run can take. */
export const threeLimits = [
  ['stake', 'day'],
  ['loss', 'week'],
  ['deposit', 'month'],
] as const;

/** The amount of each. */
export const limitAmount = '800000000';

/** Players among whom the calls are spread. */
export const players: readonly string[] = Array.from({ length: 1000 }, (_, at) => `player-${at}`);
