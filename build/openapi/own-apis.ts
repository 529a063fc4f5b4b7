import type { Components, JsonObject } from './components';
import { type Api, dialect, type Operation } from './document';

const failure = 'views/failure';
const views = 'views/operations#';

/** Names of the queries and forms of the operations page. */
const fieldsOf = {
  operator: 'The operator; may be left out where there is one',
  player: 'The id of the player',
  round: 'The id of the round',
  hash: 'The hash of a transaction',
  after: 'The `next` of the page before',
  from: 'The `next` of the page before',
  cash: 'The `next` of the cash of the page before',
  rounds: 'The `next` of the rounds of the page before',
  kind: 'Of a repair: pay, void, resolve. Of a limit: stake, loss, deposit',
  reference: 'Where it was settled, of resolve',
  reason: 'Why, in one line',
  side: 'before or after',
  repair: 'The id of the repair',
  blocked: 'true or false',
  until:
    'When the block ends by itself: ISO 8601, UTC unless it names a zone; empty or left out for never',
  currency: 'Three upper-case letters',
  window: 'day, week or month',
  amount: 'A decimal text such as 100.00',
  zone: "A time zone such as Europe/Malta; left out, that of the player's others of this kind and currency, or UTC",
  counts: 'real or all; left out, as the others, or real',
  limit: 'Which limit: kind, window and currency, with a space between them',
  id: 'The id of the round',
  q: 'One text: a player, or a player and a round or a hash with a space between them, or a round that waits',
  state: 'stranded, crashed or cancelled',
  game: 'Of this game',
  min: 'At stake at least: a decimal text',
  hours: 'Waiting for at least so many hours',
  sort: 'age, the oldest first, or amount, the largest first',
  day: 'A day of the period, such as 2026-11-23; yesterday if left out',
  span: 'day, week or month; day if left out',
  since: 'The number of the last call that was read',
} as const;

type Field = keyof typeof fieldsOf;

function queried(required: readonly Field[], optional: readonly Field[] = []): JsonObject[] {
  return [...required, ...optional].map((name) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: fieldsOf[name],
    schema: { type: 'string' },
  }));
}

/** Which rounds of a player: what `store.history.rounds` takes, as texts. */
const filters: JsonObject[] = Object.entries({
  from: 'Rounds opened on this day of the books (booksZone; UTC unless set) or later, or from this time on',
  to: 'Rounds opened up to the end of this day of the books (booksZone; UTC unless set), or before this time',
  game: 'Rounds of this game',
  state: 'Rounds that are in this state',
  min: 'Rounds that gave at least this: a decimal text',
}).map(asParameter);

/** A parameter that may be left out. */
function asParameter([name, description]: [name: string, description: string]): JsonObject {
  return { name, in: 'query', required: false, description, schema: { type: 'string' } };
}

/** Which changes of people: what `store.acts.list` takes, as texts. */
const changesFilters: JsonObject[] = Object.entries({
  person: 'Changes by this person',
  player: 'Changes of this player',
  kind: 'repair, block, limit, correction, cash or export',
  from: 'Changes on this day of the books (booksZone; UTC unless set) or later, or from this time on',
  to: 'Changes up to the end of this day of the books (booksZone; UTC unless set), or before this time',
}).map(asParameter);

function form(required: readonly Field[], optional: readonly Field[] = []): JsonObject {
  const properties = [...required, ...optional].map(
    (name) => [name, { type: 'string', description: fieldsOf[name] }] as const,
  );
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}

function page(
  name: string,
  summary: string,
  reply: Operation['reply'],
  parameters: readonly JsonObject[] = [],
): Operation {
  return {
    name,
    method: 'GET',
    path: `/${name}.json`,
    summary,
    parameters,
    ...(reply === undefined ? {} : { reply }),
  };
}

function posted(name: string, summary: string, fields: JsonObject): Operation {
  const description = 'Send the Origin of the page, or Sec-Fetch-Site: same-origin.';
  return { name, method: 'POST', path: `/${name}.json`, summary, description, form: fields };
}

