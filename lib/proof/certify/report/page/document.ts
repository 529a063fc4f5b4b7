import { html, pageFile } from '../../../../platform/html';
import type { CertificationResult } from '../../outcome/result';
import { instantInWords, visibleLine, withoutLogins } from '../facts';
import { findings } from './finding';
import { moneySection } from './money';
import { passedSection } from './passed';
import { style } from './style';
import { groupsSection, masthead, runSection } from './summary';
import { timingSection } from './timing';

/**
 * The report as one file of HTML, for people: it loads nothing, runs nothing, follows the reader's light or dark
 * colours and prints. Whatever the wallet answered is shown as text. It holds signatures of calls, which are
 * valid for minutes, and never a secret.
 */
export function htmlReport(given: CertificationResult): string {
  const result = withoutLogins(given);
  const operator = visibleLine(result.operatorId);
  return pageFile({
    title: `Wallet certification of ${operator}`,
    style,
    body: html`${masthead(result)}
<main>${groupsSection(result)}${findings(result)}${moneySection(result)}${timingSection(result)}${runSection(result)}${passedSection(result)}</main>
<footer><p>Made by rgs-wallet certify ${visibleLine(result.version)}, ${instantInWords(result.startedAt)}. Results ${visibleLine(result.resultsHash)}.</p></footer>`,
  });
}
