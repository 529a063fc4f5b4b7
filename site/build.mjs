// Builds the site into dist/: the pages of the repository, the reference from the docstrings, and a check of every link.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { brokenLinks } from './links.mjs';
import { writePages } from './pages.mjs';
import { writeReference } from './reference.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
for (const folder of ['pages', 'dist'])
  rmSync(join(here, folder), { recursive: true, force: true });

writePages(join(here, 'pages'));
await writeReference(join(here, 'pages/api'));
await build(here);

const { broken, pages, links } = brokenLinks(join(here, 'dist'), process.env.SITE_BASE);
for (const one of broken) console.error(`broken link: ${one}`);
console.log(`${links} links on ${pages} pages, ${broken.length} broken`);
if (broken.length > 0) process.exitCode = 1;
