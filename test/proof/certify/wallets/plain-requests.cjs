'use strict';

// From a request to a call that may be processed: who sends it, and what it holds (D1, D2, D9).
const { createHash } = require('node:crypto');
const { ERRORS, NumberText, Refusal, refuse } = require('./plain-messages.cjs');
const { decimalOf, decimalText } = require('./plain-amounts.cjs');
const messages = require('./plain-messages.cjs');
const { createTransactions, identifier } = require('./plain-transactions.cjs');

const MOST_TRANSACTIONS = 500;
const TOLERANCE_MS = 300_000;
const SIGNATURES_KEPT = 100_000;
// oxlint-disable-next-line no-control-regex
const AMBIGUOUS = /[#\u0000-\u001f\u007f]/;

function createReader({ operators, plant, now }) {
  /** What came with each signature: it names one body (D1.8). */
  const bodies = new Map();
  const { readTransaction } = createTransactions(plant);
  /** Connections that have carried a right signature. */
  const trusted = new WeakSet();

  /** The three headers, one each, and a timestamp that is not far from now (D1.1, D1.3). */
  function callerOf(rawHeaders) {
    const spelled = (name) => (plant('header-names-in-capitals-alone') ? name : name.toLowerCase());
    const header = (wanted) => {
      const values = rawHeaders.filter(
        (_, at) => at % 2 && spelled(rawHeaders[at - 1]) === spelled(wanted),
      );
      if (values.length === 1 || plant('headers-twice-accepted')) return values.at(-1) ?? '';
      throw new Refusal(401, ERRORS.signature);
    };
    const [id, signature, timestamp] = ['ID', 'SIG']
      .map((name) => header(`X-H-AUTH-${name}`))
      .concat(header('X-H-TIMESTAMP'));
    const time = messages.timeOf(timestamp, plant);
    const late = time === null ? Number.POSITIVE_INFINITY : now() - time;
    const isLate = late > TOLERANCE_MS && !plant('old-timestamp-accepted');
    const isEarly = late < -TOLERANCE_MS && !plant('future-timestamp-accepted');
    const isUnread = time === null && !plant('timestamp-unread');
    if (isUnread || (time !== null && (isLate || isEarly)))
      throw new Refusal(401, ERRORS.signature);
    return { id, signature, timestamp };
  }

  /** Refuses a caller whose signature is of none of these lists of fields (D1.2, D1.4, D1.5). */
  function verify(caller, spellings, connection) {
    const fields = spellings.map((spelling) => [caller.id, caller.timestamp, ...spelling]);
    const secrets = plant('any-secret')
      ? operators.flatMap((one) => one.secrets)
      : operators.find((one) => one.id === caller.id || plant('id-unchecked'))?.secrets;
    const isKnown = operators.some((one) => one.id === caller.id || plant('id-unchecked'));
    const isRight = fields.some((one) =>
      messages.isSigned(caller.signature, secrets ?? ['nobody is nobody'], one, plant),
    );
    if (isKnown && isRight) trusted.add(connection ?? {});
    if (isKnown && (isRight || (plant('connection-trusted') && trusted.has(connection)))) return;
    const detail = plant('error-shows-signature')
      ? messages.sign(secrets?.[0] ?? '', fields[0])
      : undefined;
    throw new Refusal(plant('unsigned-200') ? 200 : 401, ERRORS.signature, detail);
  }

  /** A field that is signed: a text that the join by `#` keeps apart (D1.6, D2.6). */
  function signed(value, name) {
    if (typeof value !== 'string') return refuse(`${name} is not a text`);
    if (AMBIGUOUS.test(value) && !plant('hash-sign-accepted'))
      return refuse(`${name} has a # or a control character`);
    return value;
  }

  function amountToSign(item, isShort) {
    const isVoid = String(item.type).toLowerCase() === 'void';
    if (isVoid && plant('void-amount-unsigned')) return [];
    const written = item.amount;
    if (written === undefined) return plant('absent-amount-signed') ? [''] : [];
    if (written.isZero()) return plant('zero-amount-signed') ? ['0'] : [];
    if (plant('discounted-amount-signed') && item.discountAmount)
      return [String(written.text - item.discountAmount.text)];
    if (!isShort) return [written.text];
    const { digits, scale } = decimalOf(written.text);
    return [decimalText(digits, scale)];
  }

  /** Whether a planted wallet does not look at the signature of such a call. */
  function isUnverified(transactions) {
    const isEach = (type, also = () => true) =>
      transactions.every((item) => String(item.type).toLowerCase() === type && also(item));
    return (
      plant('transactions-unsigned') ||
      (plant('credits-unsigned') && isEach('credit')) ||
      (plant('ends-unsigned') && isEach('end')) ||
      (plant('voids-unsigned') && isEach('void')) ||
      (plant('free-plays-unsigned') && isEach('debit', saysFree)) ||
      (plant('zero-debits-unsigned') && isEach('debit', ({ amount }) => amount?.isZero() ?? true))
    );
  }

  /** The body of doTransactions, signed and whole; its transactions with exact amounts. */
  function callOf(rawHeaders, text, connection) {
    const caller = callerOf(rawHeaders);
    const body = messages.parseJson(text, plant);
    if (!isObject(body)) refuse('the body is not an object');
    const names = plant('round-signed-before-game')
      ? ['playerId', 'gameRound', 'gameCode']
      : ['playerId', 'gameCode', 'gameRound'];
    const head = names.map((name) => signed(body[name], name));
    if (!Array.isArray(body.transactions)) refuse('transactions is not a list');
    for (const item of body.transactions) {
      if (!isObject(item)) refuse('a transaction is not an object');
      signed(item.hash, 'hash');
      const isNumber = item.amount instanceof NumberText && decimalOf(item.amount.text) !== null;
      if (item.amount !== undefined && !isNumber && plant('unread-amount-500'))
        throw new Error('unread');
      if (item.amount !== undefined && !isNumber) refuse('an amount is not a number');
    }
    const spelling = (isShort, count = Infinity) => [
      ...head,
      ...body.transactions
        .slice(0, count)
        .flatMap((item) => [item.hash, ...amountToSign(item, isShort)]),
    ];
    const spellings = plant('amounts-reformatted')
      ? [spelling(true)]
      : [spelling(false), spelling(true)];
    if (plant('five-transactions-signed')) spellings.push(spelling(false, 5));
    const isSigned = !isUnverified(body.transactions);
    if (isSigned) verify(caller, spellings, connection);
    const operator = operators.find((one) => one.id === caller.id) ?? operators[0];
    if (isSigned && !plant('signature-of-many-bodies')) guard(caller.signature, text, body);
    const call = contentOf(body);
    return {
      ...call,
      operator: operator.id,
      log: { operator: operator.id, signature: caller.signature, text },
    };
  }

  /** Refuses another body under a known signature; voids alone are to be signed anew (D1.8). */
  function guard(signature, text, body) {
    const digest = createHash('sha256').update(text).digest('base64');
    const known = bodies.get(signature);
    if (known !== undefined && known !== digest) {
      const isVoids = body.transactions.every(({ type }) => String(type).toLowerCase() === 'void');
      throw isVoids ? new Refusal(503, ERRORS.unavailable) : new Refusal(401, ERRORS.signature);
    }
    bodies.set(signature, digest);
    if (bodies.size > SIGNATURES_KEPT) bodies.delete(bodies.keys().next().value);
  }

  /** What the schema asks for (D2): all of it is for authenticated callers. */
  function contentOf(body) {
    for (const name of ['playerId', 'gameCode', 'gameRound']) identifier(body[name], name);
    if (plant('rounds-beyond-36-refused') && body.gameRound.length > 36)
      refuse('gameRound is long');
    if (plant('rounds-beyond-64-refused') && body.gameRound.length > 64)
      refuse('gameRound is long');
    if (plant('games-beyond-32-refused') && body.gameCode.length > 32) refuse('gameCode is long');
    const { length } = body.transactions;
    if (length === 0 && !plant('empty-call-accepted')) refuse('no transactions');
    if (length > MOST_TRANSACTIONS) refuse('too many transactions');
    if (length > 20 && plant('calls-beyond-20-refused')) refuse('too many transactions');
    if (length > 50 && plant('calls-beyond-50-refused')) refuse('too many transactions');
    const count = body.transactionCount;
    if (plant('unknown-fields-refused') && Object.keys(body).length > 5) refuse('an unknown field');
    const transactions = body.transactions.map(readTransaction);
    const isAbsent = count === undefined && plant('count-absent-accepted');
    const isRight = count instanceof NumberText && Number(count.text) === length;
    const isUncounted = plant('count-unchecked') || plant('count-checked-late');
    if (!isAbsent && !isRight && !isUncounted) throw countWrong(transactions);
    return {
      playerId: body.playerId,
      gameCode: body.gameCode,
      gameRound: body.gameRound,
      transactions,
      isCountRight: isRight || isAbsent,
    };
  }

  function countWrong(transactions) {
    const refusal = new Refusal(
      400,
      plant('count-wrong-other-id') ? ERRORS.parameter : ERRORS.count,
    );
    if (plant('processed-of-refused-call'))
      refusal.processed = transactions.map(({ hash }) => ({ hash }));
    return refusal;
  }

  /** The query of getBalance (D9): each parameter once. */
  function queryOf(rawHeaders, search, connection) {
    const caller = callerOf(rawHeaders);
    const query = new Map();
    for (const pair of search.split('&').filter((one) => one !== '')) {
      const [name, value = ''] = pair.split(/=(.*)/s).map(decoded);
      if (query.has(name) && !plant('parameter-twice-accepted')) refuse(`${name} is given twice`);
      query.set(name, value);
    }
    const mayLack = plant('balance-currency-optional') ? ['currency', 'gameCode'] : ['gameCode'];
    const names = ['playerId', 'currency', 'gameCode'].filter(
      (name) => query.has(name) || !mayLack.includes(name),
    );
    const isGameSigned = !plant('balance-game-unsigned');
    const fields = names
      .map((name) => signed(query.get(name), name))
      .filter((_, at) => names[at] !== 'gameCode' || isGameSigned);
    if (!plant('balance-unsigned')) verify(caller, [fields], connection);
    for (const name of names) identifier(query.get(name), name);
    if (query.has('gameCode') && plant('balance-game-refused')) refuse('gameCode is unknown');
    if (query.has('externalSessionId') && plant('balance-session-refused'))
      refuse('an unknown parameter');
    return {
      operator: caller.id,
      playerId: query.get('playerId'),
      currency: query.get('currency') ?? 'EUR',
    };
  }

  /** A call of the file, which was verified when it came. */
  function readAgain({ operator, signature, text }) {
    const body = messages.parseJson(text, plant);
    if (!plant('signatures-forgotten-at-restart')) guard(signature, text, body);
    return { ...contentOf(body), operator };
  }

  return { callOf, countWrong, queryOf, readAgain };
}

function saysFree({ freePlayUsed, serial }) {
  return freePlayUsed !== undefined || serial !== undefined;
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse('the query is not UTF-8');
  }
}

function isObject(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof NumberText)
  );
}

module.exports = { createReader };
