import {
  amountText,
  badge,
  type Html,
  html,
  id,
  part,
  stackedTable,
} from '../../../../platform/html';
import { leftInWords } from '../../run/conclusion';
import type { CertificationResult, PlayerMoney } from '../../talk/case';
import { visibleLine } from '../readable';
import { wireAmount } from '../../run/obstacles';

/** Most players whose change is said in a sentence. */
const mostPlayers = 3;

/** Most cases that are named for what they left; the annex has all. */
const mostCases = 4;

/** Players who do not have what they had, or of whom it is not known. */
export function changed(money: readonly PlayerMoney[]): PlayerMoney[] {
  return money.filter(({ start, end }) => end !== start);
}

/** `ann −10.5 EUR, bob not known`. */
export function changes({ money, currency }: CertificationResult): Html {
  const off = changed(money);
  const shown = off.slice(0, mostPlayers).map(({ playerId, start, end }, at) => {
    const change = end === null ? 'not known' : onWire(end - start, currency, 'always');
    return html`${at === 0 ? null : ', '}${id(visibleLine(playerId))} ${change}`;
  });
  const more = off.length - shown.length;
  return html`${shown}${more > 0 ? `, and ${more} more` : null}`;
}

/**
 * An amount of the wire, with its digits alone: those of the currency would say that 100 is 100.00, and a wallet may
 * count in hundredths.
 */
function onWire(units: bigint, currency: string, sign?: 'always'): Html {
  const text = amountText(wireAmount(units), '', sign);
  return html`<span class="nw">${text} <small>${visibleLine(currency)}</small></span>`;
}

/** The players' money, before and after. */
export function moneyPart(result: CertificationResult): Html | null {
  const { money, mostAtRisk, currency } = result;
  if (money.length === 0) return null;
  const rows = money.map(({ playerId, start, end }) => [
    id(visibleLine(playerId)),
    onWire(start, currency),
    end === null ? 'not known' : onWire(end, currency),
    end === start ? '0' : difference(start, end),
  ]);
  const columns = ['player', '#at the start', '#at the end', '#difference'];
  const list = stackedTable('Money of the players', columns, rows, null);
  const about = html`<p class="dim">As the numbers on the wire: 100 is 1.00 where the wallet counts in hundredths. The run voids what it stakes; a difference was not given back, or given too much. Most at stake at any time: ${onWire(mostAtRisk, currency)}.</p>`;
  return part('money', 'Money before and after', null, html`${list}${leavers(result)}${about}`);
}

function difference(start: bigint, end: bigint | null): Html {
  if (end === null) return badge('warn', 'not known');
  return badge('bad', amountText(wireAmount(end - start), '', 'always'));
}

/** The cases after which the money was another. */
function leavers({ cases }: CertificationResult): Html | null {
  const all = cases.flatMap(({ id: name, left = [] }) => left.map((one) => ({ name, one })));
  if (all.length === 0) return null;
  const shown = all.slice(0, mostCases).map(({ name, one }) => {
    return html`<li><code>${name}</code>: ${visibleLine(leftInWords(one))}</li>`;
  });
  const more = all.length - shown.length;
  const rest = more > 0 ? html`<li>${more} more, each in the annex</li>` : null;
  return html`<p>Not restored after</p><ul>${shown}${rest}</ul>`;
}
