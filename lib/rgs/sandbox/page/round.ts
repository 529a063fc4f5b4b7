import { type Html, html, section, table } from '../../../platform/html';
import type { DueView, MovementView, RoundView } from '../view/state';
import type { StepView, TimelineView, WireCall } from '../view/wire';
import { lineNames, statusOf, summaryOf } from './calls';
import { timeOf } from './layout';
import { sequenceOf } from './sequence';

/** The most calls that the diagram draws; the list has all. */
const maxDrawn = 60;

/** A round: what it is now, its calls as a diagram, and every step in order. */
export function roundPage({ round, steps }: TimelineView): Html {
  const calls = steps.flatMap((step) => (step.kind === 'call' ? [step.call] : []));
  return html`${round === null ? html`<p>The service keeps no such round.</p>` : head(round)}
${section('diagram', 'Between game, server and wallet', calls.length === 0 ? html`<p class="dim">No call is kept.</p>` : sequenceOf(calls.slice(-maxDrawn)))}
${section('timeline', 'Timeline', timeline(steps))}`;
}

function head(round: RoundView): Html {
  const facts = [
    ['state', round.state],
    ['player', `${round.playerId} (${round.operatorId})`],
    ['game', `${round.gameCode} of ${round.gameProviderId}, ${round.mode} ${round.currency}`],
    ['stake, in minor units', round.stake],
    ['open amount', round.amountToCollect],
    ['credited', round.amountCredited],
    ['pending', round.creditPending],
    ['started', round.startedAt],
    ['latest call', round.lastCallAt],
  ] as const;
  return html`${round.needsPerson ? html`<p class="notice bad">This round needs a person.</p>` : null}
${table('The round', ['fact', 'value'], facts, 'No facts.')}
${section('movements', 'Debits and credits, in minor units', movements([...round.debits, ...round.credits]))}
${section('queue', 'Due at the wallet, in order, in minor units', queue(round.due, 'Nothing is due.'))}
${round.undelivered.length === 0 ? null : section('undelivered', 'Not delivered', queue(round.undelivered, 'No transaction.'))}`;
}

function movements(rows: readonly MovementView[]): Html {
  return table(
    'Debits and credits, amounts in minor units',
    ['transaction', 'hash', '#amount', 'state', 'reason', 'time'],
    rows.map((one) => [
      one.type,
      html`<code>${one.hash}</code>`,
      one.amount,
      one.state,
      one.reason,
      timeOf(one.at),
    ]),
    'No debit or credit.',
  );
}

function queue(rows: readonly DueView[], unless: string): Html {
  return table(
    'Transactions, amounts in minor units',
    ['transaction', 'hash', '#amount', 'since', 'reason'],
    rows.map((one) => [
      one.type,
      html`<code>${one.hash}</code>`,
      one.amount,
      timeOf(one.at),
      one.reason,
    ]),
    unless,
  );
}

function timeline(steps: readonly StepView[]): Html {
  return table('Timeline', ['where', 'what', 'detail'], steps.map(rowOf), 'No step is kept.');
}

function rowOf(step: StepView): readonly (Html | string)[] {
  if (step.kind === 'call') return callRow(step.call);
  if (step.kind === 'finding') {
    const { finding } = step;
    return [html`<span class="warn">finding</span>`, finding.rule, finding.text];
  }
  return [
    'journal',
    step.type,
    html`<details><summary>${step.at}</summary><pre tabindex="0">${step.event}</pre></details>`,
  ];
}

function callRow(call: WireCall): readonly (Html | string)[] {
  return [
    lineNames[call.line],
    html`<a href="/call?n=${call.n}">${summaryOf(call)}</a>`,
    html`${statusOf(call)} ${call.fault === null ? null : html`<span class="warn">${call.fault}</span>`}`,
  ];
}
