import { basename, dirname } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { codeOnly, filesBelow, importsOf, textOf } from './source';

/** The wings of lib; one may import from itself and from those of {@link BELOW}. */
const WINGS = ['platform', 'protocol', 'operator', 'rgs', 'provider', 'proof', 'cli'];

/** What each wing stands on. The three parties of the protocol know nothing of each other. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  protocol: ['platform'],
  operator: ['platform', 'protocol'],
  rgs: ['platform', 'protocol'],
  provider: ['platform', 'protocol'],
  proof: ['platform', 'protocol', 'operator', 'rgs', 'provider'],
  cli: ['platform', 'protocol', 'operator', 'rgs', 'provider', 'proof'],
};

/** The rules of a round and of the RGS: pure. */
const PURE = ['lib/operator/gameround', 'lib/rgs/rounds', 'lib/rgs/settlement'];

/** What only platform may say: the time, timers, and chance. */
const TIME_AND_CHANCE =
  /\bDate\s*\.\s*now\b|\bnew Date\s*(?:\(\s*\)|[;,)])|\bperformance\b|\bhrtime\b|\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\bAbortSignal\s*\.\s*timeout\b|\bMath\s*\.\s*random\b|\b(?:randomBytes|randomInt|randomUUID|randomFill|randomFillSync|getRandomValues)\b/g;
const TIME_AND_CHANCE_MODULES = /'(?:node:)?(?:timers|perf_hooks)(?:\/|')/g;

