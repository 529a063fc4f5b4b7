import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';
import { expect, test } from '@jest/globals';

import { addServe } from '../../lib/cli/serve/command';
import { ROOT, textOf } from '../tidy/source';
import { commandOf, stagesOf, valuesOf } from './dockerfile';

interface Manifest {
  readonly name: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly files: readonly string[];
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(textOf('package.json')) as Manifest;
const [build = [], final = [], ...rest] = stagesOf();

/** What the build stage copies from the repository. */
const copied = valuesOf(build, 'COPY').flatMap((value) => value.split(' ').slice(0, -1));

test('there is a stage that builds, and one that runs, of one release of Node that the package takes', () => {
  expect(rest).toEqual([]);
  const images = [build, final].map((stage) => valuesOf(stage, 'FROM')[0]?.split(' ')[0]);
  expect(images[0]).toBe(images[1]);
  const major = Number(/^node:(\d+)-slim$/.exec(images[0] ?? '')?.[1]);
  expect(major).toBeGreaterThanOrEqual(Number.parseInt(manifest.engines.node.slice(2), 10));
});

test('what is copied is there, and is all that docker is sent', () => {
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const [all, ...sent] = textOf('docker/Dockerfile.dockerignore').trimEnd().split('\n');
  expect(all).toBe('*');
  expect(new Set(sent)).toEqual(new Set(copied.map((path) => `!${path}`)));
});

test('all that the package holds is copied or built', () => {
  const built = ['dist', 'openapi'];
  const held = manifest.files.filter((path) => !path.startsWith('!') && !built.includes(path));
  expect(held.filter((path) => !copied.includes(path))).toEqual([]);
  expect(valuesOf(build, 'RUN').join('\n')).toContain('npm run build && npm pack');
});

test('it runs the command of the package, as a user who is not root', () => {
  const names = final.map(({ name }) => name);
  expect(valuesOf(final, 'USER')).toEqual(['node']);
  expect(names.slice(names.indexOf('USER'))).not.toContain('RUN');
  const [entrypoint = ''] = valuesOf(final, 'ENTRYPOINT');
  const command = `node_modules/${manifest.name}/${manifest.bin['rgs-wallet'] ?? ''}`;
  expect(commandOf(entrypoint)).toEqual(['node', command]);
  expect(valuesOf(final, 'CMD').map(commandOf)).toEqual([['serve']]);
});

test('what runs is what the lock file has: nothing is fetched without it', () => {
  const runs = [...valuesOf(build, 'RUN'), ...valuesOf(final, 'RUN')].join('\n');
  expect(runs).toMatch(/^npm ci --ignore-scripts/);
  expect(runs).toContain('npm prune --omit=dev --ignore-scripts --offline');
  expect(runs).not.toMatch(/npm (?:install|i|add|exec)\b|npx\b/);
  expect(valuesOf(final, 'RUN')).toEqual([]);
  expect(valuesOf(final, 'COPY')).toEqual(['--from=build /build/node_modules node_modules']);
});

test('the clients of the stores are those that the tests run with', () => {
  const install = valuesOf(build, 'RUN').find((value) => value.startsWith('npm pkg')) ?? '';
  const pinned = [...install.matchAll(/ dependencies\.([a-z]+)=(\d\S*)/g)].map(
    ([, name, version]) => {
      return [name, version];
    },
  );
  const clients = Object.keys(manifest.peerDependencies).filter((name) => name !== 'express');
  expect(pinned).toEqual(clients.map((name) => [name, manifest.devDependencies[name]]));
});

test('it listens for other containers, names no store, and sets only variables that serve knows', () => {
  const program = new Command();
  addServe(program);
  const known = program.commands[0]?.options.map(({ envVar }) => envVar) ?? [];
  const set = Object.fromEntries(
    valuesOf(final, 'ENV').flatMap((value) => value.split(' ').map((pair) => pair.split('='))),
  ) as Record<string, string>;
  expect(set).toEqual({ NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '8080' });
  expect(Object.keys(set).filter((name) => name !== 'NODE_ENV' && !known.includes(name))).toEqual(
    [],
  );
  expect(valuesOf(final, 'EXPOSE')).toEqual([set['PORT']]);
});
