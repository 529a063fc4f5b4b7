import { emptyPurse } from '../../../lib/protocol/money/purse';
import { type RoundHead, unseenRound } from '../../../lib/operator/gameround';

/** When the rounds of the tables became what they are, and when the call comes. */
export const earlier = 1_000;
export const now = 2_000;

/** The gameround and the game of the tables. */
export const gameRound = 'R';
export const gameCode = 'bells';

const started: RoundHead = {
  ...unseenRound,
  version: 3,
  state: 'open',
  changedAt: earlier,
  currency: 'EUR',
  gameCode,
  started: true,
  debits: { real: 10n, bonus: 0n },
};

const credited = { credited: 1, credits: { real: 5n, bonus: 0n } };

/**
 * Rounds by the name they have in the tables. A started one has an accepted debit of 10 from
 * real; `unstarted` ones never had any.
 */
export const rounds = {
  none: unseenRound,
  open: started,
  'open/credited': { ...started, ...credited },
  'open/declined': { ...started, declined: 'Z' },
  'open/declined/credited': { ...started, ...credited, declined: 'Z' },
  'open/bonus': { ...started, debits: { real: 3n, bonus: 7n } },
  closed: { ...started, state: 'closed', ended: 1 },
  'closed/credited': { ...started, ...credited, state: 'closed', ended: 1 },
  'closed/declined': { ...started, state: 'closed', ended: 1, declined: 'Z' },
  'closed/unstarted': { ...unseenRound, version: 1, state: 'closed', changedAt: earlier, gameCode },
  cancelled: { ...started, state: 'cancelled', resume: 'open', unanswered: 1 },
  'cancelled/declined': {
    ...started,
    state: 'cancelled',
    resume: 'open',
    unanswered: 1,
    declined: 'Z',
  },
  'cancelled/two': { ...started, state: 'cancelled', resume: 'open', unanswered: 2 },
  'cancelled/closed': { ...started, state: 'cancelled', resume: 'closed', ended: 1, unanswered: 1 },
  'cancelled/unstarted': {
    ...unseenRound,
    version: 1,
    state: 'cancelled',
    changedAt: earlier,
    gameCode,
    unanswered: 1,
  },
  voided: { ...started, state: 'voided', debits: emptyPurse, credits: emptyPurse },
  'voided/unstarted': { ...unseenRound, version: 1, state: 'voided', changedAt: earlier, gameCode },
  stranded: { ...started, state: 'stranded' },
  crashed: { ...started, ...credited, state: 'crashed' },
} as const satisfies Record<string, RoundHead>;

/** The round of a name. */
export function roundOf(name: string): RoundHead {
  const head: RoundHead | undefined = rounds[name as keyof typeof rounds];
  if (head === undefined) throw new Error(`no such round: ${name}`);
  return head;
}
