// Writes vectors/signature.json, or with --check fails where it is not what this script would write.
// It computes with node:crypto from strings written out below, and uses nothing of lib: the vectors are what lib is
// held against.
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../vectors/signature.json', import.meta.url));

const secret = 'vector-secret-0123456789abcdef';
const operatorId = 'acme';
const timestamp = '2026-03-01T12:00:00.000Z';

const description =
  'Test vectors for X-H-AUTH-SIG (operator-api 5), for any language. A vector is a request: `operation`, `method`, ' +
  '`operatorId` (X-H-AUTH-ID), `timestamp` (X-H-TIMESTAMP) and `signature` (X-H-AUTH-SIG), with the text of the `body` ' +
  'or of the `query` exactly as it is sent, or neither. `signed` is the string that was signed, beginning with the ' +
  'test secret: signature = base64(HMAC-SHA256(key = UTF-8 of secret, message = UTF-8 of signed)). `valid` says ' +
  'whether a receiver that knows `secret` accepts the signature; `why` says what the vector shows. An amount is ' +
  'signed as it stands in the body, and a receiver accepts its shortest decimal form as well; a zero in any spelling ' +
  'and an absent amount add nothing. A vector without `signed` cannot be signed at all and must be refused. The secret is ' +
  'of no use anywhere: never put a real one into a file like this.';

/** The body of a doTransactions call, the transactions given as JSON texts. */
function call(
  transactions,
  { playerId = 'player-1', gameCode = 'bells', gameRound = 'round-1' } = {},
) {
  const ids = JSON.stringify({ playerId, gameCode, gameRound }).slice(1, -1);
  const count = transactions.length;
  return `{${ids},"transactions":[${transactions.join(',')}],"transactionCount":${count}}`;
}

const debitOf = (amount) =>
  `{"type":"debit","isFirstDebit":true,"currency":"EUR","hash":"round-1","amount":${amount}}`;
const creditOf = (amount) =>
  `{"type":"credit","currency":"EUR","hash":"credit-1","amount":${amount}}`;
const end = '{"type":"end","hash":"end-1","timestamp":"2026-03-01T12:00:00Z"}';
const round = '#player-1#bells#round-1';

const doTransactions = (why, body, rest, more = {}) => ({
  operation: 'doTransactions',
  method: 'POST',
  why,
  body,
  rest,
  ...more,
});
const post = (operation, why, body, rest, more = {}) => ({
  operation,
  method: 'POST',
  why,
  body,
  rest,
  ...more,
});
const get = (operation, why, query, rest, more = {}) => ({
  operation,
  method: 'GET',
  why,
  query,
  rest,
  ...more,
});

const freerounds =
  '{"playerId":"player-1","gameCode":"bells","serial":"serial-1","currency":"EUR","stake":STAKE,"count":5,' +
  '"expires":"2026-04-01T00:00:00Z"}';
const stats =
  '{"groupBy":["DAY"],"filterBy":{"dateFrom":"2026-02-01","dateToIncluding":"2026-02-28"},"showTotals":true}';
const oneDebit = call([debitOf('100')]);