const listed = `${views}AttentionView`;

/** The operations page, as JSON (docs/operations/staff-page.md). */
export const operations: Api = {
  title: 'The operations page of a wallet, as JSON',
  description:
    'Every page has its JSON beside it, under the same path with `.json`. Amounts are decimal texts, times ISO 8601 in UTC. As a webhook: the events that `rgs-wallet events deliver` posts.',
  server: '',
  securitySchemes: {
    person: { type: 'http', scheme: 'basic', description: 'A person of the users file.' },
  },
  failure,
  refused: 'Refused, with the reason.',
  failed: 'The store does not answer, or it cannot do this: try again, or see the reason.',
  operations: [
    {
      ...page(
        'attention',
        'Whether money moves, and what waits for a person',
        `${views}StartView`,
        queried([], ['after']),
      ),
      otherFailure: `${views}StartView`,
    },
    page(
      'waiting',
      'The rounds that wait for a person',
      listed,
      queried([], ['state', 'game', 'currency', 'min', 'hours', 'sort', 'after']),
    ),
    page('open', 'The rounds without an end', [listed, 'missing'], queried([], ['after'])),
    page('pending', 'The rounds that wait for the ledger', [`${views}PendingView`, 'missing']),
    {
      ...page(
        'search',
        'Finds a player, a round, or the round of a hash',
        [`${views}SearchView`, `${views}HitsView`],
        queried([], ['q', 'operator', 'player', 'round', 'hash', 'from']),
      ),
      otherFailure: [`${views}NotFoundView`, `${views}HitsView`],
    },
    page('player', 'A player: accounts, limits, cash, rounds', `${views}PlayerView`, [
      ...queried(['player'], ['operator', 'cash', 'rounds']),
      ...filters,
    ]),
    page('round', 'A whole round', `${views}RoundJson`, queried(['player', 'round'], ['operator'])),
    page(
      'beside',
      'Leads to the round of the player before or after one',
      undefined,
      queried(['player', 'round', 'side'], ['operator']),
    ),
    page('person', 'Who asks, and what that person may do', `${views}Person`),
    page('repairs', 'The proposals that wait for another person', listed, queried([], ['after'])),
    page(
      'repair-log',
      'Every repair',
      [`${views}RepairsView`, 'missing'],
      queried([], ['operator', 'from']),
    ),
    page(
      'money',
      'The money of a day, a week or a month, by the totals of the store',
      `${views}MoneyPageView`,
      queried([], ['operator', 'day', 'span', 'currency']),
    ),
    page(
      'history',
      'The rounds of a player in a period, and whether they are all; or of all players the notable ones of a kind',
      `${views}HistoryView`,
      [...queried([], ['operator', 'player', 'rounds', 'kind']), ...filters],
    ),
    page(
      'changes',
      'What people changed, the newest first',
      [`${views}ChangesView`, 'missing'],
      [...queried([], ['operator', 'after']), ...changesFilters],
    ),
    page(
      'reconciliation',
      'What comparisons with the RGS found, by day',
      [`${views}ReconciliationView`, 'missing'],
      queried([], ['operator']),
    ),
    {
      ...page('system', 'What runs, and how it is set', `${views}SystemView`),
      otherFailure: `${views}SystemView`,
    },
    posted(
      'propose',
      'Proposes a repair',
      form(['player', 'round', 'kind', 'reason'], ['operator', 'hash', 'reference']),
    ),
    posted(
      'approve',
      'Approves a repair, which makes it',
      form(['player', 'round', 'repair'], ['operator']),
    ),
    posted(
      'reject',
      'Rejects a repair',
      form(['player', 'round', 'repair', 'reason'], ['operator']),
    ),
    posted(
      'block',
      'Blocks a player, or lifts it',
      form(['player', 'blocked', 'reason'], ['operator', 'until', 'zone']),
    ),
    posted(
      'limit',
      'Sets a limit of a player, or changes it, at once',
      form(
        ['player', 'kind', 'currency', 'window', 'amount', 'reason'],
        ['operator', 'zone', 'counts'],
      ),
    ),
    posted('zone', 'Keeps the zone of the times in a cookie', form(['zone'])),
    posted(
      'lift-limit',
      'Lifts a limit of a player',
      form(['player', 'limit', 'reason'], ['operator']),
    ),
  ],
  webhooks: (components) => ({ events: { post: delivery(components) } }),
};

