import { frame, head, type Html, html, id, pageFile } from '../../../../platform/html';
import type { CertificationResult } from '../../talk/case';
import { withoutLogins, withoutSignatures } from '../cleaned';
import { reportDigest } from '../json';
import { visibleLine } from '../readable';
import { exceptionsPart } from './exceptions';
import { findings } from './finding';
import { groupsPart } from './groups';
import { moneyPart } from './money';
import { passedPart } from './passed';
import { runPart, startOf } from './run';
import { styleFor } from './style';
import { figures } from './tiles';
import { timingPart } from './timing';
import { untriedPart } from './untried';
import { verdictOf } from './verdict';

/**
 * The report as one file of HTML, for people: two pages to hand over, and an annex with the evidence. It loads nothing, runs
 * nothing, follows the reader's light or dark colours and prints. Whatever the wallet answered is shown as text. It holds no
 * signature of a call, and never a secret.
 * @param signedBy Name of the key that signed the JSON report.
 */
export function htmlReport(given: CertificationResult, signedBy: string | null = null): string {
  const result = withoutSignatures(withoutLogins(given));
  const operator = visibleLine(result.operatorId);
  const digest = reportDigest(given);
  const body = html`${heading(result)}${verdictOf(result)}${figures(result)}
<div class="grid"><div class="c7">${moneyPart(result)}${exceptionsPart(result)}</div><div class="c5">${runPart(result, { digest, signedBy })}</div></div>
<div class="sheet">${groupsPart(result)}${untriedPart(result)}</div>
<div class="sheet annex">${findings(result)}${timingPart(result)}${passedPart(result)}</div>`;
  const framed = frame(
    {
      product: 'Wallet certification',
      owner: id(operator),
      links: [],
      here: null,
      search: null,
      person: startOf(result),
      footer: [
        `Made by rgs-wallet certify ${visibleLine(result.version)}`,
        'Times in UTC',
        `Digest of the JSON report: ${digest}`,
      ],
    },
    body,
  );
  const title = `Wallet certification of ${operator}`;
  return pageFile({ title, style: styleFor(framed), body: framed });
}

function heading({ operatorId, wallet }: CertificationResult): Html {
  const version = wallet.version ?? wallet.sent[0] ?? null;
  const said =
    version === null ? null : html` <span class="dim">${id(visibleLine(version))}</span>`;
  return head(html`<bdi>${visibleLine(wallet.name ?? operatorId)}</bdi>${said}`);
}
