'use strict';

// A small wallet by the specification, in plain JavaScript and in memory: the certification is tested with it, right
// and with one mistake planted (plants.cjs). As a process: node plain-wallet.cjs --port 0 --plant NAME --file PATH
const fs = require('node:fs');
const http = require('node:http');
const { setTimeout: pause } = require('node:timers/promises');
const { TextDecoder, parseArgs } = require('node:util');
const { ERRORS, Refusal } = require('./plain-messages.cjs');
const { createReplies } = require('./plain-replies.cjs');
const { createReader } = require('./plain-requests.cjs');
const { createRules } = require('./plain-rules.cjs');
const { PLANTS } = require('./plants.cjs');

const MOST_BYTES = 256 * 1024;
const MOST_BYTES_READ = 8 * 1024 * 1024;
const OPERATORS = [
  { id: 'operator-1', secrets: ['a secret of operator 1', 'its next secret, for rotation'] },
  { id: 'operator-2', secrets: ['a secret of operator 2'] },
];
const DISCOUNT = { stake: 100, absoluteDiscountAmount: 10, spinsRemaining: 1000 };
const PLAYERS = [
  { id: 'p1', currency: 'EUR', real: 1_000_000, discounts: [DISCOUNT] },
  { id: 'p2', currency: 'EUR', real: 1_000_000, bonus: 5000 },
  { id: 'q1', operator: 'operator-2', currency: 'EUR', real: 1_000_000 },
];

/** Thrown where a planted wallet dies. */
class Crash extends Error {}

