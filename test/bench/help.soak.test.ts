import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';

import { scripts } from '../../package.json';

/** Commands that measure or search, each as `npm run` starts it once the build is done. */
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const [program, ...args] = (script.split(' && ').at(-1) ?? '').split(' ');
  return program === 'node' && args.includes('./bench/register.cjs') ? [{ name, args }] : [];
});

test('the commands are those of the benchmarks, the simulator and the searches for faults', () => {
  expect(commands.length).toBeGreaterThan(14);
});

describe.each(commands)('npm run $name', ({ name, args }) => {
  const run = (...more: string[]) =>
    spawnSync(process.execPath, [...args, ...more], { encoding: 'utf8', timeout: 60_000 });

  test('--help says how it is called, and ends with 0', () => {
    const { status, stdout, stderr } = run('--help');
    expect(stderr).toBe('');
    expect(stdout).toContain(`npm run ${name}`);
    expect(status).toBe(0);
  });

  test('an option that it does not know is refused on stderr, with 2 and without a stack', () => {
    const { status, stdout, stderr } = run('--no-such-option');
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
