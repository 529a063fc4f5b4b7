import type { Group } from '../../cases';

/** What the cases of each group ask, in one line. */
export const groupQuestions: Readonly<Record<Group, string>> = {
  basics: 'Does a balance, a round and a void work at all?',
  signature: 'Is a call with a wrong, old or missing signature refused, without moving money?',
  'request-form': 'Is a body or a header of the wrong form refused without an effect?',
  ordering: 'Are the transactions of a call applied in their order?',
  'partial-outcomes':
    'Does a reply say, transaction by transaction, what was done and what was refused?',
  idempotency: 'Does a repeated call move money once, and get the same answer?',
  'key-reuse': 'Does a known hash with other content move nothing?',
  voids: 'Does a void return a stake once, even if it arrives before its debit?',
  states: 'Does a round accept what its state allows, and nothing else?',
  credits: 'Is a credit paid exactly once, whatever its size and the balance?',
  concurrency: 'Do concurrent calls behave as if they came one after the other?',
  'free-plays': 'Is a free play free, and are its winnings paid?',
  amounts: 'Are amounts exact at every size, and wrong ones refused?',
  'get-balance': 'Does getBalance return what the player has, and nothing about others?',
  tenancy: 'Are operators, players and currencies kept apart?',
  replay: 'Is a captured signature useless for another call?',
  robustness: 'Does the wallet survive hostile and broken requests?',
  retention: 'Are hashes, rounds, voids and signatures still known after a restart?',
  histories: 'Do random histories of calls, repeats and voids end with the right money?',
  crashes: 'Is acknowledged money still there after the wallet is killed?',
  load: 'Does the wallet keep to the rules, and answer, under load?',
};

/** `get-balance` is `Get balance`. */
export function groupTitle(group: string): string {
  const words = group.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
