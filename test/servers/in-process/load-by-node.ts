import * as nodeModule from 'node:module';

interface Loader {
  load(this: void, path: string, parent: null, isMain: boolean): unknown;
}

/**
 * Loads a package by Node's own loader. Both WebAssembly packages load parts of themselves with `import()`, which
 * the loader of a test runner does not have.
 */
export function loadByNode(name: string): unknown {
  const { _load: load } = nodeModule.Module as unknown as { readonly _load: Loader['load'] };
  return load(require.resolve(name), null, false);
}
