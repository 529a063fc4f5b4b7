/**
 * The sidebar: each page of the site once, by its path in the repository. The build fails for a page that is missing here.
 * @type {readonly { readonly text: string, readonly pages: Readonly<Record<string, string>> }[]}
 */
export const navigation = [
  {
    text: 'Start',
    pages: {
      'README.md': 'Overview and quick start',
      'docs/operators.md': 'The wallet in your app',
      'docs/recipes.md': 'Frameworks',
      'docs/testing.md': 'Test your service',
      'docs/command-line.md': 'Command line',
      'docs/sandbox.md': 'Sandbox',
      'examples/README.md': 'Examples',
      'docs/moving.md': 'Move a live wallet over',
    },
  },
  {
    text: 'Protocol',
    pages: {
      'docs/protocol.md': 'Rules of the wallet',
      'docs/rgs.md': 'Rules of the game server',
      'docs/openapi.md': 'OpenAPI',
      'docs/languages.md': 'Other languages',
      'docs/certification.md': 'Certification',
    },
  },
  {
    text: 'Parts',
    pages: {
      'docs/own-tables.md': 'Your own tables',
      'docs/ledger.md': 'Your own ledger',
      'docs/client.md': 'Calls to the RGS',
      'docs/provider.md': 'Game providers',
      'docs/limits.md': 'Blocks and limits',
      'docs/events.md': 'Events',
      'docs/archive.md': 'Archive',
      'docs/reconciliation.md': 'Reconciliation',
      'docs/journal.md': 'Journals of the RGS',
    },
  },
  {
    text: 'Operations',
    pages: {
      'docs/operations.md': 'Overview',
      'docs/operations/service.md': 'Service',
      'docs/operations/incidents.md': 'Incidents',
      'docs/operations/alerts.md': 'Alerts',
      'docs/operations/monitoring.md': 'Monitoring',
      'docs/operations/redis.md': 'Redis',
      'docs/operations/postgres.md': 'PostgreSQL',
      'docs/operations/backup.md': 'Backup and restore',
      'docs/operations/upgrade.md': 'Upgrade',
      'docs/operations/books.md': 'Books',
      'docs/operations/rounds.md': 'Rounds',
      'docs/operations/reports.md': 'Reports',
      'docs/operations/staff-page.md': 'Operations page',
      'docs/operations/sizing.md': 'Sizing',
      'docs/scale.md': 'Scale',
      'docs/overload.md': 'Overload',
      'docs/security.md': 'Security',
      'docs/platforms.md': 'What it runs on',
    },
  },
  {
    text: 'How it is built',
    pages: {
      'docs/architecture.md': 'Architecture',
      'docs/correctness.md': 'Correctness',
      'docs/performance.md': 'Performance',
      'docs/decisions/README.md': 'Decisions',
      'docs/decisions/follow-ups.md': 'Follow-ups without a read',
      'docs/decisions/json-parser.md': 'JSON parser',
      'docs/decisions/one-package.md': 'One package',
      'docs/decisions/rules-in-typescript.md': 'Rules in TypeScript',
      'docs/decisions/server-rendered-pages.md': 'Server-rendered pages',
      'CONTRIBUTING.md': 'Contributing',
      'SECURITY.md': 'Report a vulnerability',
      'CHANGELOG.md': 'Changelog',
    },
  },
  {
    text: 'Reference',
    pages: { 'docs/imports.md': 'Modules', 'docs/interface.md': 'Every name, a line each' },
  },
];