function createWallet(options = {}) {
  const {
    plants = new Set(),
    operators = OPERATORS,
    players = PLAYERS,
    file,
    now = Date.now,
    // By which it forgets.
    memoryNow = now,
  } = options;
  const strange = [...plants].filter((name) => !(name in PLANTS));
  if (strange.length > 0) throw new TypeError(`no such plant: ${strange.join(', ')}`);
  const plant = (name) => plants.has(name);
  const owned = players.map((player) => ({ operator: operators[0].id, ...player }));
  const rules = createRules({ players: owned, plant, now: memoryNow });
  const reader = createReader({ operators, plant, now });
  const { balancesShown, errorShown, processedShown, reply, statusOf } = createReplies(plant);
  const journal =
    file === undefined
      ? undefined
      : openJournal(file, plant('last-seconds-lost-at-restart'), (entry) => {
          if (entry.isRestart) return rules.restart();
          if (entry.block !== undefined) return block(entry.block);
          const call = reader.readAgain(entry);
          const steps = rules.process(call, rules.accountFor(call.operator, call.playerId));
          while (!steps.next().done);
          return undefined;
        });
  journal?.append({ isRestart: true });
  rules.restart();
  const busy = new Set();
  const kept = new Map();
  let turn = Promise.resolve();

  /** Blocks a player of the first operator, or lets the player free. */
  function block({ playerId, isBlocked }) {
    rules.setBlocked(rules.accountFor(operators[0].id, playerId), isBlocked);
  }

  function setBlocked(playerId, isBlocked) {
    journal?.append({ block: { playerId, isBlocked } });
    block({ playerId, isBlocked });
  }

  /** What was held of each call. */
  const held = [];
  let flights = 0;

  /** What gets worse with each call. */
  async function age(body) {
    if (plant('memory-grows')) held.push(Buffer.concat([body, Buffer.alloc(32_768, 1)]));
    if (!plant('slower-with-each-call')) return;
    held.push(body.length);
    await pause(held.length / 50);
  }

  async function answer({ method, url, rawHeaders, body, connection }) {
    await age(body);
    const [path, search = ''] = url.split(/\?(.*)/s);
    try {
      if (path === '/doTransactions' && method === 'POST')
        return await doTransactions(rawHeaders, body, connection);
      if (path === '/getBalance' && method === 'GET')
        return getBalance(rawHeaders, search, connection);
      // Of the wallet's own back office, as its player pages would call it.
      if (path === '/block' && method === 'POST') {
        setBlocked(...JSON.parse(body));
        return reply(200, {});
      }
      const isPath = path === '/doTransactions' || path === '/getBalance';
      throw new Refusal(
        isPath ? 405 : 404,
        ERRORS.parameter,
        isPath ? 'no such method' : 'no such path',
      );
    } catch (error) {
      if (error instanceof Crash) throw error;
      const refusal = error instanceof Refusal ? error : new Refusal(500, ERRORS.internal);
      const status = plant('balance-error-200') && path === '/getBalance' ? 200 : refusal.status;
      return reply(status, {
        errorCode: errorShown(refusal.error),
        hashesProcessed: refusal.processed,
      });
    }
  }

  async function doTransactions(rawHeaders, body, connection) {
    const text = textOf(rawHeaders, body);
    const call = readCall(rawHeaders, text, connection);
    const account = accountOf(call);
    if (!plant('calls-not-kept')) journal?.append(call.log);
    if (plant('one-lock')) await (turn = turn.then(() => pause(1)));
    const { outcomes, before, balances } = await processed(call, account);
    if (!call.isCountRight && plant('count-checked-late'))
      throw reader.countWrong(call.transactions);
    const failed = outcomes.find(({ error }) => error !== null);
    const shown = balancesShown(call, plant('balances-of-before') ? before : balances);
    return reply(statusOf(call, outcomes), {
      errorCode: failed && !plant('top-error-code-missing') ? errorShown(failed.error) : undefined,
      balances: failed && plant('balances-missing-on-refusal') ? undefined : shown,
      hashesProcessed: processedShown(outcomes),
    });
  }

  function textOf(rawHeaders, body) {
    const header = (name) =>
      rawHeaders[rawHeaders.findIndex((one, at) => at % 2 === 0 && one.toLowerCase() === name) + 1];
    const has = (name) => rawHeaders.some((one, at) => at % 2 === 0 && one.toLowerCase() === name);
    const type = has('content-type') ? header('content-type') : '';
    const isJson = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type);
    if (!isJson && !plant('content-type-unread'))
      throw new Refusal(415, ERRORS.parameter, 'not application/json');
    if (has('content-encoding') && !plant('content-type-unread'))
      throw new Refusal(415, ERRORS.parameter, 'an encoding');
    if (body.length > MOST_BYTES && plant('large-body-500')) throw new Error('too large');
    if (body.length > MOST_BYTES && !plant('large-body-accepted'))
      throw new Refusal(413, ERRORS.parameter, 'too large');
    try {
      return new TextDecoder('utf-8', {
        fatal: !plant('bad-utf8-accepted'),
        ignoreBOM: true,
      }).decode(body);
    } catch {
      throw new Refusal(400, ERRORS.parameter, 'not UTF-8');
    }
  }

  function readCall(rawHeaders, text, connection) {
    try {
      return reader.callOf(rawHeaders, text, connection);
    } catch (error) {
      if (!/not JSON/.test(error.error?.msg)) throw error;
      if (plant('bad-json-crash')) throw new Crash();
      throw plant('bad-json-500') ? new Error('not JSON') : error;
    }
  }

  function accountOf({ operator, playerId }) {
    const account = rules.accountFor(operator, playerId);
    if (account !== undefined) return account;
    throw plant('unknown-player-500') ? new Error('no player') : new Refusal(400, ERRORS.player);
  }

  /** Nothing runs between the steps of a call, unless it is planted. */
  async function processed(call, account) {
    const most = mostCredits();
    if (most !== undefined && call.transactions.some(({ type }) => type === 'credit')) {
      flights += 1;
      const isTooMany = flights > most;
      await pause(40);
      flights -= 1;
      if (isTooMany) throw new Refusal(503, ERRORS.unavailable);
    }
    if (plant('concurrent-call-500')) {
      if (busy.has(account)) throw new Error('busy');
      busy.add(account);
      await pause(5);
      busy.delete(account);
    }
    const steps = rules.process(call, account);
    let step = steps.next();
    while (!step.done) {
      if (plant('no-lock')) await pause(40);
      step = steps.next();
    }
    return step.value;
  }

  function mostCredits() {
    if (plant('credits-503-above-4-at-once')) return 4;
    if (plant('credits-503-above-64-at-once')) return 64;
    return plant('credits-503-above-16-at-once') ? 16 : undefined;
  }

  function getBalance(rawHeaders, search, connection) {
    const { operator, playerId, currency } = reader.queryOf(rawHeaders, search, connection);
    const isKnown = rules.accountFor(operator, playerId) !== undefined;
    if (!isKnown && plant('balance-of-unknown-player-200'))
      return reply(200, { balances: [{ type: 'real', amount: 0, currency }] });
    const account = accountOf({ operator, playerId });
    if (account.isBlocked && plant('block-hides-balance')) throw new Refusal(400, ERRORS.refused);
    if (currency !== account.currency && !plant('balance-in-other-currency'))
      throw new Refusal(400, ERRORS.currency);
    const balances = rules.balancesOf(account);
    if (!kept.has(account)) kept.set(account, balances);
    const { discounts } = account;
    const validTo = new Date(now() + 86_400_000).toISOString();
    return reply(200, {
      balances: plant('balance-stale') ? kept.get(account) : balances,
      useBonusFirst: account.hasBonus ? true : undefined,
      discountInfo:
        discounts.length === 0
          ? undefined
          : {
              text: 'A discount',
              currency: account.currency,
              discounts,
              campaignId: 'campaign-1',
              validTo,
            },
    });
  }

  function listener(req, res, onCrash = () => req.socket.destroy()) {
    const chunks = [];
    let length = 0;
    req.on('data', (chunk) => {
      length += chunk.length;
      if (length - chunk.length <= MOST_BYTES || plant('large-body-accepted')) chunks.push(chunk);
      if (length > MOST_BYTES_READ) req.destroy();
    });
    req.on('error', () => {});
    req.on('end', () => {
      answer({
        method: req.method,
        url: req.url,
        rawHeaders: req.rawHeaders,
        body: Buffer.concat(chunks),
        connection: req.socket,
      }).then(({ status, type, text }) => {
        res.writeHead(status, { 'content-type': type }).end(text, () => {
          if (plant('connections-closed')) req.socket.destroySoon();
        });
      }, onCrash);
    });
  }

  return {
    answer,
    listener: (req, res) => listener(req, res, options.onCrash),
    close: () => journal?.close(),
  };
}

