import { expect, test } from '@jest/globals';

import { textOf } from '../tidy/source';

interface Manifest {
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string; readonly email?: string };
}

test('package.json and SECURITY.md name one repository and one address, as build/set-addresses.mjs sets them', () => {
  const { homepage, repository, bugs } = JSON.parse(textOf('package.json')) as Manifest;
  const [, url = ''] =
    /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/.exec(repository.url) ?? [];
  expect(url).not.toBe('');
  expect(homepage).toBe(`${url}#readme`);
  expect(bugs.url).toBe(`${url}/issues`);
  const mail = bugs.email === undefined ? '' : `, or to <${bugs.email}>`;
  const [, named] =
    /<!-- addresses -->\n([^]*?)\n<!-- \/addresses -->/.exec(textOf('SECURITY.md')) ?? [];
  expect(named).toBe(`${url}/security/advisories/new${mail}`);
});
