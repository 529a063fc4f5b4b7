import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { parse } from 'yaml';

import { addCertify } from '../../lib/cli/certify/command';
import { allCases, groups } from '../../lib/proof/certify';
import { badgeLine } from '../../lib/proof/certify/report/json';
import { groupQuestions } from '../../lib/proof/certify/report/facts';
import { passedSample } from '../proof/certify/report/sample';
import { textOf } from '../tidy/source';
import { blockOf } from './blocks';

const page = 'docs/certification.md';

/** The flags of the command, such as `--url`. */
function flags(): string[] {
  const program = new Command();
  addCertify(program);
  return program.commands.flatMap(({ options }) => options.map(({ long }) => long ?? ''));
}

describe('docs/certification.md', () => {
  test.each([
    'first-run',
    'list',
    'kills',
    'blocks',
    'except-run',
    'sign-report',
    'check-report',
    'github',
    'gitlab',
  ])('names only flags that the command has, in %s', (name) => {
    const [, command = ''] = blockOf(page, name).code.split('rgs-wallet certify');
    const line = command.split(/\n\s*(?:env|artifacts):/)[0] ?? '';
    const used = line.replace(/'[^']*'/g, '').match(/--[a-z-]+/g) ?? [];
    expect(used).not.toEqual([]);
    expect(used.filter((flag) => !flags().includes(flag))).toEqual([]);
  });

  test('names every flag of the command', () => {
    const missing = flags().filter((flag) => !textOf(page).includes(flag));
    expect(missing).toEqual([]);
  });

  test('says what each group asks, as the report does', () => {
    for (const group of groups) {
      expect(textOf(page)).toContain(`| \`${group}\` | ${groupQuestions[group]} |`);
    }
  });

  test('lists exceptions of cases that there are', () => {
    const ids = Object.keys(JSON.parse(blockOf(page, 'except').code) as object);
    expect(ids.filter((id) => !allCases.some((one) => one.id === id))).toEqual([]);
  });

  test.each([
    ['github', ['jobs']],
    ['gitlab', ['certify']],
  ])('has a snippet for %s that is YAML', (name, keys) => {
    expect(Object.keys(parse(blockOf(page, name).code) as object)).toEqual(keys);
  });

  test('shows the badge that --badge prints', () => {
    expect(textOf(page)).toContain(badgeLine(passedSample({ version: '0.1.0' })));
  });
});
