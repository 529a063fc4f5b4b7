import { engineErrors } from '../../lib/protocol/engine-api/errors';
import { postedCalls, requestSchemaOf } from '../../lib/protocol/engine-api/read-request';
import { replySchemaOf } from '../../lib/protocol/engine-api/read-reply';
import { errorCatalogue } from '../../lib/protocol/operator-api/catalogue';
import { engineSignedFields, signedFields } from '../../lib/protocol/signature';
import type { JsonObject } from './components';
import { type Api, type Operation, table } from './document';
import { engineExamples, operatorExamples, providerExamples } from './examples';

const amounts =
  'Amounts are JSON numbers. Read and write them as text: a float loses digits, and the signature covers the text.';
const vectors =
  'Requests to check a signature against are in `vectors/` of the package; the examples are of these, so they are expired.';

/** The three headers of every signed call (D1, E2). */
function signedBy(how: string): JsonObject {
  return {
    authId: header('X-H-AUTH-ID', 'Who calls; it selects the secret.'),
    timestamp: header('X-H-TIMESTAMP', 'When it was signed: ISO 8601, UTC, with milliseconds.'),
    signature: header('X-H-AUTH-SIG', how),
  };
}

function header(name: string, description: string): JsonObject {
  return { type: 'apiKey', in: 'header', name, description };
}

const mac = 'base64(HMAC-SHA256(key = secret, message))';
const byFields = signedBy(
  `${mac}. The message is the secret, X-H-AUTH-ID, X-H-TIMESTAMP and the fields that the call names, joined by \`#\`.`,
);
const byBody = signedBy(
  `${mac}. The message is the body as it is sent, byte for byte, then \`#\` and X-H-TIMESTAMP. The secret is not in it.`,
);

type Signed = (typeof signedFields)[keyof typeof signedFields] | readonly { name: string }[];

/** What a call signs, as a sentence. */
function signs(fields: Signed): string {
  const names = fields.map((field) => {
    if ('list' in field) {
      return `for each of \`${field.list}\` ${field.fields.map(nameOf).join(' and ')}`;
    }
    return nameOf(field);
  });
  const after = names.length === 0 ? 'nothing more' : names.join(', ');
  return `Signed after secret, id and timestamp: ${after}.`;
}

function nameOf(field: {
  readonly name: string;
  readonly optional?: boolean;
  readonly kind?: string;
}): string {
  if (field.kind === 'amount') return `its \`${field.name}\` unless absent or 0`;
  return `\`${field.name}\`${field.optional === true ? ' if present' : ''}`;
}

const operatorErrors = Object.entries(errorCatalogue).map(([code, entry]) => ({ code, ...entry }));
const engineErrorList = Object.entries(engineErrors).map(([code, entry]) => ({ code, ...entry }));

function operatorTable(wanted: 'final' | 'transient'): string {
  const rows = operatorErrors.filter(({ repeat }) => repeat === wanted);
  return table(
    ['id', 'code', 'meaning'],
    rows.map(({ id, code, msg }) => [id, code, msg]),
  );
}

function engineTable(isWanted: (status: number) => boolean): string {
  const rows = engineErrorList.filter(({ status }) => isWanted(status));
  const cells = rows.map(({ id, status, code, msg }) => [id, status, code, msg]);
  return table(['id', 'status', 'code', 'meaning'], cells);
}

const engineFailures = {
  failure: 'engine-api/error-reply',
  refused: `Refused, and nothing was done. 405, 413 and 415 have the id 19.\n\n${engineTable((status) => status < 500)}`,
  failed: `Not done, or not known: ask before you repeat.\n\n${engineTable((status) => status >= 500)}`,
  errors: engineErrorList,
};

/** The operator's wallet, which the RGS calls (operator-api 4.1, 4.2). */
export const wallet: Api = {
  title: 'Operator API: the wallet, as the operator serves it',
  description: `The RGS calls an operator's wallet. ${amounts} ${vectors}`,
  server: '',
  securitySchemes: byFields,
  failure: 'operator-api/wallet#failedReply',
  refused: `Refused. 401 is id 1001, and every other refusal 400, 404, 405, 413 or 415. A call of which some transactions succeeded has them in \`hashesProcessed\`.\n\n${operatorTable('final')}`,
  failed: `The outcome is unknown. A call with a debit is then voided; a call with credits alone never gets a 5xx.\n\n${operatorTable('transient')}`,
  errors: operatorErrors,
  operations: [
    {
      name: 'doTransactions',
      method: 'POST',
      path: '/doTransactions',
      summary: 'Moves money: debits, credits, ends and voids of one gameround, in order',
      description: `Each transaction counts once, by its hash. ${signs(signedFields.doTransactions)}`,
      body: 'operator-api/do-transactions',
      reply: 'operator-api/wallet#transactionsReply',
      examples: operatorExamples('doTransactions'),
    },
    {
      name: 'getBalance',
      method: 'GET',
      path: '/getBalance',
      summary: "A player's balance in a currency",
      description: signs(signedFields.getBalance),
      query: 'operator-api/wallet#balanceQuery',
      reply: 'operator-api/wallet#balance',
      examples: operatorExamples('getBalance'),
    },
  ],
};

type OperatorCall = Exclude<keyof typeof signedFields, 'doTransactions' | 'getBalance'>;

/** A call of the operator at the RGS. */
function operatorCall(
  name: OperatorCall,
  method: Operation['method'],
  summary: string,
  schemas: Pick<Operation, 'body' | 'query' | 'reply'>,
): Operation {
  const isBackoffice = ['getStats', 'getGameConfiguration', 'getGameList'].includes(name);
  const path = `${isBackoffice ? '/backoffice' : ''}/${name}`;
  const [description, examples] = [signs(signedFields[name]), operatorExamples(name)];
  return { name, method, path, summary, description, ...schemas, examples };
}

