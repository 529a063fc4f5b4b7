'use strict';

// What a plain wallet answers: the status, the balances, what was decided of each transaction (D6).
const { ERRORS } = require('./plain-messages.cjs');

function createReplies(plant) {
  const kept = new Map();

  function statusOf(call, outcomes) {
    const failed = outcomes.filter(({ error }) => error !== null);
    const failedOf = (type) =>
      call.transactions.some(
        (tx) => tx.type === type && failed.some(({ hash }) => hash === tx.hash),
      );
    const isOf = (error) => failed.some((one) => one.error === error);
    const isOnly = (type) => outcomes.every((one) => one.type === type);
    if (isOnly('credit') && outcomes.every(({ isKnown }) => isKnown) && plant('known-credit-500'))
      return 500;
    if (failed.length === 0 || plant('failure-answered-200')) return 200;
    if (failed.length < outcomes.length && plant('half-failure-answered-200')) return 200;
    if (isOnly('credit') && plant('refused-credit-answered-200')) return 200;
    if (plant('declined-debit-500') && failedOf('debit') && isOf(ERRORS.funds)) return 500;
    if (plant('declined-credit-500') && failedOf('credit') && !isOf(ERRORS.notStarted)) return 500;
    if (plant('unknown-round-500') && isOf(ERRORS.notStarted)) return 500;
    if (plant('declines-402') && failed.every((one) => one.error === ERRORS.funds)) return 402;
    return plant('voided-round-500') && isOf(ERRORS.voided) ? 500 : 400;
  }

  function balancesShown(call, balances) {
    const key = JSON.stringify([
      call.playerId,
      call.gameRound,
      call.transactions.map(({ type, hash }) => [type, hash]),
    ]);
    if (!kept.has(key)) kept.set(key, balances);
    if (plant('balances-missing')) return undefined;
    const isCredits = call.transactions.every(({ type }) => type === 'credit');
    const isOld = isCredits && plant('credit-repeat-shows-old-balances');
    return isOld || plant('repeat-shows-old-balances') ? kept.get(key) : balances;
  }

  function processedShown(outcomes) {
    if (plant('processed-missing')) return undefined;
    const listed = outcomes.filter(isListed).map(({ hash, type, error }) => {
      const isHidden =
        plant('processed-without-errors') ||
        (type === 'credit' && plant('refused-credit-listed-as-paid'));
      return { hash, errorCode: error === null || isHidden ? undefined : errorShown(error) };
    });
    return plant('processed-out-of-order') ? listed.toReversed() : listed;
  }

  function isListed({ type, isKnown, error }, at) {
    if (error !== null) return !plant('processed-without-refused');
    if (type === 'end' && plant('processed-without-ends')) return false;
    if (isKnown && plant('processed-without-known')) return false;
    if (at > 0 && plant('processed-with-first-alone')) return false;
    return !plant('processed-without-accepted');
  }

  function errorShown(error) {
    if (plant('error-code-missing')) return undefined;
    if (plant('own-error-ids') && (error.id === 1 || error.id >= 9000))
      return { ...error, id: error.id + 500 };
    return plant('error-code-text') ? error.msg : error;
  }

  function reply(status, body) {
    if (status !== 200 && plant('html-errors'))
      return { status, type: 'text/html', text: '<h1>Error</h1>' };
    const raw = (text) => {
      if (plant('amounts-as-text')) return `"${text}"`;
      return plant('amounts-with-zeros') && !text.includes('.') ? `${text}.00` : text;
    };
    if (plant('further-reply-fields')) body.requestId = { of: ['this', 1, null] };
    return {
      status,
      type: plant('reply-as-text') ? 'text/plain' : 'application/json; charset=utf-8',
      text: written(body, raw),
    };
  }

  return { balancesShown, errorShown, processedShown, reply, statusOf };
}

/** JSON, where `{ json }` is a number's text. */
function written(value, raw) {
  if (Array.isArray(value)) return `[${value.map((item) => written(item, raw)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('json' in value) return raw(value.json);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${written(item, raw)}`).join(',')}}`;
}

module.exports = { createReplies };
