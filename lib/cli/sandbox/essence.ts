import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
} from '../../protocol/json/parse';
import { describe, isWalletCall } from '../../proof/demo/scenarios';
import type { BodyView, WireCall } from '../../rgs/sandbox/view/wire';

/** What matters of a call, in a few words: amounts, and what the reply says of the round or the error. */
export function essenceOf(call: WireCall): string {
  const request = isWalletCall(call) ? transactionsIn(call) : requestIn(call);
  const reply = replyIn(call);
  return request === '' || reply === '' ? request + reply : `${request}; ${reply}`;
}

function transactionsIn(call: WireCall): string {
  return objectIn(call.body) === null ? 'not JSON' : describe(call);
}

function requestIn({ call, body, path }: WireCall): string {
  const request = objectIn(body) ?? {};
  const draw = objectOf(request['rngResult']);
  const amount = textOf(draw['winAmount']);
  switch (call) {
    case 'startGameRound':
    case 'startGameOrAddBet':
      return `stake ${textOf(objectOf(request['debitInformation'])['debitAmount'])}`;
    case 'addWin':
      return `win ${amount}${request['collect'] === true ? ', collect' : ''}`;
    case 'wagerWin': {
      const wager = textOf(objectOf(request['wagerInformation'])['wagerAmount']);
      return `wager ${wager} -> ${amount}`;
    }
    case 'addSpinCounterGameState': {
      const counter = Object.entries(objectOf(draw['result'])).map(
        ([name, n]) => `${name} ${textOf(n)}`,
      );
      return counter.join(', ');
    }
    case 'getGameURL':
      return `${textOf(request['playerId'])} ${textOf(request['mode'])}`;
    case 'assignPlayerFreerounds':
      return `${textOf(request['playerId'])}, ${textOf(request['count'])} of ${textOf(request['stake'])}`;
    case 'getBalance':
      return new URLSearchParams(path.split('?')[1] ?? '').get('playerId') ?? '';
    default:
      return '';
  }
}

function replyIn({ replyBody }: WireCall): string {
  const reply = replyBody === null ? null : objectIn(replyBody);
  if (reply === null) return '';
  const error = objectOf(reply['errorCode']);
  if (error['id'] !== undefined) return `error ${textOf(error['id'])}`;
  const round = objectOf(reply['gameRoundInfo']);
  if (round['status'] !== undefined) {
    const outcome =
      textOf(objectOf(reply['passThroughData'])['outcome']) || textOf(round['status']);
    const amounts = Object.entries({ open: 'amountToCollect', credited: 'amountCredited' })
      .map(([name, member]) => ({ name, amount: textOf(reply[member]) }))
      .filter(({ amount }) => amount !== '' && amount !== '0')
      .map(({ name, amount }) => `${name} ${amount}`);
    return [outcome, ...amounts].join(', ');
  }
  const balance = balanceIn(reply);
  return balance === '' ? '' : `balance ${balance}`;
}

function balanceIn(reply: JsonObject): string {
  const total = reply['totalBalance'] ?? objectOf(reply['balance'])['totalBalance'];
  return textOf(total);
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
  return isPlain ? String(value) : '';
}
