import { readFileSync } from 'node:fs';

/** The subpaths of the package, each with the source file of its entry. */
const subpaths = JSON.parse(
  readFileSync(new URL('../build/subpaths.json', import.meta.url), 'utf8'),
);

/** A module of the package: its name as it is imported, the page that describes it, and the file of its entry. */
export const modules = Object.entries(subpaths).map(([subpath, file]) => ({
  name: `rgs-wallet-kit${subpath.slice(1)}`,
  page: subpath === '.' ? 'rgs-wallet-kit' : subpath.slice(2),
  file,
}));

/** The part of the sidebar that has the reference. */
export function referenceItems() {
  return modules.map(({ name, page }) => ({ text: name, link: `/api/${page}` }));
}
