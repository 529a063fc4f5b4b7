import { count, html, type Html, type Tile, tiles } from '../../../../platform/html';
import type { CaseResult, CertificationResult } from '../../talk/case';
import { countsOf, tallyInWords } from '../facts';
import { changed, changes } from './money';
import { answered, shortMs } from './timing';

/** The run in four figures; nothing if no case was played. */
export function figures(result: CertificationResult): Html | null {
  if (result.cases.length === 0) return null;
  return tiles([
    casesTile(result, 'required'),
    casesTile(result, 'advisory'),
    moneyTile(result),
    timeTile(result),
  ]);
}

function casesTile(result: CertificationResult, level: CaseResult['level']): Tile {
  const counts = countsOf(result, level);
  const rest = { ...counts, passed: 0 };
  return {
    name: html`<a href="#groups">${level === 'required' ? 'Required' : 'Advisory'} cases passed</a>`,
    value: html`${count(counts.passed)} <small>of ${count(counts.total)}</small>`,
    below: counts.total > 0 && counts.passed === counts.total ? 'all' : tallyInWords(rest),
    isAlarm: level === 'required' && counts.failed + counts.inconclusive > 0,
  };
}

function moneyTile(result: CertificationResult): Tile {
  const { money } = result;
  if (money.length === 0) {
    return { name: 'Balances restored', value: '–', below: 'no balance was read' };
  }
  const off = changed(money).length;
  return {
    name: html`<a href="#money">Balances restored</a>`,
    value: html`${count(money.length - off)} <small>of ${count(money.length)}</small>`,
    below: off === 0 ? 'no money missing or in excess' : changes(result),
    isAlarm: off > 0,
  };
}

function timeTile({ timings }: CertificationResult): Tile {
  const [first] = answered(timings);
  if (first === undefined) {
    return { name: 'Time to answer', value: '–', below: 'no call was answered' };
  }
  const name = html`<a href="#timing">Half of the calls within</a>`;
  const below = `${first.call}; 99% within ${shortMs(first.p99)}`;
  return { name, value: shortMs(first.p50), below };
}
