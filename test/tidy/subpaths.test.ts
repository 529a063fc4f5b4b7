import { describe, expect, test } from '@jest/globals';

import subpaths from '../../build/subpaths.json';
import { documentNames } from '../../lib/platform/http/documents';
import { textOf } from './source';

interface Manifest {
  readonly main: string;
  readonly types: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

interface CompilerSettings {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}

/** What has a subpath of its own, and is in the root as well: the store that the smallest mount needs. */
const alsoInRoot = ['MemoryStoreOptions', 'createMemoryStore'];

/** Most names of the root: it is only for users who mount the wallet. */
const maxRootNames = 40;

const files = new Map(Object.entries(subpaths));
const manifest = JSON.parse(textOf('package.json')) as Manifest;
const names = new Map([...files].map(([subpath, file]) => [subpath, namesOf(file)]));

/** The built file of a source, with another ending. */
function built(file: string, ending: string): string {
  return `./${file.replace(/^lib\b/, 'dist').replace(/\.ts$/, ending)}`;
}

/** The names that an index file exports, types included. */
function namesOf(file: string): string[] {
  const lists = textOf(file).matchAll(/^export (?:type )?\{([^}]*)\} from '[^']+';$/gm);
  return [...lists].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  );
}

describe('the list of subpaths', () => {
  test('is what package.json exports, beside its vectors, its documents and itself', () => {
    const documents = documentNames.map((name) => `./openapi/${name}.json`);
    const entries = [...files].map(([subpath, file]) => {
      return [subpath, { types: built(file, '.d.ts'), default: built(file, '.js') }];
    });
    const data = {
      './vectors.json': './vectors/signature.json',
      './vectors-engine.json': './vectors/engine.json',
      ...Object.fromEntries(documents.map((file) => [file, file])),
      './package.json': './package.json',
    };
    expect(manifest.exports).toEqual({ ...Object.fromEntries(entries), ...data });
    expect([manifest.main, manifest.types]).toEqual([
      built(subpaths['.'], '.js'),
      built(subpaths['.'], '.d.ts'),
    ]);
  });

  test('is what classic module resolution finds by typesVersions', () => {
    const entries = [...files]
      .filter(([subpath]) => subpath !== '.')
      .map(([subpath, file]) => [subpath.slice('./'.length), [built(file, '.d.ts')]]);
    const vectors = {
      'vectors.json': ['./vectors/signature.json'],
      'vectors-engine.json': ['./vectors/engine.json'],
    };
    expect(manifest.typesVersions).toEqual({ '*': { ...Object.fromEntries(entries), ...vectors } });
  });

  test('is what the compiler resolves in the examples', () => {
    const { compilerOptions } = JSON.parse(textOf('tsconfig.json')) as CompilerSettings;
    const entries = [...files].map(([subpath, file]) => [
      subpath.replace('.', 'rgs-wallet-kit'),
      [`./${file}`],
    ]);
    expect(compilerOptions.paths).toEqual(Object.fromEntries(entries));
  });
});

describe('public names', () => {
  test('every line of an index file is a list of names from one module', () => {
    for (const file of files.values()) {
      const rest = textOf(file).replace(/^export (?:type )?\{[^}]*\} from '[^']+';$/gm, '');
      expect([file, rest.trim()]).toEqual([file, '']);
    }
  });

  test('every subpath has names', () => {
    expect([...names].filter(([, list]) => list.length === 0)).toEqual([]);
  });

  test('each is in one subpath, but for the memory store, which is in the root as well', () => {
    const places = new Map<string, string[]>();
    for (const [subpath, list] of names) {
      for (const name of list) places.set(name, [...(places.get(name) ?? []), subpath]);
    }
    const twice = [...places].filter(([, found]) => found.length > 1);
    const allowed = alsoInRoot.map((name) => [name, ['.', './memory']] as const);
    expect(new Map(twice)).toEqual(new Map(allowed));
  });

  test('sandbox is the RGS with its journals and books; provider is the client and the router of a game (E1.2)', () => {
    const sandbox = ['createSandbox', 'createMemoryJournal', 'createFileJournal', 'compareBooks'];
    expect(names.get('./sandbox')).toEqual(expect.arrayContaining([...sandbox, 'virtualClock']));
    const provider = ['createGameEngineClient', 'createGameProviderRouter', 'scaleStakes'];
    expect(names.get('./provider')).toEqual(expect.arrayContaining(provider));
  });

  test('the errors of stores are in the root alone, whichever store throws them', () => {
    const errors = [...names].flatMap(([subpath, list]) =>
      list.filter((name) => /^Store\w*Error$/.test(name)).map((name) => [name, subpath]),
    );
    expect(errors).toEqual([
      ['StoreUnavailableError', '.'],
      ['StoreUnsafeError', '.'],
    ]);
  });

  test(`the root has at most ${maxRootNames}, and docs/imports.md names every subpath`, () => {
    expect(names.get('.')?.length).toBeLessThanOrEqual(maxRootNames);
    const page = textOf('docs/imports.md');
    const missing = [...files.keys()].filter((subpath) => {
      return !page.includes(`\`${subpath.replace('.', 'rgs-wallet-kit')}\``);
    });
    expect(missing).toEqual([]);
  });
});
