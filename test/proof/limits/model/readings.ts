/**
 * What the window of a debit is, for its void (D13.4): the one in which it counted, or the one of the time that its
 * record has. They differ if the window had begun for a process whose clock was ahead of that of the debit. D13 allows
 * both; a store follows the same one in all that is played.
 */
export const readings = ['counted', 'dated'] as const;
/** One of them. */
export type Reading = (typeof readings)[number];
