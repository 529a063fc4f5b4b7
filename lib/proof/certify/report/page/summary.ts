import { facts, type Html, html, section, table } from '../../../../platform/html';
import type { CertificationResult } from '../../talk/case';
import {
  countsByGroup,
  countsOf,
  gradeOf,
  groupQuestions,
  groupTitle,
  headlineOf,
  type Standing,
  standingNames,
  standings,
  type Tally,
} from '../facts';
import { sentence, visibleLine } from '../readable';
import { durationInWords, instantInWords, wireAmount, wireDifference } from '../words';

/** The wallet and how the run ended. */
export function masthead(result: CertificationResult): Html {
  const { operatorId, summary, wallet, startedAt } = result;
  const name = wallet.name ?? operatorId;
  const version = wallet.version ?? wallet.sent[0] ?? null;
  return html`<header><p class="kind"><span>Wallet certification</span><span>${instantInWords(startedAt)}</span></p>
<h1>${visibleLine(name)}${version === null ? null : html` <span class="dim">${visibleLine(version)}</span>`}</h1>
<div class="outcome ${gradeOf(result)}"><p class="word">${headlineOf(result)}</p><p>${sentence(summary)}</p></div>
<ul class="tiles">${standings.map((standing) => tile(result, standing))}</ul>
<p class="dim">A required case follows from the specification and decides the outcome. An advisory one has another legal reading; it decides nothing, as do exceptions. What was not tried says nothing about the wallet.</p></header>
`;
}

function tile(result: CertificationResult, standing: Standing): Html {
  const required = countsOf(result, 'required')[standing];
  const advisory = countsOf(result, 'advisory')[standing];
  return html`<li><strong>${countOf(standing, required + advisory)}</strong><span>${standingNames[standing]}</span><small>${required} required<br>${advisory} advisory</small></li>`;
}

/** The groups of cases: what they ask, and how they ended. */
export function groupsSection(result: CertificationResult): Html | null {
  const { cases } = result;
  if (cases.length === 0) return null;
  const rows = countsByGroup(result).map(([group, counts]) => {
    const title = groupTitle(group);
    const isPlayed = cases.some((one) => one.group === group);
    const name = isPlayed ? html`<a href="#group-${group}">${title}</a>` : title;
    return [html`${name}<small>${groupQuestions[group]}</small>`, bar(counts), ...numbers(counts)];
  });
  const names = standings.map((standing) => `#${standingNames[standing]}`);
  const total = countsOf(result);
  const list = table('Cases by group', ['@group', 'share', ...names], rows, 'No case.', [
    'All',
    bar(total),
    ...numbers(total),
  ]);
  return section('groups', 'By group', list);
}

function numbers(tally: Tally): Html[] {
  return standings.map((standing) => countOf(standing, tally[standing]));
}

const barWidth = 120;

/** The shares of a tally; the numbers are shown next to it. */
function bar(tally: Tally): Html {
  const total = standings.reduce((sum, standing) => sum + tally[standing], 0);
  let at = 0;
  const parts = standings.map((standing) => {
    const width = (tally[standing] / total) * barWidth;
    const part = html`<rect class="${standing}" x="${at.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="8"/>`;
    at += width;
    return tally[standing] === 0 ? null : part;
  });
  return html`<svg class="bar" width="${barWidth}" height="8" viewBox="0 0 ${barWidth} 8" aria-hidden="true" focusable="false">${parts}</svg>`;
}

/** The JSON report that this page is a picture of. */
export interface Seal {
  /** Of the JSON report. */
  readonly digest: string;
  /** Name of the key that signed it; null if none did. */
  readonly signedBy: string | null;
}

/** Who ran what, so that it can be run again. */
export function runSection(result: CertificationResult, { digest, signedBy }: Seal): Html {
  const { money, runBy, urls, wallet, seed, profile } = result;
  return section(
    'run',
    'What was run',
    facts([
      ['Wallet', walletInWords(wallet)],
      ['Addresses', urls.map((url) => html`<code>${visibleLine(url)}</code> `)],
      ['Operator', html`<code>${visibleLine(result.operatorId)}</code>`],
      ['Players', money.map(({ playerId }) => html`<code>${visibleLine(playerId)}</code> `)],
      [
        'Currency',
        html`${visibleLine(result.currency)}, game <code>${visibleLine(result.gameCode)}</code>`,
      ],
      ['Run by', runBy === null ? 'not said' : visibleLine(runBy)],
      ['When', `${instantInWords(result.startedAt)}, for ${durationInWords(result.durationMs)}`],
      [
        'With',
        `rgs-wallet certify ${visibleLine(result.version)}, profile ${profile}, seed ${seed}`,
      ],
      [
        'Results',
        html`<code>${visibleLine(result.resultsHash)}</code><small>SHA-256 of every case and its verdict: two runs that found the same have the same.</small>`,
      ],
      [
        'JSON report',
        html`<code>${digest}</code><small>${signedBy === null ? 'Not signed.' : html`Signed by ${visibleLine(signedBy)}; this page is not.`} Compare with what rgs-wallet certify --check prints of the JSON report.</small>`,
      ],
    ]),
  );
}

function walletInWords({ name, version, sent }: CertificationResult['wallet']): string {
  const said = [name, version].filter((one) => one !== null).map(visibleLine);
  const parts = [
    said.length === 0 ? 'name and version not said' : `${said.join(' ')}, as given by who ran it`,
    ...(sent.length === 0 ? [] : [`X-Wallet-Version: ${sent.map(visibleLine).join(', then ')}`]),
  ];
  return parts.join('; ');
}

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
    html`${table(`Balances in ${of}`, ['@player', '#at the start', '#at the end', '#difference'], rows, 'No player.')}
<p class="dim">In ${of}, as the numbers on the wire: where the wallet counts in minor units, 100 is 1.00. The run voids whatever it stakes; a difference is money that the wallet did not give back, or gave too much. Most at stake at any time: ${wireAmount(mostAtRisk)}.</p>`,
  );
}

function difference(units: bigint): Html | string {
  const text = wireDifference(units);
  return units === 0n ? text : html`<strong class="failed">${text}</strong>`;
}

/** A count, in the colour of its standing unless it is 0. */
function countOf(standing: Standing, value: number): Html {
  return value === 0
    ? html`<span class="none">0</span>`
    : html`<span class="${standing}">${value}</span>`;
}
