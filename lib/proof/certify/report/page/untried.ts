import { html, type Html, part, stackedTable } from '../../../../platform/html';
import { byReason, untriedOf } from '../../run/untried';
import type { CertificationResult, LeftOut } from '../../talk/case';
import { sentence, visibleLine } from '../readable';

/** Most ids that are named of cases that were left out: there is nothing else of them in the report. */
const mostLeftOut = 10;

/** What was not tried, and why. */
export function untriedPart(result: CertificationResult): Html | null {
  const untried = untriedOf(result);
  if (untried.length === 0) return null;
  const left = new Set(result.leftOut);
  const rows = byReason(untried).map(([why, list]) => [
    sentence(why),
    list.filter(({ level }) => level === 'required').length,
    list.filter(({ level }) => level === 'advisory').length,
    names(list, left.has(list[0] as LeftOut)),
  ]);
  const columns = ['why', '#required', '#advisory', 'cases'];
  const list = stackedTable('Cases that were not tried', columns, rows, null);
  return part('untried', `Not tried (${untried.length})`, null, list);
}

function names(list: readonly LeftOut[], isLeftOut: boolean): Html {
  const required = list.filter(({ level }) => level === 'required');
  const order = [...required, ...list.filter(({ level }) => level !== 'required')];
  const shown = isLeftOut ? order.slice(0, mostLeftOut) : order;
  const more = order.length > shown.length ? `, and ${order.length - shown.length} more` : '';
  return html`<span class="names">${shown.map(({ id }) => visibleLine(id)).join(', ')}${more}</span>`;
}