/** Calls in a file, a line each, on the disk before they are processed; a half line of a crash is cut off. */
function openJournal(file, isLate, onEntry) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  whole
    .split('\n')
    .filter((line) => line !== '')
    .forEach((line) => onEntry(JSON.parse(line)));
  const handle = fs.openSync(file, 'a');
  fs.ftruncateSync(handle, Buffer.byteLength(whole));
  let lines = '';
  const write = () => {
    fs.writeSync(handle, lines);
    fs.fsyncSync(handle);
    lines = '';
  };
  const timer = isLate ? setInterval(write, 2000) : undefined;
  return {
    append: (entry) => {
      lines += `${JSON.stringify(entry)}\n`;
      if (!isLate) write();
    },
    close: () => {
      clearInterval(timer);
      write();
      fs.closeSync(handle);
    },
  };
}

function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      port: text,
      plant: { ...text, multiple: true },
      file: text,
      players: text,
      operators: text,
    },
  });
  const json = (name) => (values[name] === undefined ? undefined : JSON.parse(values[name]));
  const { listener } = createWallet({
    plants: new Set(values.plant ?? []),
    players: json('players'),
    operators: json('operators'),
    file: values.file,
    onCrash: () => process.exit(1),
  });
  const server = http.createServer(listener);
  server.listen(Number(values.port ?? 0), '127.0.0.1', () => {
    process.stdout.write(
      `${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`,
    );
  });
}

if (require.main === module) main();

module.exports = { OPERATORS, PLAYERS, createWallet };