/** Calls of which no more than the name is public (E24.4). */
const notices = ['registerPlayer', 'sendRealityCheckResponse'].map((name) => ({
  name,
  method: 'POST' as const,
  path: `/${name}`,
  summary: `${name}: its playerId is read, the rest is kept`,
  description: signs([{ name: 'playerId' }]),
  body: 'operator-api/served-notice',
  reply: 'operator-api/wallet#nothing',
}));

/** The RGS, which the operator calls (operator-api 4.3 to 4.5, E24). */
export const operatorCalls: Api = {
  title: 'Operator API: the calls of the operator, as the RGS serves them',
  description: `The operator calls the RGS. ${vectors}`,
  server: '/operator',
  securitySchemes: byFields,
  ...engineFailures,
  operations: [
    operatorCall('getGameURL', 'POST', 'The address that opens a game, for one launch', {
      body: 'operator-api/served-launch',
      reply: 'operator-api/wallet#launchReply',
    }),
    operatorCall('assignPlayerFreerounds', 'POST', 'Grants free plays, once for each serial', {
      body: 'operator-api/served-free-plays',
      reply: 'operator-api/free-play-package',
    }),
    operatorCall('getStats', 'POST', 'What was played, by day, currency, game or player', {
      body: 'operator-api/served-statistics',
      reply: 'operator-api/statistics',
    }),
    operatorCall('getGameConfiguration', 'GET', 'A game in a currency', {
      query: 'operator-api/served-configuration',
      reply: 'engine-api/provider#configurationReply',
    }),
    operatorCall('getGameList', 'GET', 'The games of the operator', {
      reply: 'operator-api/game-list',
    }),
    ...notices,
  ],
};

const requestId: JsonObject = {
  name: 'X-Request-Id',
  in: 'header',
  required: true,
  description: 'A new id of this call, for the logs; it comes back in the reply (E2.5).',
  schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
};

/** An unsigned call of a browser (E5). */
function browserCall(name: string, summary: string, reply: string): Operation {
  const query = name === 'status' ? {} : { query: 'engine-api/token-only' };
  return { name, method: 'GET', path: `/${name}`, summary, ...query, reply, isOpen: true };
}

/** The RGS, which game providers call (game-engine-api 4). */
export const engine: Api = {
  title: 'Game Engine API: the calls of a game provider, as the RGS serves them',
  description: `A game provider calls the RGS; amounts are whole minor units, as numbers or as texts of digits. A member that is null counts as absent. ${vectors}`,
  server: '/gameapi/v2',
  securitySchemes: byBody,
  ...engineFailures,
  operations: [
    ...postedCalls.map(
      (name): Operation => ({
        name,
        method: 'POST',
        path: `/${name}`,
        summary: name,
        parameters: [requestId],
        body: `engine-api/${requestSchemaOf(name)}`,
        reply: `engine-api/${replySchemaOf(name)}`,
        examples: engineExamples(name),
      }),
    ),
    {
      name: 'getOperatorSettings',
      method: 'GET',
      path: '/getOperatorSettings',
      summary: 'The settings of a game at an operator',
      description: 'Signed as a call with an empty body.',
      parameters: [requestId],
      query: 'engine-api/get-operator-settings',
      reply: 'engine-api/game-settings',
      examples: engineExamples('getOperatorSettings'),
    },
    browserCall('connect', 'Opens the session of a launch token', 'engine-api/connect-reply'),
    browserCall('reconnect', 'Opens the session again', 'engine-api/connect-reply'),
    browserCall('disconnect', 'Ends the session', 'operator-api/wallet#nothing'),
    browserCall('status', 'Whether the RGS is there', 'engine-api/provider#status'),
  ],
};

type ProviderCall = keyof typeof engineSignedFields;

/** A call of the RGS to a game provider. */
function providerCall(
  name: ProviderCall,
  method: Operation['method'],
  summary: string,
  schemas: Pick<Operation, 'body' | 'query' | 'reply'>,
): Operation {
  const [description, examples] = [signs(engineSignedFields[name]), providerExamples(name)];
  return { name, method, path: `/${name}`, summary, description, ...schemas, examples };
}

/** A game provider, which the RGS calls (game-engine-api 4.16, 4.17, E23). */
export const provider: Api = {
  title: 'Game Engine API: the calls of the RGS, as a game provider serves them',
  description: `The RGS calls a game provider. ${vectors}`,
  server: '',
  securitySchemes: byFields,
  ...engineFailures,
  operations: [
    providerCall('getGameConfiguration', 'GET', 'A game in a currency', {
      query: 'engine-api/provider#configurationQuery',
      reply: 'engine-api/provider#configurationReply',
    }),
    providerCall('getGameResult', 'POST', 'The result of a round', {
      body: 'engine-api/provider#resultQuestion',
      reply: 'engine-api/provider#resultReply',
    }),
    providerCall('doAutoClose', 'POST', 'Close an abandoned round', {
      body: 'engine-api/provider#abandonedRound',
      reply: 'engine-api/provider#closedReply',
    }),
    providerCall('health', 'GET', 'Whether the provider is there; often unsigned', {
      reply: 'engine-api/provider#health',
    }),
    providerCall('certifiedfiles', 'GET', 'The files that a laboratory certified', {
      reply: 'engine-api/provider#certifiedFiles',
    }),
  ],
};
