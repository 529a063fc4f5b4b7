import type { RoundState } from '../../gameround';

/** What each state means for a person. */
const names: Readonly<Record<RoundState, string>> = {
  none: 'never started',
  open: 'open',
  closed: 'closed',
  cancelled: 'cancelled: waits for the void',
  voided: 'voided',
  stranded: 'stranded: a credit was refused for good',
  crashed: 'crashed: a later credit was refused for good',
};

/** A state in words. */
export function nameOfState(state: RoundState): string {
  return names[state];
}
