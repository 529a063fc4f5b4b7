/**
 * Time limits of a store whose test is not about time: longer than any machine takes, so that a slow one
 * fails no test.
 */
export const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 } as const;
