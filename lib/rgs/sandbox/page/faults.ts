import {
  card,
  chips,
  counted,
  field,
  folded,
  hidden,
  type Html,
  html,
  part,
  picks,
  select,
  verdict,
} from '../../../platform/html';
import type { FaultKind, LineName, StateView } from '../view/state';
import { lineNames } from './calls';
import { listed, aheadOf, button, coverage, shortened, times } from './frame';

const kinds: readonly (readonly [kind: FaultKind, name: string, text: string])[] = [
  ['loseReply', 'lose the reply', 'The call arrives and counts; the caller never learns of it'],
  ['loseRequest', 'lose the request', 'The call does not arrive, and no reply comes'],
  ['cut', 'cut the reply', 'The call arrives; the connection ends in the middle of the reply'],
  ['late', 'delay the reply', 'The call arrives; its reply is held back for a second'],
  ['twice', 'deliver twice', 'The call arrives twice; the second reply is dropped'],
  ['reorder', 'deliver after the next call', 'The call arrives later than the one after it'],
  ['503', 'answer 503 in its place', 'The call does not arrive'],
  ['429', 'answer 429 in its place', 'The call does not arrive'],
  ['html', 'answer 200 with HTML', 'The call arrives; the reply is a page of a proxy'],
];

/** Most faults in the list. */
const mostFaults = 50;

/** The line that a text names; the one to the wallet unless it names one. */
export function lineOf(text: string | null): LineName {
  const names = Object.keys(lineNames) as LineName[];
  return names.find((name) => name === text) ?? 'rgs-wallet';
}

/** Faults on the four lines, the clock, the janitor and the kill. */
export function faultsPage(state: StateView, line: LineName): Html {
  return html`${setFaults(state)}
${part('new', 'A new fault', html`<small>for the next call of this line</small>`, newFault(line))}
<div class="grid"><div class="c6">${part('clock', 'Clock', null, card(clock(state)))}</div>
<div class="c6">${part(
    'service',
    'Service',
    null,
    card(html`<div class="tools">${button('janitor', 'Run the janitor now')}${button('kill', 'Kill the service now')}</div>
<p class="dim">A killed service starts again from its journal: what was in doubt is voided (B4).</p>`),
  )}</div></div>`;
}

function setFaults({ faults }: StateView): Html {
  if (faults.length === 0) {
    const text = 'Every call arrives once, and so does its reply.';
    return verdict({ tone: 'good', title: 'No fault is set', text });
  }
  const shown = faults.slice(0, mostFaults);
  const rows = shown.map((one) => [
    kinds.find(([kind]) => kind === one.kind)?.[1] ?? one.kind,
    lineNames[one.line],
    one.call === null ? 'every call' : shortened(one.call),
    one.left === null ? `probability ${one.probability ?? 0}` : `next ${one.left}`,
    one.hits,
  ]);
  const drawn = listed('Faults that are set', ['fault', 'line', 'call', 'when', '#hits'], rows, '');
  const beside = html`${coverage(shown.length, faults.length, 'faults')}${button('clear-faults', 'Remove all faults')}`;
  const title = `${counted(faults.length, 'fault')} ${faults.length === 1 ? 'is' : 'are'} set`;
  const text = 'Calls that fit go wrong on purpose.';
  return html`${verdict({ tone: 'warn', title, text })}${part('set', 'Faults that are set', beside, drawn)}`;
}

/** A card for each fault, on the line that is chosen. */
function newFault(line: LineName): Html {
  const lines = Object.entries(lineNames).map(
    ([name, text]) => [`/faults?line=${name}#new`, text, name === line] as const,
  );
  const cards = kinds.map(([kind, name, text]) => ({
    name,
    text,
    action: button('faults', 'Set', { line, kind, next: 1 }, { name: `Set: ${name}` }),
  }));
  return html`${chips('The line', lines)}${picks(cards)}
${folded('Several calls, a probability, or one call alone', exactly(line))}`;
}

function exactly(line: LineName): Html {
  const names = kinds.map(([kind, name]) => [kind, name] as const);
  return html`<form method="post" action="/do/faults">${hidden({ line })}${select('fault', 'kind', names)}
${field('call (empty: every)', 'call')}
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
  const buttons = steps.map(([label, advanceMs]) => button('clock', label, { advanceMs }));
  return html`<p>${times.day(now)}, ${aheadOf(aheadMs)}</p><div class="tools">${buttons}</div>`;
}