const cases = [
  doTransactions('one debit: its hash and its amount are signed', oneDebit, `${round}#round-1#100`),
  doTransactions(
    'debit, credit and end: hash and amount of each in payload order, and no amount for the end',
    call([debitOf('100'), creditOf('250'), end]),
    `${round}#round-1#100#credit-1#250#end-1`,
  ),
  doTransactions(
    'the same fields in another order and with white space: only the values count',
    '{ "transactionCount": 1,\n  "transactions": [ { "amount": 100, "hash": "round-1", "type": "debit", "currency": "EUR" } ],\n' +
      '  "gameRound": "round-1", "gameCode": "bells", "playerId": "player-1" }',
    `${round}#round-1#100`,
  ),
  doTransactions(
    'fields that are not signed change nothing',
    call([
      `{"type":"debit","currency":"USD","hash":"round-1","amount":100,"reason":"spin","more":[1]}`,
    ]),
    `${round}#round-1#100`,
  ),
  doTransactions('an end alone', call([end]), `${round}#end-1`),
  doTransactions(
    'a void in upper case carries the amount of its debit, which is signed',
    call(['{"type":"VOID","hash":"round-1","amount":100,"currency":"EUR"}']),
    `${round}#round-1#100`,
  ),
  doTransactions(
    'a void without an amount',
    call(['{"type":"void","hash":"round-1"}']),
    `${round}#round-1`,
  ),
  doTransactions(
    'a free play has no amount, and its serial is not signed',
    call([
      '{"type":"debit","isFirstDebit":true,"currency":"EUR","hash":"round-1","freePlayUsed":true,"serial":"serial-1"}',
    ]),
    `${round}#round-1`,
  ),
  doTransactions(
    'a free play with an amount of 0',
    call([
      '{"type":"debit","currency":"EUR","hash":"round-1","amount":0,"freePlayUsed":true,"serial":"serial-1"}',
    ]),
    `${round}#round-1`,
  ),
  doTransactions(
    'a discounted debit signs its full amount',
    call(['{"type":"debit","currency":"EUR","hash":"round-1","amount":100,"discountAmount":10}']),
    `${round}#round-1#100`,
  ),
  ...['0', '0.0', '0.00', '-0', '0e5'].map((zero) =>
    doTransactions(
      `a credit of zero spelled ${zero} adds nothing`,
      call([creditOf(zero)]),
      `${round}#credit-1`,
    ),
  ),
  doTransactions(
    'an amount of null adds nothing',
    call(['{"type":"void","hash":"round-1","amount":null}']),
    `${round}#round-1`,
  ),
  doTransactions('10.50 signed as sent', call([creditOf('10.50')]), `${round}#credit-1#10.50`),
  doTransactions(
    '10.50 signed in its shortest form',
    call([creditOf('10.50')]),
    `${round}#credit-1#10.5`,
  ),
  doTransactions(
    '100.00 signed in its shortest form',
    call([creditOf('100.00')]),
    `${round}#credit-1#100`,
  ),
  doTransactions('1E2 signed as sent', call([creditOf('1E2')]), `${round}#credit-1#1E2`),
  doTransactions(
    '1E2 signed in its shortest form',
    call([creditOf('1E2')]),
    `${round}#credit-1#100`,
  ),
  doTransactions('0.0001 signed as sent', call([creditOf('0.0001')]), `${round}#credit-1#0.0001`),
  doTransactions(
    'an amount that a double cannot hold',
    call([creditOf('900719925474.0991')]),
    `${round}#credit-1#900719925474.0991`,
  ),
  doTransactions(
    'ids beyond ASCII are signed as UTF-8, without normalisation',
    call([creditOf('5')], {
      playerId: 'jos\u00e9-e\u0301',
      gameCode: '\u9418',
      gameRound: 'round-\u{1f514}',
    }),
    '#jos\u00e9-e\u0301#\u9418#round-\u{1f514}#credit-1#5',
  ),
  doTransactions(
    'an id written with JSON escapes is signed as what it stands for',
    String.raw`{"playerId":"jos\u00e9","gameCode":"a\/b","gameRound":"\ud83d\udd14","transactions":[{"type":"end","hash":"\"e\\1\""}],"transactionCount":1}`,
    '#jos\u00e9#a/b#\u{1f514}#"e\\1"',
  ),
  get('getBalance', 'player and currency', 'playerId=player-1&currency=EUR', '#player-1#EUR'),
  get(
    'getBalance',
    'a gameCode is signed where it is there',
    'playerId=player-1&currency=EUR&gameCode=bells',
    '#player-1#EUR#bells',
  ),
  get(
    'getBalance',
    'the order is that of the list, not of the query',
    'gameCode=bells&currency=EUR&playerId=player-1',
    '#player-1#EUR#bells',
  ),
  get(
    'getBalance',
    'externalSessionId is not signed',
    'playerId=player-1&currency=EUR&externalSessionId=s-1',
    '#player-1#EUR',
  ),
  get(
    'getBalance',
    'a value is signed decoded',
    'playerId=jos%C3%A9+%F0%9F%94%94&currency=EUR',
    '#jos\u00e9 \u{1f514}#EUR',
  ),
  post(
    'assignPlayerFreerounds',
    'stake and count are signed, expires is not',
    freerounds.replace('STAKE', '100'),
    '#player-1#bells#serial-1#EUR#100#5',
  ),
  post(
    'assignPlayerFreerounds',
    'a stake with decimals is signed as sent',
    freerounds.replace('STAKE', '0.50'),
    '#player-1#bells#serial-1#EUR#0.50#5',
  ),
  post('getStats', 'nothing of the body is signed', stats, ''),
  get('getGameConfiguration', 'game and currency', 'gameCode=bells&currency=EUR', '#bells#EUR'),
  get('getGameList', 'nothing but the headers is signed', undefined, ''),
  post(
    'getGameURL',
    'player, game, currency, language and mode are signed, options are not',
    '{"playerId":"player-1","currency":"EUR","gameCode":"bells","language":"en","mode":"REAL","options":{"autoplay":false}}',
    '#player-1#bells#EUR#en#REAL',
  ),
  post(
    'getGameURL',
    'a demo without a player',
    '{"currency":"EUR","gameCode":"bells","language":"en","mode":"DEMO"}',
    '#bells#EUR#en#DEMO',
  ),
  doTransactions('a signature made with another secret', oneDebit, `${round}#round-1#100`, {
    valid: false,
    signWith: 'another-secret-0123456789abcdef',
  }),
  doTransactions('a signature without the secret in front', oneDebit, `${round}#round-1#100`, {
    valid: false,
    withoutSecret: true,
  }),
  doTransactions('another amount than that in the body', oneDebit, `${round}#round-1#1000`, {
    valid: false,
  }),
  doTransactions('the amount left out', oneDebit, `${round}#round-1`, { valid: false }),
  doTransactions('a zero amount signed', call([creditOf('0')]), `${round}#credit-1#0`, {
    valid: false,
  }),
  doTransactions(
    'every hash, then every amount',
    call([debitOf('100'), creditOf('250')]),
    `${round}#round-1#credit-1#100#250`,
    {
      valid: false,
    },
  ),
  doTransactions('an amount padded to two decimals', oneDebit, `${round}#round-1#100.00`, {
    valid: false,
  }),
  doTransactions(
    'an id normalised before it was signed',
    call([end], { playerId: 'e\u0301' }),
    '#\u00e9#bells#round-1#end-1',
    { valid: false },
  ),
  doTransactions('# at the end', oneDebit, `${round}#round-1#100#`, { valid: false }),
  doTransactions('a signature in hexadecimal', oneDebit, `${round}#round-1#100`, {
    valid: false,
    encode: 'hex',
  }),
  doTransactions('a signature in base64url', oneDebit, `${round}#round-1#100`, {
    valid: false,
    encode: 'base64url',
  }),
  doTransactions(
    'a signature whose last character has bits too many',
    oneDebit,
    `${round}#round-1#100`,
    {
      valid: false,
      encode: 'overlong',
    },
  ),
  get(
    'getBalance',
    'the gameCode left out',
    'playerId=player-1&currency=EUR&gameCode=bells',
    '#player-1#EUR',
    { valid: false },
  ),
  get(
    'getBalance',
    'a value signed as it was encoded',
    'playerId=jos%C3%A9&currency=EUR',
    '#jos%C3%A9#EUR',
    { valid: false },
  ),
  post(
    'assignPlayerFreerounds',
    'another count',
    freerounds.replace('STAKE', '100'),
    '#player-1#bells#serial-1#EUR#100#50',
    { valid: false },
  ),
  get('getGameConfiguration', 'currency before game', 'gameCode=bells&currency=EUR', '#EUR#bells', {
    valid: false,
  }),
  doTransactions(
    '# in a signed field makes the string ambiguous',
    call([end], { playerId: 'a#b' }),
    null,
    { valid: false },
  ),
  doTransactions('a control character in a signed field', call([end], { gameCode: 'a\nb' }), null, {
    valid: false,
  }),
  doTransactions('a hash that is a number', call(['{"type":"end","hash":1}']), null, {
    valid: false,
  }),
  doTransactions(
    'an amount that is a text',
    call(['{"type":"void","hash":"round-1","amount":"100"}']),
    null,
    { valid: false },
  ),
];

function encode(mac, how) {
  if (how !== 'overlong') return mac.toString(how);
  const text = mac.toString('base64');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = alphabet[alphabet.indexOf(text[42]) + 1];
  return `${text.slice(0, 42)}${last}=`;
}

function toVector({
  operation,
  method,
  why,
  body,
  query,
  rest,
  valid = true,
  signWith = secret,
  ...how
}) {
  const message = `${signWith}#${operatorId}#${timestamp}${rest ?? ''}`;
  const signed = how.withoutSecret ? message.slice(signWith.length + 1) : message;
  const mac = createHmac('sha256', signWith).update(signed, 'utf8').digest();
  return {
    operation,
    method,
    why,
    valid,
    secret,
    operatorId,
    timestamp,
    body,
    query,
    signed: rest === null ? undefined : signed,
    signature: encode(mac, how.encode ?? 'base64'),
  };
}

const text = `${JSON.stringify({ description, vectors: cases.map(toVector) }, null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('vectors/signature.json is not what build/make-vectors.mjs writes: run it.');
  process.exitCode = 1;
}
