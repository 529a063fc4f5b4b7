// Writes the reference into a folder: one page for each subpath of the package, from the docstrings.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { modules } from './modules.mjs';
import { repository } from './pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function settings(folder) {
  return {
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: folder }],
    entryPoints: modules.map(({ file }) => join(root, file)),
    tsconfig: join(root, 'site/tsconfig.json'),
    skipErrorChecking: true, // the compiler of the root, a later one, has checked the code
    readme: 'none',
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableGit: true,
    sourceLinkTemplate: `${repository}/blob/main/lib/{path}#L{line}`,
    // Limits that only the stores of the package check by: named in docstrings, not exported.
    externalSymbolLinkMappings: {
      'rgs-wallet-kit': { longestReconciliation: '#', reconciliationSources: '#' },
    },
    validation: { invalidLink: true, notExported: false, notDocumented: false },
    outputFileStrategy: 'modules',
    entryFileName: 'index.md',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    useHTMLAnchors: true,
    anchorPrefix: 'api-',
    groupOrder: ['Functions', 'Classes', 'Variables', '*'],
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideSources: true, hideModifiers: true },
    pageTitleTemplates: { index: () => 'Reference', module: ({ name }) => titleOf(name) },
  };
}

function titleOf(page) {
  return modules.find((module) => module.page === page)?.name ?? page;
}

/** Writes the pages. @throws Error if a docstring links to a name that the package does not export. */
export async function writeReference(folder) {
  const app = await Application.bootstrapWithPlugins(settings(folder));
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc read nothing');
  for (const child of project.children ?? []) {
    const file = child.sources?.[0]?.fullFileName;
    const module = modules.find((one) => join(root, one.file) === file);
    if (module === undefined) throw new Error(`typedoc read ${child.name}, which is no subpath`);
    child.name = module.page;
  }
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('typedoc has warnings, see above');
}
