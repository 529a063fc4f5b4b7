import {
  ageOf,
  badge,
  card,
  chips,
  count,
  counted,
  empty,
  field,
  folded,
  type Html,
  html,
  type HtmlPart,
  id,
  money,
  select,
  verdict,
  type ZonedTimes,
} from '../../../platform/html';
import { isSamePerson } from '../../gameround/repairs/decision';
import type { Person } from '../configuration/person';
import type { AttentionRow, AttentionView } from '../view/waiting/attention';
import type { Listed } from '../view/query-store';
import { type AskTexts, waitingStates } from '../view/waiting/order';
import type { PageBody, Reader } from './layout';
import { idAttributes, linkTo, nextLink, playerLink, roundHref, roundLink } from './links';
import { amountsOf, shortReasonOf, shortNameOf, stateBadge } from './words';

/** Who reads, and what they may do. */
type WaitingReader = Reader & { readonly person: Person };

/** The rounds that wait for a person, those that were asked for. */
export function waitingPage(
  view: AttentionView,
  others: OthersThatWait,
  ask: AskTexts,
  { person, times, repairedAt }: WaitingReader & { readonly repairedAt: string | null },
): PageBody {
  const { total, fitting, next } = view;
  const isAsked = Object.keys(ask).some((name) => name !== 'sort');
  const isEmpty = total === 0 && view.isWhole && !view.isLate;
  const rows = isEmpty ? null : rowsOf(view, person, 'No round that waits fits.');
  const more = view.isWhole ? '' : ' or more';
  const below = `${count(fitting)} of ${count(total)}${more} fit what was asked for.`;
  return {
    title: 'Waiting',
    ...(isAsked && { below }),
    tools: waitingTabs(view, others, ask.state ?? 'all'),
    body: html`${view.isLate ? unlessWhole(view, times) : waitingVerdict(view, repairedAt, times)}${askForm(ask)}${view.isLate ? null : unlessWhole(view, times)}${rows}${nextLink(next === null ? null : linkTo('waiting', { ...ask, after: next }), 'Next page')}`,
  };
}

/** What does not wait for a person: rounds without an end, and what is pending at the ledger. */
interface OthersThatWait {
  readonly openRounds: Listed<Counted>;
  readonly pending: Listed<Counted>;
}

type Counted = Pick<AttentionView, 'total' | 'isWhole'>;

/** Links to each kind of what waits, with how many. */
export function waitingTabs(
  { total, states, proposals }: AttentionView,
  { openRounds, pending }: OthersThatWait,
  here: string,
): Html {
  return chips('What waits', [
    ['waiting', `all ${count(total)}`, here === 'all'],
    ...waitingStates.map((state) => {
      const text = `${state} ${count(states[state] ?? 0)}`;
      return [linkTo('waiting', { state }), text, here === state] as const;
    }),
    ['repairs', `to decide ${count(proposals)}`, false],
    ['open', `no end${countOf(openRounds)}`, false],
    ['pending', `pending${countOf(pending)}`, false],
  ]);
}

/** Nothing where none are listed. */
function countOf(listed: Listed<Counted>): string {
  if (typeof listed === 'string') return '';
  return ` ${listed.isWhole ? '' : 'more than '}${count(listed.total)}`;
}

/** Folded unless something of it is asked: the states are above, and the rows are to be seen. */
function askForm(ask: AskTexts): Html {
  const form = askFields(ask);
  const isAsked = Object.keys(ask).some((name) => name !== 'state');
  return isAsked ? card(form) : folded('Filter and order', form);
}

function askFields({
  state,
  game = '',
  currency = '',
  min = '',
  hours = '',
  sort = 'age',
}: AskTexts): Html {
  const states = waitingStates.map((one) => [one, one] as const);
  return html`<form method="get" action="waiting">
${select('State', 'state', [['', 'any'], ...states], state ?? '')}
${field('Game', 'game', html`${idAttributes} value="${game}"`)}
${field('Currency', 'currency', html`maxlength="32" size="6" autocomplete="off" value="${currency}"`)}
${field('At stake at least', 'min', html`inputmode="decimal" maxlength="40" size="10" autocomplete="off" value="${min}"`)}
${field('Waits for hours', 'hours', html`inputmode="numeric" maxlength="6" size="6" autocomplete="off" value="${hours}"`)}
${select('Order', 'sort', orders, sort)}
<button class="main">Show</button></form>`;
}

const orders = [
  ['age', 'the oldest first'],
  ['amount', 'the largest first'],
] as const;

/** How many wait, for how long, and the money in them, by currency; where none does, when the last one was repaired. */
function waitingVerdict(
  { total, isWhole, oldest, asOf, atStake }: AttentionView,
  repairedAt: string | null,
  times: ZonedTimes,
): Html {
  if (total === 0 && isWhole) {
    const last =
      repairedAt === null ? null : html`The last one was repaired at ${times.time(repairedAt)}. `;
    const text = html`${last}Repairs that were made are in <a href="repair-log">all repairs</a>.`;
    return verdict({ tone: 'good', title: 'No round waits for a person', text });
  }
  if (total === 0) {
    return notKnown('Whether a round waits for a person is not known');
  }
  const sums = Object.entries(atStake).filter(([, sum]) => /[1-9]/.test(sum));
  const rounds = counted(total, 'round');
  const stake =
    sums.length === 0
      ? 'No money is known to be at stake.'
      : html`At stake${isWhole ? '' : ' at least'}: ${amountsOf(sums, mostSums)}.`;
  const age = oldest === null ? null : html` The oldest for ${ageOf(oldest, asOf)}.`;
  return verdict({
    tone: 'warn',
    title: `${isWhole ? rounds : `More than ${rounds}`} ${total === 1 && isWhole ? 'waits' : 'wait'} for a person`,
    text: html`${stake}${age}`,
  });
}

