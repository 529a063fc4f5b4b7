import { isJsonObject } from '../../../../protocol/json/parse';
import { type Answer, given, must, mustBeRefused, mustSucceed, unitsInOne } from '../../talk';
import { casesIn } from '../../talk/case';
import { getSigning } from './forge';

const escaped = encodeURIComponent;

/** @throws CaseFailure unless the refusal has an error object as of operator-api 7, rule 1. */
function mustHaveErrorObject(answer: Answer, what: string): void {
  const error = answer.body?.['errorCode'];
  const isObject = isJsonObject(error);
  must(isObject, `${what} must have an errorCode that is an object`, answer);
  const { id, msg, clientmsg } = error;
  must(typeof id === 'number', `the errorCode of ${what} must have an id that is a number`, answer);
  must(typeof msg === 'string', `the errorCode of ${what} must have a msg that is a text`, answer);
  const isText = clientmsg === undefined || clientmsg === null || typeof clientmsg === 'string';
  must(isText, `the clientmsg of ${what} must be a text`, answer);
}

/** @throws CaseFailure unless the reply says that it is JSON. */
function mustBeJson(answer: Answer, what: string): void {
  const { reply } = answer.exchange;
  const type = reply.kind === 'reply' ? (reply.headers['content-type'] ?? '') : '';
  const isJson = /^application\/json\s*(?:;|$)/i.test(type);
  must(isJson, `${what} must be application/json, but its content type is "${type}"`, answer);
}

const isWhole = (amount: bigint | null): boolean => amount !== null && amount % unitsInOne === 0n;

const types = ['real', 'bonus', 'demo'];