/** Where fetch and files may be used: the folders with these names, and all of platform and cli. */
const FETCH_AND_FILES_IN = [
  'platform',
  'stores',
  'journal',
  'client',
  'http',
  'page',
  'report',
  'archive',
  'cli',
];
const FETCH = /\bfetch\s*\(/g;
const FILES = /'(?:node:)?fs(?:\/promises)?'/g;

/** "About 15" files a folder. */
const MOST_FILES = 16;

const lib = filesBelow('lib', ['.ts']);
/** The simulator plays time and chance itself, from a seed. */
const simulator = filesBelow('test/simulator', ['.ts']).filter((path) => {
  return !path.endsWith('.test.ts') && !path.startsWith('test/simulator/command/');
});
const imports = lib.flatMap((path) => importsOf(path).map((target) => ({ path, target })));

/** The imports that a rule forbids, as text. */
function forbidden(isForbidden: (path: string, target: string) => boolean): string[] {
  return imports
    .filter(({ path, target }) => isForbidden(path, target))
    .map(({ path, target }) => `${path} imports ${target}`);
}

describe('wings', () => {
  test('every folder of lib is a wing, and lib itself holds nothing but its index', () => {
    const tops = new Set(lib.map((path) => path.split('/')[1] ?? ''));
    expect([...tops].filter((top) => !WINGS.includes(top))).toEqual(['index.ts']);
  });

  test('a wing imports only from itself and from the wings that it stands on', () => {
    const upwards = forbidden((path, target) => {
      const [wing, other] = [wingOf(path), wingOf(target)];
      return wing !== 'index.ts' && wing !== other && !BELOW[wing]?.includes(other);
    });
    expect(upwards).toEqual([]);
  });

  test('nothing in lib imports a file outside lib, or the index', () => {
    const outside = forbidden((_, target) => {
      return !target.startsWith('lib/') || target === 'lib/index.ts';
    });
    expect(outside).toEqual([]);
  });

  test('no store imports another store, nor the ledger', () => {
    const stores = 'lib/operator/stores/';
    const across = forbidden((path, target) => {
      const [one, other] = [path, target].map((file) => file.slice(stores.length).split('/'));
      if (!path.startsWith(stores)) return false;
      if (!target.startsWith(stores)) return target.startsWith('lib/operator/ledger/');
      // Other folders are what all of them share.
      const isStore = ['memory', 'postgres', 'redis'].includes(other?.[0] ?? '');
      return isStore && one?.[1] !== undefined && one[0] !== other?.[0];
    });
    expect(across).toEqual([]);
  });

  test('the contracts know a store by its port, not by what is behind it', () => {
    const behind = ['lib/operator/stores/', 'lib/operator/ledger/', 'lib/operator/http/'];
    const known = forbidden((path, target) => {
      return isBelow(path, 'lib/proof/contracts') && behind.some((one) => target.startsWith(one));
    });
    expect(known).toEqual([]);
  });

  test('the certification knows a wallet by HTTP only', () => {
    const known = forbidden((path, target) => {
      return isBelow(path, 'lib/proof/certify') && isBelow(target, 'lib/operator');
    });
    expect(known).toEqual([]);
  });
});

describe('the settlement of the RGS, which judges wallets', () => {
  test('it imports nothing but types, and those of the protocol alone', () => {
    const files = lib.filter((path) => isBelow(path, 'lib/rgs/settlement'));
    expect(files).not.toEqual([]);
    const found = files.flatMap((path) => {
      const statements = textOf(path).match(/^import [^;]+;/gm) ?? [];
      const outside = statements.filter((statement) => !/from '\.\/[a-z-]+';$/.test(statement));
      return outside.filter((one) => !/^import type [^;]+ from '\.\.\/\.\.\/protocol\//.test(one));
    });
    expect(found).toEqual([]);
  });
});

describe('circles', () => {
  test('no file imports itself by way of others, types included', () => {
    const files = new Map(lib.map((path) => [path, importsOf(path)]));
    expect(circleOf(files)).toBeNull();
  });

  test('no folder imports itself by way of others, types included', () => {
    const folders = new Map<string, string[]>();
    for (const { path, target } of imports) {
      const [from, to] = [dirname(path), dirname(target)];
      if (from !== to) folders.set(from, [...(folders.get(from) ?? []), to]);
    }
    expect(circleOf(folders)).toBeNull();
  });

  test('no neighbours in a folder, files or folders, import each other in a circle, at any level', () => {
    expect(circleOf(neighboursOf(imports))).toBeNull();
  });

  test.each([
    ['lib/a/x/deep/one.ts', 'lib/a/y/two.ts', 'lib/a/x -> lib/a/y -> lib/a/x'],
    ['lib/x/deep/one.ts', 'lib/y/two.ts', null],
  ])('a circle by way of %s, which imports %s, is %j', (path, target, circle) => {
    const back = { path: 'lib/a/y/three.ts', target: 'lib/a/x/four.ts' };
    expect(circleOf(neighboursOf([{ path, target }, back]))).toBe(circle);
  });
});

describe('folders', () => {
  test(`no folder of lib holds more than ${MOST_FILES} files`, () => {
    const counts = new Map<string, number>();
    for (const path of filesBelow('lib', ['.ts', '.lua', '.sql'])) {
      if (basename(dirname(path)) === 'migrations') continue; // one more each time, for ever
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });

  test('a file name repeats no folder that it is in', () => {
    const repeating = lib.filter((path) => {
      const parts = path.replace(/\.ts$/, '').split('/');
      const name = parts.at(-1) ?? '';
      return parts.slice(1, -1).some((folder) => name === folder || name.startsWith(`${folder}-`));
    });
    expect(repeating).toEqual([]);
  });
});

describe('time, chance, fetch and files', () => {
  test('only platform touches time, timers and chance: all else has a Clock and a Random', () => {
    const found = [...lib, ...simulator]
      .filter((path) => !isBelow(path, 'lib/platform'))
      .flatMap((path) => touching(path, TIME_AND_CHANCE, TIME_AND_CHANCE_MODULES));
    expect(found).toEqual([]);
  });

  test('fetch and files are used in the folders that are for them, and nowhere else', () => {
    const found = lib
      .filter((path) => !FETCH_AND_FILES_IN.some((folder) => inFolder(path, folder)))
      .flatMap((path) => touching(path, FETCH, FILES));
    expect(found).toEqual([]);
  });

  test('only a module named packed reads what lies beside it: the build writes the texts in its place', () => {
    const reading = lib.filter((path) => codeOnly(textOf(path)).includes('__dirname'));
    expect(reading.filter((path) => basename(path) !== 'packed.ts')).toEqual([]);
    expect(reading.length).toBeGreaterThan(3);
  });

  test.each([
    ['const at = Date.now();', ['Date.now']],
    ['const at = Date . now ();', ['Date . now']],
    ['const at = new Date().toISOString();', ['new Date()']],
    ['const at = new Date;', ['new Date;']],
    [
      "import { setTimeout as delay } from 'node:timers/promises';",
      ['setTimeout', "'node:timers/"],
    ],
    ["import { randomInt } from 'node:crypto';", ['randomInt']],
    ['await new Promise(setImmediate);', ['setImmediate']],
    ['await attempt(AbortSignal.timeout(5));', ['AbortSignal.timeout']],
    ['const pause = Math.random();', ['Math.random']],
    ['const at = performance.now();', ['performance']],
    ['// as Date.now() does', []],
    ['const at = new Date(clock.now()).toISOString();', []],
    ["const help = 'setTimeout';", []],
    ['const timeoutMs = setTimeoutMs(5);', []],
  ])('%s touches %j', (code, words) => {
    expect(wordsIn(code, TIME_AND_CHANCE, TIME_AND_CHANCE_MODULES)).toEqual(words);
  });
});

describe('purity', () => {
  test('the rules do no input or output, wait for nothing, and know neither date nor chance (E1.1)', () => {
    const impure = /\b(?:async|await|Promise|Date|process|setTimeout|setInterval|Math\.random)\b/;
    const found = lib
      .filter((path) => PURE.some((folder) => isBelow(path, folder)))
      .filter((path) => impure.test(codeOnly(textOf(path))) || /'node:/.test(textOf(path)));
    expect(found).toEqual([]);
  });
});

/** What a file touches of such words in its code and such modules in its text, each as `path: word`. */
function touching(path: string, words: RegExp, modules: RegExp): string[] {
  return wordsIn(textOf(path), words, modules).map((word) => `${path}: ${word}`);
}

function wordsIn(text: string, words: RegExp, modules: RegExp): string[] {
  return [...(codeOnly(text).match(words) ?? []), ...(text.match(modules) ?? [])];
}

/** Whether a file is in a folder of this name, at whatever depth. */
function inFolder(path: string, folder: string): boolean {
  return dirname(path).split('/').includes(folder);
}

/** The first folder of lib that a file is in. */
function wingOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** What each file or folder imports of its neighbours, by itself or by what is in it. */
function neighboursOf(
  all: readonly { readonly path: string; readonly target: string }[],
): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const { path, target } of all) {
    const [from, to] = [path.split('/'), target.split('/')];
    const level = from.findIndex((part, at) => part !== to[at]) + 1;
    if (level === 0) continue;
    const [one, other] = [from, to].map((parts) => parts.slice(0, level).join('/'));
    if (one !== undefined && other !== undefined)
      graph.set(one, [...(graph.get(one) ?? []), other]);
  }
  return graph;
}

/** A cycle of imports, as text; null if there is none. */
function circleOf(graph: ReadonlyMap<string, readonly string[]>): string | null {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node].join(' -> ');
    if (done.has(node)) return null;
    for (const target of graph.get(node) ?? []) {
      const circle = visit(target, [...trail, node]);
      if (circle !== null) return circle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle !== null) return circle;
  }
  return null;
}