/** What `rgs-wallet events deliver` posts. */
function delivery(components: Components): JsonObject {
  const events = { type: 'array', maxItems: 100, items: components.ref('events/1#WalletEvent') };
  const data = { type: 'object', required: ['events'], properties: { events } };
  return {
    operationId: 'deliverEvents',
    summary: 'Events, signed by Standard Webhooks; at least once, and in order for each player',
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(headerNamed),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { const: 'rgs_wallet.events' },
              timestamp: { type: 'string', description: 'ISO 8601, UTC' },
              data,
            },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'They are kept, and not sent again.' },
      410: { description: 'Stop.' },
      '4XX': { description: 'Anything else: they are sent again.' },
    },
  };
}

function headerNamed(name: string): JsonObject {
  return { name, in: 'header', required: true, schema: { type: 'string' } };
}

const sandboxViews = 'views/sandbox#';

function view(
  name: string,
  summary: string,
  reply: string,
  parameters: readonly JsonObject[] = [],
): Operation {
  return {
    name,
    method: 'GET',
    path: `/sandbox/${name}`,
    summary,
    reply: sandboxViews + reply,
    parameters,
  };
}

function act(name: string, summary: string, body: string | null, reply: string): Operation {
  const schemas = {
    ...(body === null ? {} : { body: sandboxViews + body }),
    reply: sandboxViews + reply,
  };
  return { name: `post-${name}`, method: 'POST', path: `/sandbox/${name}`, summary, ...schemas };
}

/** The API of the sandbox under /sandbox (docs/sandbox.md). */
export const sandbox: Api = {
  title: 'The sandbox: a remote game server on your own machine, seen and steered',
  description:
    'JSON over HTTP for this machine alone: the Host must be loopback, the Origin absent or its own. Amounts are texts of digits in minor units. The same port serves `provider-rgs` and `operator-rgs`.',
  server: '',
  securitySchemes: {},
  failure,
  refused: 'Refused, with the reason.',
  failed: 'An error of the sandbox.',
  operations: [
    view('state', 'Everything that the RGS knows now', 'StateView'),
    view('wire', 'The calls on all lines', 'WireView', queried([], ['since'])),
    view('round', 'What happened to a round', 'TimelineView', queried(['id'])),
    view('books', "The three parties' books, compared", 'BooksView'),
    view('findings', 'What is legal, and almost surely a mistake', 'FindingsView'),
    view('faults', 'The faults that are set', 'FaultsView'),
    act('faults', 'Sets a fault', 'FaultRequest', 'FaultView'),
    {
      name: 'delete-faults',
      method: 'DELETE',
      path: '/sandbox/faults',
      summary: 'Removes every fault',
      reply: `${sandboxViews}DoneView`,
    },
    act('clock', "Moves the RGS's clock ahead", 'ClockRequest', 'ClockView'),
    act('janitor', 'Runs the janitor', null, 'DoneView'),
    act('kill', 'Kills the RGS and starts it again from its journal', null, 'DoneView'),
    act('resolve', "A person's decision on a round", 'ResolveRequest', 'DoneView'),
    act('launch', 'The address that opens a game', 'LaunchPlayerRequest', 'LaunchView'),
    act('play', 'Plays a scenario', 'PlayRequest', 'PlayedView'),
  ],
};

/** The schema of an event as a document of its own, in the dialect of the others. */
export function standalone(schema: JsonObject, id: string): JsonObject {
  const text = JSON.stringify(schema).replaceAll('"#/definitions/', '"#/$defs/');
  const { definitions, ...rest } = JSON.parse(text) as JsonObject;
  return { ...rest, $schema: dialect, $id: id, $defs: definitions };
}
