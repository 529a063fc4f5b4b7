import type { Answer } from '../processes/provider-commands';
import type { Words } from './words';

type Members = Readonly<Record<string, unknown>>;

/**
 * How a call was answered, in a few words: `open 100/0/0` is a round with its stake, what is to collect, and
 * what the wallet has confirmed; `400/13` is a refusal. A step that says `free` shows the free plays.
 */
export function describeAnswer(words: Words, name: string, answer: Answer): string {
  if (answer.kind === 'refused') return `${answer.status}/${answer.id ?? 'none'}`;
  if (answer.kind !== 'reply') return answer.kind;
  const { reply } = answer;
  if (words.says('entries')) return (reply['gameState'] as Members[]).map(entryOf).join(', ');
  if ('gameRoundInfo' in reply) return roundOf(reply, words.says('free'));
  return otherOf(name, reply);
}

function roundOf(reply: Members, isFreeShown: boolean): string {
  const { status, stake } = reply['gameRoundInfo'] as Members;
  const { outcome, creditPending = '0' } = reply['passThroughData'] as Record<string, string>;
  const amounts = [stake, reply['amountToCollect'], reply['amountCredited']].map(textOf).join('/');
  const isNamed = outcome === 'open' || outcome === 'closed';
  // E6: the wire knows open and closed alone.
  if (status !== (outcome === 'open' ? 'open' : 'closed')) return `${textOf(status)} as ${outcome}`;
  return [
    isNamed || outcome === 'stranded' || outcome === 'crashed' ? `${outcome} ${amounts}` : outcome,
    creditPending === '0' ? '' : `pending ${creditPending}`,
    reply['spinsAvailable'] === null ? '' : `spins ${textOf(reply['spinsAvailable'])}`,
    isFreeShown ? freeOf(reply) : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** The free plays in use, such as `free 2 of 5`. */
function freeOf({ freePlayInfo }: Members): string {
  if (freePlayInfo === null || freePlayInfo === undefined) return '';
  const { used, granted, won, isLast } = freePlayInfo as Members;
  return `free ${textOf(used)} of ${textOf(granted)} won ${textOf(won)}${isLast === true ? ' last' : ''}`;
}

function entryOf({ type, result, amountWagered, collected }: Members): string {
  const { winAmount } = result as Members;
  switch (type) {
    case 'genericwin':
      return `win ${textOf(winAmount)} collected ${textOf(collected ?? 0)}`;
    case 'wager':
      return `wager ${textOf(amountWagered)} to ${textOf(winAmount)}`;
    default:
      return textOf(type);
  }
}

function otherOf(name: string, reply: Members): string {
  switch (name) {
    case 'getBalance':
      return textOf(reply['totalBalance']);
    case 'getUncollectedAmount':
      return textOf(reply['amountToCollect']);
    case 'getAvailableSpinCounter':
      return `spins ${textOf(reply['spinsAvailable'])}`;
    case 'getTokenForGameRound':
      return 'token';
    case 'getTokenData': {
      const { gameId, mode, gameRound } = reply['tokenData'] as Members;
      return `${textOf(mode)} ${textOf(gameId)}${gameRound === null ? '' : ' in a round'}`;
    }
    case 'getLastGameRounds':
      return (reply['gameRounds'] as Members[]).map(({ status }) => textOf(status)).join(' ');
    case 'testPing':
      return textOf(reply['testDataReceived']);
    case 'getOperatorSettings':
      return 'settings';
    case 'getRandomResult':
      return `${(reply['values'] as unknown[]).length} values`;
    default: {
      const entries = reply['data'] as Members[];
      return entries.length === 0 ? 'none' : entries.map(({ data }) => textOf(data)).join(' ');
    }
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
