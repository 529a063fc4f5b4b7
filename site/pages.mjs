// Copies the pages of the repository into a folder, with links that hold on the site: to a page, or to the file in the repository.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { navigation } from './navigation.mjs';

export const repository = 'https://github.com/rgs-wallet-kit/rgs-wallet-kit';
const here = fileURLToPath(new URL('..', import.meta.url));
const link = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;
const block = /(^```[^]*?^```$)/m;

/** Pages whose place on the site is not their place below docs/. */
const moved = new Map([
  ['README.md', 'index.md'],
  ['SECURITY.md', 'report-a-vulnerability.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ['examples/README.md', 'examples.md'],
  ['docs/decisions/README.md', 'decisions/index.md'],
]);

/** Where a page is on the site, without a leading slash: `operations/redis.md`. */
function placeOf(source) {
  return moved.get(source) ?? source.replace(/^docs\//, '');
}

/** The sidebar of VitePress. A page that is listed and is not there is left out; {@link writePages} names it. */
export function sidebar() {
  return navigation.map(({ text, pages }) => ({
    text,
    items: Object.entries(pages)
      .filter(([source]) => existsSync(join(here, source)))
      .map(([source, title]) => ({
        text: title,
        link: `/${placeOf(source).replace(/(?:index)?\.md$/, '')}`,
      })),
  }));
}

/**
 * Writes every page, and the pictures that the pages show.
 * @param {string} folder Where to.
 * @param {string} root The repository.
 * @throws Error for a link to no file, or a page that navigation.mjs lacks.
 */
export function writePages(folder, root = here) {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const docs = below.filter((path) => path.endsWith('.md')).map((path) => posix.join('docs', path));
  const sources = new Set([...moved.keys(), ...docs]);
  const listed = new Set(navigation.flatMap(({ pages }) => Object.keys(pages)));
  for (const source of sources) {
    if (!listed.has(source)) throw new Error(`navigation.mjs has no ${source}`);
  }
  for (const source of listed) {
    if (!sources.has(source)) console.log(`no ${source}: left out of the sidebar`);
  }
  for (const source of sources) {
    const text = readFileSync(join(root, source), 'utf8');
    const target = join(folder, placeOf(source));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withLinks(text, { source, sources, root, folder }));
  }
}

/** The text of a page with its links as the site needs them; blocks of code stay as they are. */
function withLinks(text, page) {
  const replaced = (_, picture, label, to) => {
    return `${picture}[${label}](${picture === '!' ? pictureOf(to, page) : targetOf(to, page)})`;
  };
  const parts = text.split(block);
  return parts
    .map((part) => (part.startsWith('```') ? part : part.replace(link, replaced)))
    .join('');
}

/** Where a link leads on the site: to another page, or to a file of the repository on its host. */
function targetOf(to, { source, sources, root }) {
  if (/^(?:https?:|#)/.test(to)) return to;
  const [path, heading] = to.split('#');
  const target = fileOf(path, source, root);
  const anchor = heading === undefined ? '' : `#${heading}`;
  if (sources.has(target)) return wayTo(placeOf(target), source) + anchor;
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
  return `${repository}/${kind}/main/${target}${anchor}`;
}

/** Copies a picture, and says where it is. */
function pictureOf(to, { source, root, folder }) {
  const target = fileOf(to, source, root);
  const place = join(folder, placeOf(target));
  mkdirSync(dirname(place), { recursive: true });
  cpSync(join(root, target), place);
  return wayTo(placeOf(target), source);
}

/** The way from a page to a place on the site; with a dot in front, or it would be taken for a package. */
function wayTo(place, source) {
  const way = posix.relative(posix.dirname(placeOf(source)), place);
  return way.startsWith('.') ? way : `./${way}`;
}

function fileOf(path, source, root) {
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  if (target.startsWith('..') || !existsSync(join(root, target))) {
    throw new Error(`${source}: no file ${path}`);
  }
  return target;
}