/** Most sums in a sentence. */
const mostSums = 6;

/** That the list is an earlier one, or was cut; nothing if it is neither. */
export function unlessWhole(
  { isWhole, isLate, asOf }: Pick<AttentionView, 'isWhole' | 'isLate' | 'asOf'>,
  times: ZonedTimes,
): Html | null {
  if (isLate) {
    const text = html`This is what it listed at ${times.time(asOf)}.`;
    return verdict({ tone: 'bad', title: 'The store does not answer', text, isAlert: true });
  }
  return isWhole
    ? null
    : html`<p class="notice bad">Not all are listed: there are more, and every sum here is at least. <code>rgs-wallet rounds attention</code> lists all.</p>`;
}

/** Rounds with why they wait, and what this person can do. */
export function rowsOf({ rows, asOf, total }: AttentionView, person: Person, unless: string): Html {
  if (rows.length === 0) return empty(total === 0 ? unless : 'Nothing further waits.');
  return html`<ul class="rows">${rows.map((row) => rowOf(row, asOf, person))}</ul>`;
}

function rowOf(row: AttentionRow, asOf: string, person: Person): Html {
  const { since, state, gameCode, atStake, currency, proposal } = row;
  const amount = atStake === null ? 'unknown' : money(atStake, currency ?? '');
  const age =
    since === null ? 'unknown' : html`<span title="since ${since}">${ageOf(since, asOf)}</span>`;
  const game = gameCode === null ? null : html` · ${id(gameCode)}`;
  // Who proposed it does not approve it (D11.2).
  const decides =
    proposal !== null && person.may.includes('approve') && !isSamePerson(proposal.by.id, person.id);
  return html`<li><div>${stateBadge(state)}</div><div class="span">${whyItWaits(row)}${proposalOf(proposal, person)}</div><div>${roundLink(row)}<small>${playerLink(row)}${game}</small></div><div class="n amt">${amount}</div><div class="n dim">${age}</div><div class="n"><a class="btn" href="${roundHref(row)}">${decides ? 'Decide' : 'Look'}</a></div></li>`;
}

/** Why a round waits, in a few words. */
export function whyItWaits({ state, refusal, currency }: AttentionRow): HtmlPart {
  if (state === 'cancelled') return 'A bet was answered 5xx: waits for its void';
  if (state === 'open') return 'No end came';
  const what = state === 'crashed' ? 'A later win was refused' : 'Win refused';
  return refusal === null ? what : `${what}: ${shortReasonOf(refusal, currency)}`;
}

function proposalOf(proposal: AttentionRow['proposal'], person: Person): Html | null {
  if (proposal === null) return null;
  const you = proposal.by.id === person.id ? ' (you)' : '';
  return html`<small>${badge('note', 'proposed')} ${shortNameOf(proposal.by)}${you} proposes to ${proposal.kind}</small>`;
}

/** The rounds without an end, the oldest first; null where the store has no index of them. */
export function openRoundsPage(
  view: AttentionView | null,
  openHours: number,
  { person, times }: WaitingReader,
): PageBody {
  const title = 'Open rounds';
  if (view === null) {
    const missing = { title: 'Open rounds are not listed', text: noOpenIndex };
    return { title, body: verdict({ tone: 'note', ...missing }) };
  }
  const { next } = view;
  return {
    title,
    body: html`${view.isLate ? null : openVerdict(view, openHours)}${unlessWhole(view, times)}${view.total === 0 ? null : rowsOf(view, person, 'No round is open for so long.')}${nextLink(next === null ? null : linkTo('open', { after: next }), 'Next page')}`,
  };
}

/** How many are open for so long, and what to do. */
function openVerdict({ total, isWhole, oldest, asOf }: AttentionView, openHours: number): Html {
  const long = `open for more than ${counted(openHours, 'hour')}`;
  if (total === 0) {
    if (!isWhole) return notKnown('Whether a round has no end is not known');
    const text = 'A round that began later may still be played.';
    return verdict({ tone: 'good', title: `No round is ${long}`, text });
  }
  const title = `${isWhole ? '' : 'More than '}${counted(total, 'round')} ${total === 1 && isWhole ? 'is' : 'are'} ${long}: no end came`;
  const age = oldest === null ? '' : `The oldest is from ${ageOf(oldest, asOf)} ago. `;
  const text = `${age}Ask the RGS; some games keep a round open until the player comes back.`;
  return verdict({ tone: 'warn', title, text });
}

/** That the store did not list what there is in time. */
export function notKnown(title: string): Html {
  return verdict({ tone: 'warn', title, text: 'The store took too long to list them.' });
}

/** Said where the store cannot list the rounds without an end. */
export const noOpenIndex =
  'This store has no index of open rounds: those without an end are not listed. In Redis set history: true (serve --history).';
