import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
} from '../../../protocol/json/parse';
import type { BodyView, WireCall } from '../view/wire';

/** How an amount is written: `units` are digits of 1/100 (E4.1), the currency is null where the call does not name it. */
type WriteAmount = (units: string, currency: string | null) => string;

/** What matters of a call, in a few words. */
interface Essence {
  /** What was asked for, such as `credit 2.50 EUR + end` or `win 2.50 EUR, collect`; empty for nothing. */
  readonly request: string;
  /** What the reply says of the round, the balance or the error; empty if there is no reply. */
  readonly reply: string;
}

/** Most characters of a text of the call. */
const longestText = 64;

const asSent: WriteAmount = (units) => units;

/** What matters of a call, its amounts in the currency that it names. */
export function essenceOf(call: WireCall, write: WriteAmount): Essence {
  const { replyBody } = call;
  const reply = replyBody === null ? null : objectIn(replyBody);
  const named = currencyIn(objectIn(call.body) ?? {}) ?? currencyIn(reply ?? {});
  const writing: WriteAmount = (units, own) => write(units, own ?? named);
  return {
    request: isWalletCall(call) ? transactionsOf(call, writing) : requestOf(call, writing).trim(),
    reply: reply === null ? '' : replyOf(reply, writing),
  };
}

/** The currency of a body: its own, or that of its bet, its session or its first balance; null if it names none. */
function currencyIn(body: JsonObject): string | null {
  const { balances } = body;
  const first: unknown = Array.isArray(balances) ? balances[0] : null;
  const places = [body, ...[body['debitInformation'], body['tokenData'], first].map(objectOf)];
  const text = places.map(({ currency }) => textOf(currency)).find((one) => one !== '');
  return text ?? null;
}

/** Whether a call is doTransactions. */
export function isWalletCall({ line, call }: Pick<WireCall, 'line' | 'call'>): boolean {
  return line === 'rgs-wallet' && call === 'doTransactions';
}

/** The transactions of a call, such as `credit 250 + end`; amounts as they were sent unless `write` says otherwise. */
export function transactionsOf(call: WireCall, write: WriteAmount = asSent): string {
  const body = objectIn(call.body);
  if (body === null) return 'not JSON';
  return transactionsIn(body)
    .map((one) => transactionOf(one, write))
    .join(' + ');
}

/** The hashes of the transactions of a call: one that is sent again has the same ones. */
export function hashesOf(call: WireCall): readonly string[] {
  const body = objectIn(call.body);
  return body === null ? [] : transactionsIn(body).map(({ hash }) => textOf(hash));
}

function transactionsIn({ transactions }: JsonObject): readonly JsonObject[] {
  return Array.isArray(transactions) ? transactions.filter(isJsonObject) : [];
}

function transactionOf(one: JsonObject, write: WriteAmount): string {
  const name = textOf(one['type']).toLowerCase();
  if (name === 'end') return name;
  const isAdded = name === 'debit' && one['isFirstDebit'] === false;
  const kind = one['freePlayUsed'] === true ? 'free ' : isAdded ? 'added ' : '';
  const currency = textOf(one['currency']);
  return `${kind}${name} ${amountOf(one['amount'] ?? 0, write, currency === '' ? null : currency)}`;
}

function requestOf({ call, body, path }: WireCall, write: WriteAmount): string {
  const request = objectIn(body) ?? {};
  const draw = objectOf(request['rngResult']);
  const amount = amountOf(draw['winAmount'], write);
  switch (call) {
    case 'startGameRound':
    case 'startGameOrAddBet':
      return `stake ${amountOf(objectOf(request['debitInformation'])['debitAmount'], write)}`;
    case 'addWin':
      return `win ${amount}${request['collect'] === true ? ', collect' : ''}`;
    case 'wagerWin': {
      const wager = objectOf(request['wagerInformation'])['wagerAmount'];
      return `wager ${amountOf(wager, write)} -> ${amount}`;
    }
    case 'addSpinCounterGameState': {
      const counter = Object.entries(objectOf(draw['result'])).map(
        ([name, n]) => `${shortened(name)} ${textOf(n)}`,
      );
      return shortened(counter.join(', '));
    }
    case 'getGameURL':
      return `${textOf(request['playerId'])} ${textOf(request['mode'])}`;
    case 'assignPlayerFreerounds':
      return `${textOf(request['playerId'])}, ${textOf(request['count'])} of ${amountOf(request['stake'], write)}`;
    case 'getBalance':
      return shortened(new URLSearchParams(path.split('?')[1] ?? '').get('playerId') ?? '');
    default:
      return '';
  }
}

function replyOf(reply: JsonObject, write: WriteAmount): string {
  const error = objectOf(reply['errorCode']);
  if (error['id'] !== undefined) return `error ${textOf(error['id'])}`;
  const round = objectOf(reply['gameRoundInfo']);
  if (round['status'] !== undefined) {
    const outcome =
      textOf(objectOf(reply['passThroughData'])['outcome']) || textOf(round['status']);
    const amounts = Object.entries({ open: 'amountToCollect', credited: 'amountCredited' })
      .map(([name, member]) => ({ name, value: reply[member] }))
      .filter(({ value }) => !['', '0'].includes(textOf(value)))
      .map(({ name, value }) => `${name} ${amountOf(value, write)}`);
    return [outcome, ...amounts].join(', ');
  }
  const total = reply['totalBalance'] ?? objectOf(reply['balance'])['totalBalance'];
  return total === undefined ? '' : `balance ${amountOf(total, write)}`;
}

/** Only whole units are an amount; anything else is shown as it was sent. */
function amountOf(value: unknown, write: WriteAmount, currency: string | null = null): string {
  const text = textOf(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 'above 2^53-1';
  return /^-?\d{1,16}$/.test(text) ? write(text, currency) : text;
}

function objectIn({ text }: BodyView): JsonObject | null {
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

function objectOf(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}

function textOf(value: unknown): string {
  const isPlain =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? shortened(String(value)) : '';
}

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
