import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { certify } from '../../lib/proof/certify';
import { htmlReport } from '../../lib/proof/certify/report/page/document';
import { createWallet, OPERATORS } from '../../test/proof/certify/wallets/plain-wallet.cjs';

/** Certifies a wallet that pays a repeated win once more. Resolves to the report, and the case that says so. */
export async function failedReport(): Promise<{ readonly html: string; readonly caseId: string }> {
  const wallet = createWallet({ plants: new Set(['credits-paid-again']) });
  const server = createServer(wallet.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const [operator] = OPERATORS;
    const result = await certify({
      urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      operator: { operatorId: operator?.id ?? '', secret: operator?.secrets[0] ?? '' },
      playerIds: ['p1', 'p2'],
      currency: 'EUR',
    });
    const failed = result.cases.find(({ level, verdict }) => {
      return level === 'required' && verdict === 'failed';
    });
    if (failed === undefined) throw new Error('the wallet passed');
    return { html: htmlReport(result), caseId: failed.id };
  } finally {
    server.closeAllConnections();
    server.close();
    wallet.close();
  }
}

/** Leaves the head of a report and one case, as a script of the page. */
export function leavesCase(caseId: string): string {
  return `
    const shown = document.querySelector('article:has(#case-${caseId})');
    for (const section of document.querySelectorAll('main section, footer')) {
      if (!section.contains(shown)) section.remove();
    }
    for (const other of document.querySelectorAll('article')) if (other !== shown) other.remove();
    // The picture is small: the curl line says the call once more, and the headers are many.
    for (const headers of shown.querySelectorAll('.headers')) headers.remove();
    const curl = [...shown.querySelectorAll('h4')].find((one) => one.textContent.includes('curl'));
    curl?.nextElementSibling?.remove();
    curl?.remove();`;
}
