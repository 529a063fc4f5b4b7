// Draws the picture of a certification report that the pages show: its head and one case.
// node build/picture-report.mjs report.html case-id docs/certification-report.jpg
// CHROMIUM is the path of a Chromium; `chromium` of the PATH unless set.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [report, caseId, picture] = process.argv.slice(2);
if (picture === undefined) throw new Error('needs a report, the id of a case, and a picture');
const executablePath =
  process.env.CHROMIUM ?? execFileSync('sh', ['-c', 'command -v chromium']).toString().trim();

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const context = await browser.newContext({
    colorScheme: 'light',
    viewport: { width: 880, height: 1240 },
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(resolve(report)).href);
  await page.evaluate((id) => {
    const shown = document.querySelector(`article:has(#case-${id})`);
    if (shown === null) throw new Error('the report does not show this case');
    for (const section of document.querySelectorAll('main section, footer')) {
      if (!section.contains(shown)) section.remove();
    }
    for (const other of document.querySelectorAll('article')) if (other !== shown) other.remove();
    // The picture is small: the curl line says the call once more, and the headers are many.
    for (const headers of shown.querySelectorAll('.headers')) headers.remove();
    const curl = [...shown.querySelectorAll('h4')].find((one) => one.textContent.includes('curl'));
    curl?.nextElementSibling?.remove();
    curl?.remove();
  }, caseId);
  const drawn = await page.screenshot({ type: 'jpeg', quality: 64 });
  // A larger picture makes a page of the documentation slow.
  if (drawn.length > 100 * 1024) throw new Error(`${drawn.length} bytes are too many`);
  writeFileSync(picture, drawn);
} finally {
  await browser.close();
}
