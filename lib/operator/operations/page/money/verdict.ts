import {
  counted,
  type Html,
  html,
  id,
  type HtmlPart,
  money,
  type Verdict,
} from '../../../../platform/html';
import type { SavedRound } from '../../../reconciliation/saved/day';
import { linkTo, roundLink } from '../links';
import { said } from '../words';
import type { MoneyPeriodView } from '../../view/money/read';
import type { ComparedDay } from '../../view/reconciliation';
import { shortDay } from './dates';

/** Whether the money of the period agrees with the RGS, in one sentence. */
export function moneyVerdict(view: MoneyPeriodView): Verdict {
  const { compared, lacks, span } = view;
  const period = `The ${span}`;
  const differing = compared.filter(({ word }) => word === 'differs');
  const [worst] = differing;
  const end = compared.length === 0 ? null : reconciliationLink(view, worst?.day ?? null);
  if (worst !== undefined) return { ...differs(view, period, differing, worst), end };
  const lacking = lacks.find((lack) => lack !== 'running' && lack !== 'just over');
  if (lacking !== undefined) {
    const title = lacking === 'waiting' ? 'Not all events are counted' : `${period} is not whole`;
    return { tone: 'warn', title, text: 'What is missing is listed below.', end };
  }
  if (lacks.includes('running')) return { ...running(view), end };
  const open = compared.find(({ word }) => word === 'incomplete' || word === 'unknown');
  if (open !== undefined) {
    const why = open.reason ?? 'the comparison did not list every currency';
    const title = `Whether ${period.toLowerCase()} agrees with the RGS is not known`;
    return { tone: 'warn', title, text: html`${shortDay(open.day)}: ${said(why)}.`, end };
  }
  return { ...(elsewhere(view, period) ?? agreeing(view, period)), end };
}

/** That the day is not to be closed, since it differs in a currency that is not shown; null if it does not. */
function elsewhere(view: MoneyPeriodView, period: string): Verdict | null {
  const { operatorId, first, span, currency, currencies, differing } = view;
  if (differing.length === 0) return null;
  const links = differing.map((one) => {
    const query = { operator: operatorId, day: first, currency: one };
    // Of a week or a month, it may be any day that differs.
    const found = linkTo('reconciliation', span === 'day' ? query : { operator: operatorId });
    const isHere = currencies.includes(one);
    const href = isHere ? linkTo('money', { ...query, span }) : found;
    return html` <a href="${href}">${id(one)}</a>`;
  });
  const others = differing.length === 1 ? 'another currency' : `${differing.length} others`;
  const title =
    currency === null
      ? `${period} differs from the RGS, though no money moved here`
      : `${period} differs from the RGS in ${others}, not in ${currency}`;
  return { tone: 'warn', title, text: html`Look at${links}.` };
}

function differs(
  { operatorId, currency, span }: MoneyPeriodView,
  period: string,
  differing: readonly ComparedDay[],
  worst: ComparedDay,
): Verdict {
  const days = [...new Set(differing.map(({ day }) => day))];
  const amounts = differenceOf(worst, currency ?? '');
  if (span === 'day') {
    const title = html`${period} differs from the RGS: here ${amounts}`;
    return { tone: 'warn', title, text: explained(operatorId, worst) };
  }
  const links = days.map((day, at) => {
    const href = linkTo('money', { operator: operatorId, day, currency: currency ?? '' });
    return html`${at === 0 ? '' : ', '}<a href="${href}">${shortDay(day)}</a>`;
  });
  const title = `${counted(days.length, 'day')} of the ${span} ${days.length === 1 ? 'differs' : 'differ'} from the RGS`;
  return { tone: 'warn', title, text: html`${links}.` };
}

type Difference = Pick<ComparedDay, 'bet' | 'win' | 'games'>;

function side(amount: string): string {
  return amount.startsWith('-') ? 'less' : 'more';
}

function size(amount: string): string {
  return amount.replace('-', '');
}

/** What is more or less here. */
export function differenceOf({ bet, win, games }: Difference, currency: string): Html {
  const parts: HtmlPart[] = [
    ...(bet === '0' ? [] : [html`${money(size(bet), currency)} ${side(bet)} taken`]),
    ...(win === '0' ? [] : [html`${money(size(win), currency)} ${side(win)} given`]),
    ...(games === 0 ? [] : [`${counted(Math.abs(games), 'round')} ${games < 0 ? 'less' : 'more'}`]),
  ];
  return html`${parts.map((one, at) => html`${at === 0 ? '' : ', '}${one}`)}`;
}

/** The rounds that are named, three at most. */
export function explained(
  operatorId: string,
  { rounds, counting }: Pick<ComparedDay, 'rounds' | 'counting'>,
): Html {
  const named = rounds.slice(0, 3).map((one) => html`${whyNamed(one, linked(operatorId, one))}. `);
  const left = rounds.length - named.length;
  const more = left === 0 ? null : `${left} more. `;
  const how = counting === null ? null : html`As the RGS counts: ${said(counting)}.`;
  return html`${named}${more}${how}`;
}

/** By getStats alone a round is a candidate: it would explain the sums, and another one may. */
function whyNamed({ kind, reason }: SavedRound, link: Html): Html {
  if (kind !== 'candidate') return html`In ${link}: ${said(reason ?? kind)}`;
  const how = reason === null ? null : html` (${said(reason)})`;
  return html`${link} would explain it${how}, as another round may`;
}

function linked(operatorId: string, { round, player }: SavedRound): Html {
  return player === null
    ? id(round)
    : roundLink({ operatorId, playerId: player, gameRound: round });
}

function running({ span }: MoneyPeriodView): Verdict {
  const title = `The ${span} is not over: these are the figures until now`;
  return { tone: 'note', title, text: 'It can be compared with the RGS an hour after its end.' };
}

function agreeing({ compared, span, lacks }: MoneyPeriodView, period: string): Verdict {
  const days = new Set(compared.map(({ day }) => day)).size;
  const isTolerated = compared.some(({ word }) => word === 'tolerated');
  const rest = isTolerated ? ' but for what is tolerated' : '';
  const [first] = compared;
  if (first === undefined) {
    const early = lacks.includes('just over')
      ? ' It ended less than an hour ago, so events may still come.'
      : '';
    const text = html`<code>rgs-wallet reconcile --save</code> compares it, and this page says what was found.${early}`;
    return { tone: 'note', title: `${period} was not compared with the RGS`, text };
  }
  const how = first.counting === null ? null : html`As the RGS counts: ${said(first.counting)}.`;
  if (span === 'day') {
    return { tone: 'good', title: `${period} agrees with the RGS to the unit${rest}`, text: how };
  }
  const title = `${counted(days, 'day')} of the ${span} ${days === 1 ? 'agrees' : 'agree'} with the RGS${rest}`;
  return {
    tone: 'good',
    title,
    text: html`No day differs. Days that were not compared are not counted here. ${how}`,
  };
}

function reconciliationLink({ operatorId, currency }: MoneyPeriodView, day: string | null): Html {
  const query = {
    operator: operatorId,
    ...(day !== null && { day }),
    ...(day !== null && currency !== null && { currency }),
  };
  return html`<a href="${linkTo('reconciliation', query)}">Reconciliation</a>`;
}
