import { type Html, html, part, stackedTable } from '../../../../platform/html';
import type { CertificationResult } from '../../talk/case';
import { standingOf } from '../facts';
import { sentence, visibleLine } from '../readable';
import { standingBadge } from './standing';

/** Exceptions with their reasons, or that there are none. */
export function exceptionsPart({ cases }: CertificationResult): Html | null {
  if (cases.length === 0) return null;
  const excepted = cases.filter((one) => standingOf(one) === 'excepted');
  if (excepted.length === 0) {
    const none = html`<p class="dim">None: every case that was tried counts as it ended.</p>`;
    return part('exceptions', 'Exceptions', null, none);
  }
  const rows = excepted.map(({ id, level, verdict, rule, exception }) => [
    html`<a href="#case-${id}">${id}</a> <small>${visibleLine(rule)}</small>`,
    sentence(exception ?? ''),
    html`<span>${standingBadge('excepted', verdict)} <small>${level}</small></span>`,
  ]);
  const list = stackedTable('Exceptions', ['case', 'reason', 'verdict'], rows, null);
  const about = html`<p class="dim">Known before the run, and accepted by the operator for the reason given. They do not decide the outcome.</p>`;
  return part('exceptions', `Exceptions (${excepted.length})`, null, html`${list}${about}`);
}
