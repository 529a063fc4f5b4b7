import type { Patch } from './patch';

const round = 'operator/gameround/round.ts';
const rounds = 'operator/stores/memory/stored-rounds.ts';

/** Bugs of what is kept, and for how long (D10). */
export const retentionPatches: readonly Patch[] = [
  {
    name: 'what a forgotten round moved is in no book',
    breaks: 'the books; every balance is right',
    file: 'operator/stores/memory/store.ts',
    from: 'if (head.currency !== null) accounts.carry(key, head.currency, netOf(head));',
    to: '',
  },
  {
    name: 'an open round is forgotten',
    breaks: 'D10: its win is never paid',
    file: round,
    from: "return state === 'open' || needsAttention(state)",
    to: 'return needsAttention(state)',
  },
  {
    name: 'a round that waits for a person is forgotten',
    breaks: 'D10',
    file: round,
    from: "return state === 'open' || needsAttention(state)",
    to: "return state === 'open'",
  },
  {
    name: 'a round with repairs is forgotten',
    breaks: 'D11.3',
    file: round,
    from: 'pending !== null || repairs !== undefined;',
    to: 'pending !== null;',
  },
  {
    name: 'a round is kept for half of the retention',
    breaks: 'D10: a win is played again within it',
    file: rounds,
    from: 'isKeptForEver(head) ? null : now + this.retentionMs;',
    to: 'isKeptForEver(head) ? null : now + this.retentionMs / 2;',
  },
  {
    name: 'a round whose retention is over is still seen',
    breaks: 'D10',
    file: rounds,
    from: 'round.expiresAt === null || round.expiresAt > now) return round;',
    to: 'true) return round;',
  },
  {
    name: 'a round is deleted and stays in the list of its player',
    breaks: 'the books: what it moved is there twice',
    file: rounds,
    from: 'own.splice(own.indexOf(round), 1);',
    to: '',
  },
];
