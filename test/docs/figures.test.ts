import { describe, expect, test } from '@jest/globals';
import { hostileRequests } from '../../bench/hostile/requests';
import { textOf } from '../tidy/source';
import { pages } from './blocks';

describe('the figures of docs/performance.md', () => {
  const page = textOf('docs/performance.md');

  test('as many goals are missed as the text says', () => {
    const words = ['None', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
    const [, word = ''] = /^(\w+) (?:is|are) missed/m.exec(page) ?? [];
    expect(words.indexOf(word)).toBe((page.match(/\| missed by [\d.]+ \|$/gm) ?? []).length);
  });

  test('are those that README.md and docs/operators.md repeat, with the commit that they are of', () => {
    const at32 = page.slice(page.indexOf('### closed loop: new rounds [debit, credit, end]; 32'));
    const row = (contestant: string): string[] =>
      (new RegExp(`^\\| ${contestant} .*$`, 'm').exec(at32)?.[0] ?? '').split('|');
    const callsOf = (contestant: string) =>
      Number(row(contestant)[2]?.trim().split(' ')[0]).toLocaleString('en');
    const cpuOf = (contestant: string) => row(contestant)[6]?.trim();
    const readme = textOf('README.md');
    expect(textOf('docs/operators.md')).toContain(
      `a call takes ${cpuOf('c')} us of CPU\ntime instead of ${cpuOf('i')}`,
    );
    const [, commit] = /were measured at commit (\w+)/.exec(page) ?? [];
    expect(readme).toContain(
      `| ${callsOf('e')} in Redis | ${callsOf('c')}, both at commit ${commit} (`,
    );
  });

  test('come with the commands that measure them, each a script of the package', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const commands = pages.flatMap((one) => textOf(one).match(/npm run [\w:]+/g) ?? []);
    const unknown = commands.filter(
      (command) => scripts[command.replace('npm run ', '')] === undefined,
    );
    expect([...new Set(unknown)]).toEqual([]);
  });
});

describe('the other figures', () => {
  test('docs/security.md says how many hostile requests are sent', () => {
    const [, count] = /sends (\d+) hostile/.exec(textOf('docs/security.md')) ?? [];
    expect(Number(count)).toBe(hostileRequests().length);
  });

  test('bytes of memory are the same on the two pages that have them', () => {
    const [, round, more, large] =
      /transactions takes (\d+) bytes in Redis, each further transaction (\d+), each\s+transaction of a round of 1,000 takes (\d+)/.exec(
        textOf('docs/performance.md'),
      ) ?? [];
    const operations = textOf('docs/operations/sizing.md');
    const rows = [
      'a closed round of three',
      'each further transaction',
      'each transaction of a round',
    ];
    const bytes = rows.map(
      (row) => new RegExp(`^\\| ${row}[^|]*\\| (\\d+) \\|$`, 'm').exec(operations)?.[1],
    );
    expect(bytes).toEqual([round, more, large]);
    const perMonth = (Number(round) * 30_000_000) / 1e9;
    expect(operations).toContain(`take about ${Math.round(perMonth)} GB`);
  });
});
