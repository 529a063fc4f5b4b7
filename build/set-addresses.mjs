// `node build/set-addresses.mjs OWNER/NAME [CONTACT]` sets where the package lives: the repository on GitHub, and an address for
// reports of weaknesses. Everything that names either has it from here; test/docs/addresses.test.ts holds them together.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [repository = '', contact] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || (contact && !/^[^\s@]+@[^\s@]+$/.test(contact))) {
  console.error('usage: node build/set-addresses.mjs OWNER/NAME [CONTACT@DOMAIN]');
  process.exit(2);
}
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const url = `https://github.com/${repository}`;

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
manifest.homepage = `${url}#readme`;
manifest.repository.url = `git+${url}.git`;
manifest.bugs = { url: `${url}/issues`, ...(contact && { email: contact }) };
writeFileSync(at('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

const reports = contact ? `, or to <${contact}>` : '';
const section = `<!-- addresses -->\n${url}/security/advisories/new${reports}\n<!-- /addresses -->`;
const security = readFileSync(at('SECURITY.md'), 'utf8');
const marked = /<!-- addresses -->\n[^]*?<!-- \/addresses -->/;
if (!marked.test(security)) throw new Error('SECURITY.md has no place for the addresses');
writeFileSync(
  at('SECURITY.md'),
  security.replace(marked, () => section),
);
