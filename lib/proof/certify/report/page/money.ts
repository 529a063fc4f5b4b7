import { type Html, html } from '../../../../platform/html';
import type { CertificationResult } from '../../outcome/result';
import { visibleLine, wireAmount, wireDifference } from '../facts';
import { section, table } from './layout';

/** The players' money, before and after. */
export function moneySection({ money, mostAtRisk, currency }: CertificationResult): Html | null {
  if (money.length === 0) return null;
  const rows = money.map(({ playerId, start, end }) => [
    visibleLine(playerId),
    wireAmount(start),
    end === null ? 'not known' : wireAmount(end),
    end === null ? 'not known' : difference(end - start),
  ]);
  const of = visibleLine(currency);
  return section(
    'money',
    'Money',
    html`${table(`Balances in ${of}`, ['player', '#at the start', '#at the end', '#difference'], rows)}
<p class="dim">In ${of}, as the numbers on the wire: where the wallet counts in minor units, 100 is 1.00. The run gives back by voids whatever it stakes; a difference is money that the wallet did not give back, or gave too much. Most at stake at any time: ${wireAmount(mostAtRisk)}.</p>`,
  );
}

function difference(units: bigint): Html | string {
  const text = wireDifference(units);
  return units === 0n ? text : html`<strong class="failed">${text}</strong>`;
}
