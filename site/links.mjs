// Checks every link of a built site: the file is there, and the element with that id. `node links.mjs FOLDER [BASE]`
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

const tag = /<[a-z][^<>]*>/gi;
const attribute = /\s(href|src|id|name)="([^"]*)"/g;

/** The ids of a page, and where its links lead. */
function read(path) {
  const [ids, links] = [new Set(), new Set()];
  for (const [text] of readFileSync(path, 'utf8').matchAll(tag)) {
    for (const [, name, value] of text.matchAll(attribute)) {
      if (name === 'id' || name === 'name') ids.add(value);
      else links.add(value.replaceAll('&amp;', '&'));
    }
  }
  return { ids, links };
}

/**
 * The links of a site that lead nowhere, each as `page: link`. Links to other hosts are not followed.
 * @param {string} folder What was built.
 * @param {string} base The path at which it is served, with a slash at both ends.
 */
export function brokenLinks(folder, base = '/') {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const pages = new Map(
    files.filter((path) => path.endsWith('.html')).map((path) => [path, read(join(folder, path))]),
  );
  if (pages.size === 0) throw new Error(`${folder} has no page`);
  const leads = (page, link) => {
    const url = new URL(link, new URL(posix.join(base, page), 'http://site'));
    if (url.host !== 'site') return true;
    if (!url.pathname.startsWith(base)) return false;
    const path = decodeURIComponent(url.pathname.slice(base.length));
    const file = [path, `${path}.html`, posix.join(path, 'index.html')].find((one) => {
      return existsSync(join(folder, one)) && statSync(join(folder, one)).isFile();
    });
    if (file === undefined) return false;
    const id = decodeURIComponent(url.hash.slice(1));
    return id === '' || (pages.get(file)?.ids.has(id) ?? false);
  };
  const broken = [...pages].flatMap(([page, { links }]) =>
    [...links].filter((link) => !leads(page, link)).map((link) => `${page}: ${link}`),
  );
  const count = [...pages.values()].reduce((sum, { links }) => sum + links.size, 0);
  return { broken, pages: pages.size, links: count };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , folder, base] = process.argv;
  const { broken, pages, links } = brokenLinks(folder, base);
  for (const one of broken) console.error(`broken link: ${one}`);
  console.log(`${links} links on ${pages} pages, ${broken.length} broken`);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
