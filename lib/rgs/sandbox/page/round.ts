import {
  folded,
  type Html,
  html,
  part,
  remark,
  tiles,
  type Verdict,
  verdict,
} from '../../../platform/html';
import type { AttentionView, DueView, MovementView, RoundView } from '../view/state';
import type { StepView, TimelineView, WireCall } from '../view/wire';
import { amount } from '../wire/amounts';
import { answerOf, callWords, type CurrencyOf, lineNames } from './calls';
import { listed, coverage, times } from './frame';
import { lanes } from './lanes';
import { owedOf, waysOf } from './rounds';

/** The round of a page, and what a person can do about it; null for nothing. */
interface RoundPage extends TimelineView {
  readonly gameRound: string;
  readonly attention: AttentionView | null;
  /** Whether all calls and steps are shown, however many. */
  readonly isWhole: boolean;
}

/** Most steps of the timeline unless all are asked for. */
const mostSteps = 40;

/** A round: what it is now, its calls between the three, and every step in order. */
export function roundPage({ round, steps, gameRound, attention, isWhole }: RoundPage): Html {
  const calls = steps.flatMap((step) => (step.kind === 'call' ? [step.call] : []));
  const currencyOf: CurrencyOf = (named) =>
    named === gameRound || named === null ? (round?.currency ?? null) : null;
  const all = isWhole ? null : `/round?id=${encodeURIComponent(gameRound)}&all=1`;
  const drawn =
    calls.length === 0
      ? html`<p class="dim">No call is kept.</p>`
      : lanes({ calls, currencyOf, all });
  const findings = steps.flatMap((step) => (step.kind === 'finding' ? [step.finding] : []));
  return html`${round === null ? unknown() : summary(round)}
${attention === null ? null : part('attention', 'What you can do', null, html`<p>${attention.why}</p>${waysOf(attention)}`)}
${findings.map(({ rule, text }) => remark('warn', `Finding, ${rule}`, text))}
${part('lanes', 'Between game, RGS and wallet', html`<small>what a call moves is on its arrow</small>`, drawn)}
${round === null ? null : moneyOf(round)}
${timeline(steps, currencyOf, all)}`;
}

function unknown(): Html {
  const text = 'Its age was over, or its id is another one.';
  return verdict({ tone: 'note', title: 'The RGS keeps no such round', text });
}

/** What each state means, in a word of colour and a sentence. */
const meanings: Readonly<Record<RoundView['state'], readonly [Verdict['tone'], string, string]>> = {
  starting: ['note', 'The bet is at the wallet', 'The wallet has not answered the debit yet.'],
  open: ['note', 'Open', 'The player can play on.'],
  closed: ['good', 'Closed', 'The round is over.'],
  stranded: ['bad', 'Stranded: a win was refused', 'The wallet refused the credit for good.'],
  crashed: [
    'bad',
    'Crashed: not all was paid',
    'The wallet refused a credit after it had paid one.',
  ],
  declined: ['note', 'Declined', 'The wallet refused the bet: nothing was taken.'],
  cancelled: ['note', 'Cancelled', 'The bet was not certain, and is taken back.'],
  voided: ['note', 'Voided', 'All that the round moved is taken back.'],
};

function summary(round: RoundView): Html {
  const { state, currency, needsPerson, due, debits } = round;
  const [tone, title, text] = meanings[state];
  const owed = round.credits.some((one) => one.state === 'refused' || one.state === 'held');
  const refused = owed ? html` Not paid: ${owedOf(round)}.` : null;
  const waits = needsPerson ? ' It waits for a person.' : '';
  const left = due.length === 0 ? ' Nothing is due.' : ` ${due.length} due at the wallet.`;
  const isLate = tone === 'good' && due.length > 0;
  const taken = debits.filter((one) => one.state === 'accepted').length;
  return html`${verdict({
    tone: needsPerson && tone !== 'bad' ? 'bad' : isLate ? 'warn' : tone,
    title,
    text: html`${text}${refused}${waits}${left}`,
  })}
${tiles([
  { name: 'Bet', value: amount(round.stake, currency), below: `${taken} taken` },
  {
    name: 'To collect',
    value: amount(round.amountToCollect, currency),
    below: 'won, not collected',
  },
  { name: 'Paid', value: amount(round.amountCredited, currency), below: 'confirmed by the wallet' },
  {
    name: 'Due',
    value: amount(round.creditPending, currency),
    below: 'not confirmed yet',
    isAlarm: round.creditPending !== '0',
  },
])}`;
}

/** The transactions of a round; lists without a row are one line. */
function moneyOf({ debits, credits, due, undelivered, currency }: RoundView): Html {
  const moved = [...debits, ...credits];
  const left = undelivered.map((one) => {
    const known = moved.find(({ hash }) => hash === one.hash);
    return { ...one, state: known?.state ?? 'not delivered' };
  });
  const lists = [
    ['movements', 'Debits and credits', moved],
    ['queue', 'Due at the wallet, in order', due],
    ['undelivered', 'Not delivered', left],
  ] as const;
  const nothing = lists.flatMap(([, title, rows]) => (rows.length === 0 ? [title] : []));
  const line =
    nothing.length === 0
      ? null
      : html`<p class="dim">None: ${nothing.join('; ').toLowerCase()}.</p>`;
  return html`${lists.map(([anchor, title, rows]) =>
    rows.length === 0 ? null : part(anchor, title, null, transactions(title, rows, currency)),
  )}${line}`;
}

function transactions(
  title: string,
  rows: readonly (DueView & Partial<MovementView>)[],
  currency: string,
): Html {
  return listed(
    title,
    ['transaction', 'hash', '#amount', 'state', 'reason', 'time'],
    rows.map((one) => [
      one.type,
      html`<code>${one.hash}</code>`,
      one.amount === null ? null : amount(one.amount, currency),
      one.state ?? 'due',
      one.reason,
      times.clock(one.at),
    ]),
    '',
  );
}

function timeline(steps: readonly StepView[], currencyOf: CurrencyOf, all: string | null): Html {
  const shown = all === null ? steps : steps.slice(-mostSteps);
  const rows = shown.map((step) => rowOf(step, currencyOf));
  const drawn = listed('Timeline', ['where', 'what', 'detail'], rows, '');
  const isCut = shown.length < steps.length;
  const more = isCut ? html` <a href="${all}">All steps</a>` : null;
  const beside = html`${coverage(shown.length, steps.length, 'steps')}${more}`;
  const title = `Calls, events of the journal and findings (${shown.length})`;
  const body =
    steps.length === 0 ? html`<p class="dim">No step is kept.</p>` : folded(title, drawn);
  return part('timeline', 'Every step, in order', beside, body);
}

function rowOf(step: StepView, currencyOf: CurrencyOf): readonly (Html | string)[] {
  if (step.kind === 'call') return callRow(step.call, currencyOf);
  if (step.kind === 'finding') {
    const { finding } = step;
    return ['finding', finding.rule, finding.text];
  }
  const { at, type, event } = step;
  const text = html`<details><summary>${times.time(at)}</summary><pre tabindex="0">${event}</pre></details>`;
  return ['journal', type, text];
}

function callRow(call: WireCall, currencyOf: CurrencyOf): readonly (Html | string)[] {
  return [
    lineNames[call.line],
    html`<a href="/call?n=${call.n}">${call.n}</a> <bdi>${callWords(call, currencyOf)}</bdi>`,
    answerOf(call),
  ];
}
