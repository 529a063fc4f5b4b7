// Writes the JSON Schemas of what the kit writes as JSON by TypeScript types alone: the events, the views of the operations page and
// those of the sandbox. With --check it fails where one is not what the types say. A change of the events that a reader could notice
// is a new version: a new file beside the old one.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);

const files = {
  'events/1': {
    title: 'The events of a wallet, version 1',
    path: 'lib/operator/wallet/events.ts',
    types: ['WalletEvent'],
  },
  'views/operations': {
    title: 'What the operations page shows, as JSON',
    path: 'lib/operator/operations/{configuration/person,page/overview/start,view/*,view/{money,players,rounds,waiting}/*}.ts',
    types: [
      'StartView',
      'AttentionView',
      'PendingView',
      'PlayerView',
      'RoundJson',
      'RepairsView',
      'ChangesView',
      'HistoryView',
      'SystemView',
      'ReconciliationView',
      'MoneyPageView',
      'NotFoundView',
      'SearchView',
      'HitsView',
      'Person',
    ],
  },
  'views/sandbox': {
    title: 'What the API of the sandbox takes and returns, as JSON',
    path: 'lib/rgs/sandbox/view/*.ts',
    types: [
      'StateView',
      'WireView',
      'TimelineView',
      'BooksView',
      'FindingsView',
      'FaultView',
      'FaultsView',
      'FaultRequest',
      'ClockRequest',
      'ClockView',
      'ResolveRequest',
      'LaunchPlayerRequest',
      'LaunchView',
      'PlayRequest',
      'PlayedView',
      'DoneView',
    ],
  },
};

const options = {
  tsconfig: 'tsconfig.json',
  skipTypeCheck: true,
  jsDoc: 'extended',
  encodeRefs: false,
  sortProps: false,
};

const isCheck = process.argv.includes('--check');
const stale = [];
for (const [name, { title, path, types }] of Object.entries(files)) {
  // One program for each: two of them have types of one name.
  const generator = createGenerator({ path, ...options });
  const definitions = {};
  for (const type of types) Object.assign(definitions, generator.createSchema(type).definitions);
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://rgs-wallet-kit/schemas/${name}.json`,
    title,
    ...(types.length === 1 ? { $ref: `#/definitions/${types[0]}` } : {}),
    definitions,
  };
  const file = `schemas/${name}.json`;
  const text = `${JSON.stringify(schema, null, 2).replace(/ ?\{@link +(\w+) *\} ?/g, ' $1 ')}\n`;
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) stale.push(file);
}
if (stale.length > 0) {
  process.stderr.write(`${stale.join(', ')}: not what the types say; run \`npm run schemas\`\n`);
  process.exitCode = 1;
}
