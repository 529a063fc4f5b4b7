/** What an attacker does with a captured request. */
export const attackKinds = [
  'forged signature',
  'no signature',
  'altered amount',
  'altered round',
  'other player',
  'wrong operator',
  'other tenant',
  'guessed secret',
  'dropped secret',
  'stale',
  'from the future',
  'other body, same signature',
  'huge body',
  'odd bytes',
  'replayed',
] as const;

/** A kind of attack. */
export type AttackKind = (typeof attackKinds)[number];
