import { badge, count, type Html, html, id, money, type Tone } from '../../../platform/html';
import type { ErrorCode } from '../../../protocol/operator-api/catalogue';
import type { RoundState } from '../../gameround';
import type { Actor, PurseJson, RepairJson, RoundJson } from '../../wallet';

/** Who did something. The id is what counts: two people may have one name. */
export function nameOf(by: Actor | null): Html | string {
  if (by === null) return 'a program';
  return by.name === null ? id(by.id) : html`<span>${id(by.name)} (${id(by.id)})</span>`;
}

/** The same where there is little place; the id is where it is pointed at. */
export function shortNameOf(by: Actor | null): Html | string {
  if (by === null) return 'a program';
  return by.name === null ? id(by.id) : html`<bdi title="${by.id}">${by.name}</bdi>`;
}

/** What a person wrote: in either direction, and never shortened. */
export function said(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** How many more there are, with its sign. */
export function signedCount(more: number): string {
  return more > 0 ? `+${count(more)}` : count(more).replace('-', '\u2212');
}

/** An amount of each currency, so many at most: never a sum over currencies. */
export function amountsOf(
  all: readonly (readonly [currency: string, sum: string])[],
  most = 3,
): Html {
  const shown = all
    .slice(0, most)
    .map(([currency, sum], at) => html`${at === 0 ? '' : ' · '}${money(sum, currency)}`);
  const hidden = all.length - shown.length;
  const more = hidden === 1 ? '1 other currency' : `${count(hidden)} other currencies`;
  return html`${shown}${hidden === 0 ? null : ` · and ${more}`}`;
}

/** Both balances: the bonus only if it is not zero. */
export function purse({ real, bonus }: PurseJson, currency: string): Html {
  if (bonus === '0') return money(real, currency);
  return html`${money(real, currency)} <small>and bonus ${money(bonus, currency)}</small>`;
}

type Given = Pick<RoundJson, 'currency' | 'credits' | 'otherCredits'>;

/** What a round gave: in its own currency, then what people paid in others. */
export function given(round: Given): Html {
  const [first, ...more] = eachGiven(round);
  return html`${first}${more.map((one) => html` and ${one}`)}`;
}

/** The same, one for each currency. */
export function eachGiven({ currency, credits, otherCredits = [] }: Given): readonly Html[] {
  const others = otherCredits.map((one) => purse(one, one.currency));
  return currency === null && others.length > 0
    ? others
    : [purse(credits, currency ?? ''), ...others];
}

/** The words of states: the tone, the word on a badge, and what it means, in a few words. */
const stateWords: Readonly<
  Record<RoundState | 'repaired', readonly [tone: Tone, word: string, meaning: string]>
> = {
  none: ['plain', 'never started', 'never started'],
  open: ['plain', 'open', 'open'],
  closed: ['good', 'closed', 'closed'],
  cancelled: ['warn', 'cancelled', 'cancelled: waits for the void'],
  voided: ['plain', 'voided', 'voided'],
  stranded: ['bad', 'stranded', 'stranded: a credit was refused for good'],
  crashed: ['bad', 'crashed', 'crashed: a later credit was refused for good'],
  repaired: ['note', 'repaired', 'repaired by people'],
};

/** A state in words. */
export function nameOfState(state: RoundState): string {
  return stateWords[state][2];
}

/** A state in a word, by colour and shape; what it means is where it is pointed at. Most rounds are closed: the others are to be seen. */
export function stateBadge(state: RoundState | 'repaired'): Html {
  if (state === 'closed') return html`<span class="dim">closed</span>`;
  return badge(...stateWords[state]);
}

/** Why something was refused, after "because". Every code of an error has one. */
export const becauseOf: Readonly<Record<ErrorCode, string>> = {
  PLAYERNOTFOUND: 'the wallet knows no such player',
  GAMEROUNDALREADYSTARTED: 'the round had begun before',
  GAMEROUNDNOTACTIVE: 'the round was over',
  GAMEROUNDNOTSTARTED: 'the round had not begun',
  TRANSACTIONCOUNTWRONG: 'the call had not as many transactions as it said',
  INVALIDPARAMETER: 'something of it was missing or not valid',
  DISCOUNTNOTELIGIBLE: 'the discount was not the player’s',
  TRANSACTIONALREADYEXISTS: 'its hash had been used with other content',
  SIGNATUREWRONG: 'it was not signed by the RGS',
  INTERNALERROR: 'the wallet could not process it',
  BALANCETOOLOW: 'the balance was too low',
  CURRENCYNOTSUPPORTED: 'the player had no account in its currency',
  GAMEROUNDVOIDED: 'it was voided',
  DEBITFAILEDBEFORE: 'a bet of the round had failed',
  CREDITREFUSED: 'the account refused it',
  DEBITREFUSED: 'the player was blocked, or the account refused it',
  TEMPORARILYUNAVAILABLE: 'its outcome was not known',
  DEBITCHECKFAILED: 'the check before the bet gave no answer',
  LIMITREACHED: "it was beyond the player's limit",
  DEBITEXPIRED: 'it was older than what the wallet remembers',
};

/** The same for any outcome of a record; the code itself if it is of none that is known. */
export function reasonOf(outcome: string): string {
  return outcome in becauseOf ? becauseOf[outcome as ErrorCode] : outcome;
}

/** The same in a list: with the currency of the account that the player lacks. */
export function shortReasonOf(outcome: string, currency: string | null): string {
  const lacksAccount = outcome === 'CURRENCYNOTSUPPORTED' && currency !== null;
  return lacksAccount ? `no ${currency} account` : reasonOf(outcome);
}

/** The outcome of a repair, by colour and in words. */
const repairStatuses: Readonly<Record<RepairJson['status'] | 'expired', readonly [Tone, string]>> =
  {
    proposed: ['note', 'waits for approval'],
    paying: ['plain', 'approved, being paid'],
    done: ['good', 'made'],
    rejected: ['plain', 'rejected'],
    refused: ['bad', 'refused by the account'],
    takenBack: ['plain', 'made, taken back by a void'],
    stale: ['plain', 'stale: the round moved'],
    expired: ['plain', 'expired'],
  };

/** The status of a repair in words. */
export function repairWord(status: RepairJson['status'] | 'expired'): string {
  return repairStatuses[status][1];
}

/** The status of a repair, by colour, shape and in words. */
export function repairBadge(status: RepairJson['status'] | 'expired'): Html {
  return badge(...repairStatuses[status], status);
}
