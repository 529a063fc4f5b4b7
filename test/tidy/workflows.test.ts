import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { filesBelow, textOf } from './source';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const files = filesBelow('.github/workflows', ['.yml']);
const workflows = files.map((path) => [path, parse(textOf(path)) as Workflow] as const);

function workflow(name: string): Workflow {
  const [, found] = workflows.find(([path]) => path.endsWith(`/${name}.yml`)) ?? [];
  if (found === undefined) throw new Error(`no workflow ${name}`);
  return found;
}

describe.each(workflows)('%s', (_, { permissions, jobs }) => {
  test('may read alone, unless a job says what it writes, and every job has a time limit', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(45);
  });

  test('runs scripts that package.json has, and actions of a named version', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)]);
    expect(named.filter(([, script = '']) => !(script in scripts))).toEqual([]);
    const actions = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });

  test('puts no text that others write into a command', () => {
    const commands = Object.values(jobs).flatMap((job) => job.steps.map(({ run = '' }) => run));
    const inserted = commands.flatMap((command) => command.match(/\$\{\{[^}]*\}\}/g) ?? []);
    expect(inserted.filter((one) => !/^\$\{\{ matrix\.\w+ \}\}$/.test(one))).toEqual([]);
  });
});

test('CI runs what the package says that it serves', () => {
  const { jobs } = workflow('ci');
  const matrixOf = (job: string, name: string): readonly unknown[] => {
    return jobs[job]?.strategy?.matrix[name] ?? [];
  };
  expect(jobs['check']?.steps.map(({ run }) => run)).toContain('.ci/run');
  expect(matrixOf('node', 'node')).toEqual([22, 24]);
  expect(matrixOf('postgres', 'postgres')).toEqual([14, 15, 16, 17, 18]);
  const images = matrixOf('redis', 'include').map((one) => (one as { image: string }).image);
  expect(images.map((image) => image.replace(/-bookworm$/, ''))).toEqual([
    'redis:7.0',
    'redis:7.4',
    'redis:8',
    'valkey/valkey:8',
    'valkey/valkey:9',
  ]);
});

test('a release is checked first, and published with a statement of where it was built', () => {
  const { jobs } = workflow('release');
  const { publish } = jobs as { publish: Job & { readonly needs: string } };
  expect(publish.needs).toBe('check');
  expect(publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  const commands = publish.steps.map(({ run }) => run);
  expect(commands.at(-1)).toBe('npm publish --provenance --access public');
  expect(jobs['check']?.steps.map(({ run }) => run)).toContain('.ci/run');
});
