import { field, type Html, html, section, select, table } from '../../../platform/html';
import type { FaultKind, StateView } from '../view/state';
import { lineNames } from './calls';
import { button } from './layout';
import { aheadOf } from './overview';

const kinds: readonly (readonly [FaultKind, string])[] = [
  ['loseRequest', 'lose the request'],
  ['loseReply', 'lose the reply'],
  ['late', 'delay the reply'],
  ['twice', 'deliver twice'],
  ['reorder', 'deliver after the next call'],
  ['503', 'answer 503 in its place'],
  ['429', 'answer 429 in its place'],
  ['html', 'answer 200 with HTML'],
  ['cut', 'cut the reply'],
];

/** Faults on the four lines, the clock, the janitor and the kill. */
export function faultsPage(state: StateView): Html {
  return html`${section('set', 'Faults that are set', setFaults(state))}
${section('new', 'A new fault', newFault())}
${section('clock', 'Clock', clock(state))}
${section(
  'service',
  'Service',
  html`${button('janitor', 'Run the janitor now')}${button('kill', 'Kill the service now')}
<p class="dim">A killed service starts again from its journal: what was in doubt is voided (B4).</p>`,
)}`;
}

function setFaults({ faults }: StateView): Html {
  const rows = faults.map((one) => [
    lineNames[one.line],
    one.call ?? 'every call',
    kinds.find(([kind]) => kind === one.kind)?.[1] ?? one.kind,
    one.left === null ? `probability ${one.probability ?? 0}` : `next ${one.left}`,
    one.hits,
  ]);
  return html`${table('Faults that are set', ['line', 'call', 'fault', 'when', '#hits'], rows, 'No fault is set.')}${faults.length === 0 ? null : button('clear-faults', 'Remove all faults')}`;
}

function newFault(): Html {
  return html`<form method="post" action="/do/faults">${select('line', 'line', Object.entries(lineNames))}
${field('call (empty: every)', 'call')}${select('fault', 'kind', kinds)}
${field('next calls', 'next', html`inputmode="numeric" size="5" value="1"`)}
${field('or probability', 'probability', html`inputmode="decimal" size="5"`)}
${field('delay in ms', 'delayMs', html`inputmode="numeric" size="7"`)}<button>Set</button></form>`;
}

function clock({ now, aheadMs }: StateView): Html {
  const steps = [
    ['+1 minute', 60_000],
    ['+2 minutes', 120_000],
    ['+1 hour', 3_600_000],
    ['+24 hours', 86_400_000],
  ] as const;
  return html`<p>${now}, ${aheadOf(aheadMs)}</p>${steps.map(([label, advanceMs]) =>
    button('clock', label, { advanceMs }),
  )}`;
}
