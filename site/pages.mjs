// Copies the pages of the repository into pages/, with links that hold on the site: to a page, or to the file in the repository.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { navigation } from './navigation.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
export const repository = 'https://github.com/rgs-wallet-kit/rgs-wallet-kit';

/** Pages whose place on the site is not their place below docs/. */
const moved = {
  'README.md': 'index.md',
  'SECURITY.md': 'report-a-vulnerability.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'examples/README.md': 'examples.md',
  'docs/decisions/README.md': 'decisions/index.md',
};

/** The sources of all pages: those at the root that are listed above, and all below docs/. */
export function sources() {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const docs = below.filter((path) => path.endsWith('.md')).map((path) => posix.join('docs', path));
  return [...new Set([...Object.keys(moved), ...docs])].toSorted();
}

/** Where a source is on the site, without a leading slash: `operations/redis.md`. */
export function placeOf(source) {
  return moved[source] ?? source.replace(/^docs\//, '');
}

/** The sidebar of VitePress. A page that is listed and not there is left out, and named. */
export function sidebar() {
  return navigation.map(({ text, pages }) => ({
    text,
    items: Object.entries(pages)
      .filter(([source]) => existsSync(join(root, source)))
      .map(([source, title]) => ({
        text: title,
        link: `/${placeOf(source).replace(/(?:index)?\.md$/, '')}`,
      })),
  }));
}

/** Writes every page, and the pictures that they show, into the folder. @throws Error for a link to nothing, or a page that the sidebar lacks. */
export function writePages(folder) {
  const listed = navigation.flatMap(({ pages }) => Object.keys(pages));
  const missing = sources().filter((source) => !listed.includes(source));
  if (missing.length > 0) throw new Error(`not in navigation.mjs: ${missing.join(', ')}`);
  for (const source of listed) {
    if (!existsSync(join(root, source))) console.log(`no ${source}: left out of the sidebar`);
  }
  for (const source of sources()) {
    const target = join(folder, placeOf(source));
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(root, source), 'utf8');
    writeFileSync(target, front(source) + linked(text, source, folder));
  }
}

/** What VitePress needs to link a page to its source. */
function front(source) {
  return `---\nsource: ${source}\n---\n\n`;
}

function linked(text, source, folder) {
  const parts = text.split(/(^```[^]*?^```$)/m);
  const link = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;
  return parts
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(link, (_, picture, label, to) => {
            return `${picture}[${label}](${picture ? shown(to, source, folder) : led(to, source)})`;
          }),
    )
    .join('');
}

/** Where a link leads on the site. */
function led(to, source) {
  if (/^(?:https?:|#)/.test(to)) return to;
  const [path, heading] = to.split('#');
  const target = targetOf(path, source);
  const anchor = heading === undefined ? '' : `#${heading}`;
  if (sources().includes(target)) {
    const way = posix.relative(posix.dirname(placeOf(source)), placeOf(target));
    return (way.startsWith('.') ? way : `./${way}`) + anchor;
  }
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
  return `${repository}/${kind}/main/${target}${anchor}`;
}

/** Copies a picture beside its page. */
function shown(to, source, folder) {
  const target = targetOf(to, source);
  const place = join(folder, placeOf(target));
  mkdirSync(dirname(place), { recursive: true });
  cpSync(join(root, target), place);
  const way = relative(dirname(join(folder, placeOf(source))), place);
  return way.startsWith('.') ? way : `./${way}`;
}

function targetOf(path, source) {
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  if (existsSync(join(root, target))) return target;
  throw new Error(`${source}: no file ${path}`);
}
