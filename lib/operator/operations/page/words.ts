import { badge, type Html, html, id, money, type Tone } from '../../../platform/html';
import type { RoundState } from '../../gameround';
import type { Actor, PurseJson, RepairJson, RoundJson } from '../../wallet';

/** Who did something. The id is what counts: two people may have one name. */
export function nameOf(by: Actor | null): Html | string {
  if (by === null) return 'a program';
  return by.name === null ? id(by.id) : html`${id(by.name)} (${id(by.id)})`;
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

/** Both balances: the bonus only if it is not zero. */
export function purse({ real, bonus }: PurseJson, currency: string): Html {
  if (bonus === '0') return money(real, currency);
  return html`${money(real, currency)} <small>and bonus ${money(bonus, currency)}</small>`;
}

type Given = Pick<RoundJson, 'currency' | 'credits' | 'otherCredits'>;

/** What a round gave: in its own currency, then what people paid in others. */
export function given({ currency, credits, otherCredits = [] }: Given): Html {
  const others = otherCredits.map((one) => purse(one, one.currency));
  const own = currency === null && others.length > 0 ? [] : [purse(credits, currency ?? '')];
  const [first, ...more] = [...own, ...others];
  return html`${first}${more.map((one) => html` and ${one}`)}`;
}

const tones: Readonly<Record<RoundState, Tone>> = {
  none: 'plain',
  open: 'plain',
  closed: 'good',
  cancelled: 'warn',
  voided: 'plain',
  stranded: 'bad',
  crashed: 'bad',
};

/** What each state means, in a few words. */
const meanings: Readonly<Record<RoundState, string>> = {
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
  return meanings[state];
}

/** A state in a word, by colour and shape; what it means is where it is pointed at. */
export function stateBadge(state: RoundState): Html {
  return badge(tones[state], state === 'none' ? 'never started' : state, meanings[state]);
}

/** Why a credit was refused, after a colon. Codes of a credit that a player may be owed (D4.7, D11.3); others as they are. */
export function refusalWords(code: string, currency: string | null): string {
  switch (code) {
    case 'PLAYERNOTFOUND':
      return 'the player is not known';
    case 'CURRENCYNOTSUPPORTED':
      return `no ${currency ?? ''} account`;
    case 'CREDITREFUSED':
      return 'the account refused it';
    case 'GAMEROUNDNOTACTIVE':
      return 'the round was over';
    case 'DEBITFAILEDBEFORE':
      return 'a bet of it had failed';
    default:
      return code;
  }
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

/** The status of a repair, by colour, shape and in words. */
export function repairBadge(status: RepairJson['status'] | 'expired'): Html {
  return badge(...repairStatuses[status], status);
}
