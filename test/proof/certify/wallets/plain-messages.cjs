'use strict';

// What a plain wallet reads and writes: strict JSON, signatures, error objects. Written from the
// specification alone, so that it shares no mistake with the library.
const { createHmac, timingSafeEqual } = require('node:crypto');
const { decimalOf } = require('./plain-amounts.cjs');

const ERRORS = {
  player: { id: 1, msg: 'PLAYERNOTFOUND', clientmsg: 'This account is not known.' },
  started: { id: 12, msg: 'GAMEROUNDALREADYSTARTED', clientmsg: 'This round has started.' },
  notActive: { id: 13, msg: 'GAMEROUNDNOTACTIVE', clientmsg: 'This round is over.' },
  notStarted: { id: 15, msg: 'GAMEROUNDNOTSTARTED', clientmsg: 'This round has not started.' },
  count: { id: 16, msg: 'TRANSACTIONCOUNTWRONG', clientmsg: 'The request is not complete.' },
  parameter: { id: 19, msg: 'INVALIDPARAMETER', clientmsg: 'The request is not valid.' },
  discount: { id: 33, msg: 'DISCOUNTNOTELIGIBLE', clientmsg: 'This discount is not available.' },
  exists: { id: 37, msg: 'TRANSACTIONALREADYEXISTS', clientmsg: 'This was done before.' },
  signature: { id: 1001, msg: 'SIGNATUREWRONG', clientmsg: 'The request is not allowed.' },
  internal: { id: 9000, msg: 'INTERNALERROR', clientmsg: 'Something went wrong.' },
  funds: { id: 9001, msg: 'BALANCETOOLOW', clientmsg: 'Your balance is too low.' },
  currency: { id: 9002, msg: 'CURRENCYNOTSUPPORTED', clientmsg: 'This currency is not yours.' },
  voided: { id: 9003, msg: 'GAMEROUNDVOIDED', clientmsg: 'This round was cancelled.' },
  failedBefore: { id: 9004, msg: 'DEBITFAILEDBEFORE', clientmsg: 'A stake was not taken.' },
  credit: { id: 9005, msg: 'CREDITREFUSED', clientmsg: 'This could not be paid.' },
  refused: { id: 9006, msg: 'DEBITREFUSED', clientmsg: 'You cannot play at the moment.' },
  unavailable: { id: 9007, msg: 'TEMPORARILYUNAVAILABLE', clientmsg: 'Please try again.' },
};

/** A call that is refused as a whole: a status and an error object. */
class Refusal extends Error {
  constructor(status, error, detail) {
    super(error.msg);
    this.status = status;
    this.error = detail === undefined ? error : { ...error, msg: `${error.msg}: ${detail}` };
  }
}

/** A number of a message, as it is written there. */
class NumberText {
  constructor(text) {
    this.text = text;
  }

  isZero() {
    return decimalOf(this.text)?.digits === 0n;
  }
}

/** Refuses the call as one that is not valid. */
function refuse(detail) {
  throw new Refusal(400, ERRORS.parameter, detail);
}

const SPACE = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype'];
const DEEPEST = 32;

/** JSON with numbers kept as text; duplicate keys, keys of prototypes and deep nesting are refused. */
function parseJson(text, plant) {
  let at = 0;
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const skip = (char) => {
    take(SPACE);
    if (text[at] !== char) return false;
    at += 1;
    return true;
  };
  const string = () => {
    take(SPACE);
    const found = JSON.parse(take(STRING) ?? refuse('not JSON'));
    return found.isWellFormed() ? found : refuse('a lone surrogate');
  };
  const list = (end, item) => {
    if (skip(end)) return;
    do item();
    while (skip(','));
    if (!skip(end)) refuse('not JSON');
  };
  const value = (depth) => {
    if (depth > DEEPEST && !plant('deep-nesting-500')) refuse('nested too deeply');
    if (skip('{')) {
      const object = Object.create(null);
      list('}', () => {
        const key = string();
        if (key in object && !plant('duplicate-keys-accepted')) refuse('a duplicate key');
        if (FORBIDDEN_KEYS.includes(key) && !plant('proto-keys-accepted'))
          refuse('a forbidden key');
        if (!skip(':')) refuse('not JSON');
        object[key] = value(depth + 1);
      });
      return object;
    }
    if (skip('[')) {
      const items = [];
      list(']', () => items.push(value(depth + 1)));
      return items;
    }
    if (text[at] === '"') return string();
    const number = take(NUMBER);
    if (number !== undefined) return new NumberText(number);
    return JSON.parse(take(WORD) ?? refuse('not JSON'));
  };
  const whole = value(0);
  take(SPACE);
  return at === text.length ? whole : refuse('not JSON');
}

/** The base64 of the HMAC-SHA256 over the secret and the fields, joined by `#`. */
function sign(secret, fields) {
  return createHmac('sha256', secret)
    .update([secret, ...fields].join('#'))
    .digest('base64');
}

/** Whether a signature is the one of these fields under one of the secrets, in constant time. */
function isSigned(given, secrets, fields, plant) {
  const tried = plant('only-first-secret') ? secrets.slice(0, 1) : secrets;
  return tried.some((secret) => equal(given, sign(secret, fields), plant));
}

function equal(given, right, plant) {
  if (plant('signature-by-prefix')) return given.slice(0, 8) === right.slice(0, 8);
  if (plant('signature-by-first-16')) return given.slice(0, 16) === right.slice(0, 16);
  if (plant('signature-by-first-40')) return given.slice(0, 40) === right.slice(0, 40);
  if (plant('signature-by-first-32')) return given.slice(0, 32) === right.slice(0, 32);
  if (plant('signature-any-case')) return given.toLowerCase() === right.toLowerCase();
  if (plant('signature-decoded'))
    return Buffer.from(given, 'base64').equals(Buffer.from(right, 'base64'));
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))?$/;

/** Milliseconds since 1970 of a strict ISO 8601 date-time; null for anything else. */
function timeOf(text, plant) {
  const [, year, month, day, hour, minute, second, fraction, zone, ahead = 0, minutes = 0] =
    TIMESTAMP.exec(text) ?? [];
  if (year === undefined || (fraction === undefined && plant('milliseconds-demanded'))) return null;
  const date = Date.UTC(year, month - 1, day, hour, minute, second, Number(fraction ?? 0) * 1000);
  const said = new Date(date).toISOString().slice(0, 19);
  if (said !== text.slice(0, 19) || ahead > 23 || minutes > 59) return null;
  if (plant('timestamp-zone-ignored')) return date;
  return date - (zone === '-' ? -1 : 1) * (ahead * 60 + Number(minutes)) * 60_000;
}

module.exports = { ERRORS, NumberText, Refusal, isSigned, parseJson, refuse, sign, timeOf };
