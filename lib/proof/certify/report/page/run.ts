import { card, facts, type Html, html, id, part, timesIn } from '../../../../platform/html';
import type { CertificationResult } from '../../talk/case';
import { visibleLine } from '../readable';
import { durationInWords } from '../words';

/** The JSON report that this page is a picture of. */
interface Seal {
  /** Of the JSON report. */
  readonly digest: string;
  /** Name of the key that signed it; null if none did. */
  readonly signedBy: string | null;
}

/** When it began: its readers are in several zones. */
export function startOf({ startedAt }: Pick<CertificationResult, 'startedAt'>): Html {
  return html`${timesIn('UTC').time(new Date(startedAt).toISOString())} UTC`;
}

/** Who ran what, so that it can be run again. */
export function runPart(result: CertificationResult, { digest, signedBy }: Seal): Html {
  const { money, runBy, urls, wallet, seed, profile, version } = result;
  const players = money.length === 0 ? 'not read' : codes(money.map(({ playerId }) => playerId));
  const signed =
    signedBy === null ? 'Not signed.' : `Signed by ${visibleLine(signedBy)}; this page is not.`;
  const rows = facts([
    ['Wallet', walletInWords(wallet)],
    ['Addresses', codes(urls)],
    ['Operator', code(result.operatorId)],
    ['Players', players],
    ['Currency', html`${visibleLine(result.currency)}, game ${code(result.gameCode)}`],
    ['Run by', runBy === null ? 'not said' : html`<bdi>${visibleLine(runBy)}</bdi>`],
    ['When', html`${startOf(result)}, for ${durationInWords(result.durationMs)}`],
    ['With', `rgs-wallet certify ${visibleLine(version)}, profile ${profile}, seed ${seed}`],
    [
      'Results',
      html`${hash(result.resultsHash)}<br><small>SHA-256 of every case and its verdict: equal for two runs that found the same.</small>`,
    ],
    [
      'JSON report',
      html`${hash(digest)}<br><small>${signed} Compare with what rgs-wallet certify --check prints of the JSON report.</small>`,
    ],
  ]);
  return part('run', 'Who ran what', null, card(rows));
}

function code(text: string): Html {
  return html`<code>${id(visibleLine(text))}</code>`;
}

function codes(texts: readonly string[]): Html[] {
  return texts.map((text, at) => html`${at === 0 ? null : ', '}${code(text)}`);
}

/** Whole: it is compared. */
function hash(text: string): Html {
  return html`<code>${visibleLine(text)}</code>`;
}

function walletInWords({ name, version, sent }: CertificationResult['wallet']): Html {
  const said = [name, version].filter((one) => one !== null).map(visibleLine);
  const given =
    said.length === 0
      ? 'name and version not said'
      : html`<bdi>${said.join(' ')}</bdi>, as given by who ran it`;
  if (sent.length === 0) return html`${given}`;
  const headers = sent.map((one, at) => html`${at === 0 ? null : ', then '}${code(one)}`);
  return html`${given}; X-Wallet-Version: ${headers}`;
}