/** Balances and errors, as they are answered. */
export const getBalanceCases = casesIn('get-balance', [
  {
    id: 'unknown-player-has-no-balance',
    rule: 'Operator API 4.2 (on error 4xx/5xx with an errorCode, never 200)',
    given: 'a player id that the wallet does not have',
    when: 'getBalance asks for it',
    expected: 'it is answered 4xx or 5xx with an errorCode',
    async play(context) {
      const answer = await context.getBalance({ playerId: `nobody-${context.newHash()}` });
      mustBeRefused(answer, 'a getBalance of an unknown player');
      must(answer.error !== null, 'the refusal must have an errorCode', answer);
    },
  },
  {
    id: 'balance-parameter-missing',
    rule: 'Operator API 4.2 (playerId and currency are required)',
    given: 'a player with money',
    when: 'getBalance comes without playerId, and without currency, signed with and without it',
    expected: 'each is answered 4xx or 5xx',
    async play(context) {
      const { playerId, currency } = context;
      for (const [missing, query, left] of [
        ['currency', `playerId=${escaped(playerId)}`, playerId],
        ['playerId', `currency=${currency}`, currency],
      ] as const) {
        for (const fields of [[left], [playerId, currency]]) {
          const answer = await context.send(getSigning(context, fields, query));
          mustBeRefused(answer, `a getBalance without ${missing}`);
        }
      }
    },
  },
  {
    id: 'balance-in-another-currency',
    rule: 'Operator API 4.2 (D9)',
    given: 'a player with money',
    when: 'getBalance asks for XTS, the currency for tests',
    expected: 'it is answered 4xx or 5xx',
    otherwise: 'A wallet with several currencies for each player may answer 0.',
    async play(context) {
      mustBeRefused(await context.getBalance({ currency: 'XTS' }), 'a getBalance in XTS');
    },
  },
  {
    id: 'balance-parameter-twice',
    rule: 'Operator API 4.2 (D9)',
    given: 'a player with money',
    when: 'getBalance comes with playerId twice, signed with the first value, then with the last',
    expected: 'each is refused',
    otherwise: 'The specification does not say which of two counts.',
    async play(context) {
      const { playerId, currency } = context;
      const other = `nobody-${context.newHash()}`;
      for (const [first, last] of [
        [playerId, other],
        [other, playerId],
      ] as const) {
        const query = `playerId=${escaped(first)}&currency=${currency}&playerId=${escaped(last)}`;
        for (const signed of [first, last]) {
          const answer = await context.send(getSigning(context, [signed, currency], query));
          mustBeRefused(answer, 'a getBalance with playerId twice');
        }
      }
    },
  },
  {
    id: 'balance-with-unknown-parameter',
    rule: 'Operator API 4.2 and 9 (D2.1)',
    given: 'a player with money',
    when: 'getBalance comes with a parameter that the specification does not have',
    expected: 'it is answered 200: a later release may add parameters',
    otherwise: 'The specification does not say that further parameters may come.',
    async play(context) {
      const { playerId, currency } = context;
      const query = `playerId=${escaped(playerId)}&currency=${currency}&verbose=1`;
      const answer = await context.send(getSigning(context, [playerId, currency], query));
      mustSucceed(answer, 'a getBalance with an unknown parameter');
    },
  },
  {
    id: 'balance-parameters-are-decoded',
    rule: 'Operator API 4.2, signed fields (D1.6)',
    given: 'a player with money',
    when: 'getBalance comes with each character of playerId as a percent escape, signed without escapes',
    expected: 'it is answered 200: what is signed is the value',
    otherwise:
      'The specification does not say whether a value is signed before or after it is escaped.',
    async play(context) {
      const { playerId, currency } = context;
      const bytes = [...Buffer.from(playerId)];
      const escapes = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      const query = `playerId=${escapes}&currency=${currency}`;
      const answer = await context.send(getSigning(context, [playerId, currency], query));
      mustSucceed(answer, 'a getBalance with percent escapes');
    },
  },
  {
    id: 'balances-have-their-fields',
    rule: 'Operator API 2.2',
    given: 'a player with money',
    when: 'getBalance asks for the player',
    expected: 'one or two balances come, one of them real, each with type, amount and currency',
    async play(context) {
      const answer = mustSucceed(await context.getBalance(), 'getBalance');
      const list = answer.body?.['balances'];
      const isList = Array.isArray(list) && (list.length === 1 || list.length === 2);
      must(isList, 'balances must be a list of one or two', answer);
      for (const entry of list) {
        must(isJsonObject(entry), 'a balance must be an object', answer);
        const { type, amount, currency } = entry;
        must(typeof type === 'string', 'the type of a balance must be a text', answer);
        must(typeof amount === 'number', 'the amount of a balance must be a number', answer);
        const isOwn = currency === context.currency;
        must(isOwn, `the currency of a balance must be ${context.currency}`, answer);
      }
      const real = list.filter((entry) => isJsonObject(entry) && entry['type'] === 'real');
      must(real.length === 1, 'one of the balances must be real', answer);
    },
  },
  {
    id: 'balance-types-are-known',
    rule: 'Public documentation: balance type (D9)',
    given: 'a player with money',
    when: 'getBalance asks for the player',
    expected: 'each balance is of type real, bonus or demo',
    otherwise: 'The specification names real and bonus, and does not show the allowed values.',
    async play(context) {
      const answer = mustSucceed(await context.getBalance(), 'getBalance');
      const all = answer.balances?.every(({ type }) => types.includes(type)) ?? false;
      must(all, `the type of a balance must be one of ${types.join(', ')}`, answer);
    },
  },
  {
    id: 'balances-are-whole-numbers',
    rule: 'Public documentation: amounts are whole numbers in 1/100 (D2.5)',
    given: 'a player with money',
    when: 'getBalance asks for the player',
    expected: 'each amount is a whole number',
    otherwise: 'The unit of amounts is agreed between operator and service.',
    async play(context) {
      const answer = mustSucceed(await context.getBalance(), 'getBalance');
      const all = answer.balances?.every(({ amount }) => isWhole(amount)) ?? false;
      must(all, 'each amount must be a whole number', answer);
    },
  },
  {
    id: 'bonus-comes-with-its-order',
    rule: 'Operator API 2.2, useBonusFirst (D9)',
    given: 'a player with money',
    when: 'getBalance asks for the player, and the reply has a bonus balance',
    expected: 'useBonusFirst comes with it, as a boolean',
    otherwise:
      'The specification says should; the public documentation takes true if it is absent.',
    async play(context) {
      const answer = mustSucceed(await context.getBalance(), 'getBalance');
      const hasBonus = answer.balances?.some(({ type }) => type === 'bonus') ?? false;
      if (!hasBonus) return 'the player has no bonus balance';
      const isReported = typeof answer.body?.['useBonusFirst'] === 'boolean';
      must(isReported, 'useBonusFirst must come with a bonus balance', answer);
      return undefined;
    },
  },
  {
    id: 'errors-are-objects',
    rule: 'Operator API 7, rule 1; 2.2',
    given: 'a player with money',
    when: 'getBalance asks for an unknown player, and a call has a wrong transactionCount',
    expected: 'both refusals have an errorCode with id, a number, and msg, a text',
    async play(context) {
      const unknown = await context.getBalance({ playerId: `nobody-${context.newHash()}` });
      mustHaveErrorObject(mustBeRefused(unknown, 'getBalance'), 'a refused getBalance');
      const round = context.round();
      const body = round.message([round.firstDebit(context.stake)], { transactionCount: 2 });
      const wrong = mustBeRefused(await context.post(body), 'a call with a wrong transactionCount');
      mustHaveErrorObject(wrong, 'a refused doTransactions');
    },
  },
  {
    id: 'replies-are-json',
    rule: 'Operator API 4 (bodies are application/json)',
    given: 'a player with money',
    when: 'a debit and a getBalance are answered 200, and a getBalance is refused',
    expected: 'each reply has the content type application/json',
    async play(context) {
      const round = context.round();
      mustBeJson(given(await round.send(round.firstDebit(context.stake)), 'a debit'), 'the reply');
      mustBeJson(await context.getBalance(), 'the reply to getBalance');
      const refused = await context.getBalance({ playerId: `nobody-${context.newHash()}` });
      mustBeJson(refused, 'a refusal of getBalance');
    },
  },
]);
