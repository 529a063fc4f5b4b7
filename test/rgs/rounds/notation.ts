import type {
  JackpotPayout,
  RngResult,
  RoundCall,
  RoundQuery,
  StartGameRound,
} from '../../../lib/protocol/engine-api/calls';
import type { Due } from '../../../lib/rgs/rounds/round';
import { recover } from '../../../lib/rgs/rounds/delivery';
import { replyOf } from '../../../lib/rgs/rounds/query';
import type { Session } from '../../../lib/rgs/rounds/context';
import { type Answer, cut, timeOut } from '../../../lib/rgs/settlement/answer';
import { Desk, idOf, type Outcome } from './desk';

/** One line of a table. */
export interface Row {
  readonly name: string;
  readonly steps: readonly string[];
  /** What the last step sent to the wallet, a call after another; `-` for nothing. */
  readonly sent: string;
  /** What it was answered. */
  readonly answer: string;
  /** The findings of the last step; `-` for none. */
  readonly findings: string;
}

/**
 * Reads a table, a case a line: `rule | sentence | steps | sent | answer | findings`, the steps
 * parted by `;`. The last three say what the last step came to. An answer is the id of an error, or
 * `outcome stake open credited pending`; what was sent is `[d100* e]`: a first debit of 100 and an end.
 *
 * A step is a call, its round, its amounts and words like `collect` or `tx=a`, and after `>` what the
 * wallet answers, call by call: a status with the types that it lists (`400 d!9001`), `all` for every
 * one, `cut`, `time-out`, `stop` where nothing is sent for now. A `*` lets the last answer hold for all that follows, until something stays due.
 * Without `>` the wallet does everything.
 */
export function readTable(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [rule, sentence, steps, sent, answer, findings] = cells;
    if (cells.length !== 6 || !steps || !sent || !answer || !findings) {
      throw new Error(`not six cells: ${line}`);
    }
    return {
      name: `${rule}: ${sentence}`,
      steps: steps.split(';').map((step) => step.trim()),
      sent,
      answer,
      findings,
    };
  });
}

/** Plays the steps of a row; says what the last one came to, as the row says it. */
export function playRow({ steps }: Row): Pick<Row, 'sent' | 'answer' | 'findings'> {
  const { last } = playSteps(steps);
  if (last === null) throw new Error('no step with an outcome');
  const { sent, answer, findings } = last;
  return {
    sent: sent.length === 0 ? '-' : sent.map((call) => `[${call.map(wordOf).join(' ')}]`).join(' '),
    answer: answerText(answer),
    findings: findings.length === 0 ? '-' : findings.join(' '),
  };
}

/** Plays steps on a new desk. */
export function playSteps(steps: readonly string[]): { desk: Desk; last: Outcome | null } {
  const desk = new Desk(() => null);
  let last: Outcome | null = null;
  for (const step of steps) last = playStep(desk, step.trim()) ?? last;
  return { desk, last };
}

function answerText(answer: Outcome['answer']): string {
  if (answer.kind === 'refused') return String(idOf(answer));
  const reply = replyOf(answer.round);
  const { outcome, stake, amountToCollect, amountCredited, creditPending } = reply;
  return `${outcome} ${stake} ${amountToCollect} ${amountCredited} ${creditPending}`;
}

function wordOf(due: Due): string {
  if (due.type === 'end') return 'e';
  const letter = due.type.charAt(0);
  const currency = due.currency === 'EUR' ? '' : due.currency;
  return `${letter}${due.amount}${currency}${due.type === 'debit' && due.isFirstDebit ? '*' : ''}`;
}

function playStep(desk: Desk, step: string): Outcome | null {
  const [text = '', answers] = step.split('>').map((part) => part.trim());
  const [verb = '', ...words] = text.split(' ');
  desk.wallet = walletOf(answers);
  desk.at += 1_000;
  if (verb === 'as' || verb === 'set') {
    configure(desk, words);
    return null;
  }
  if (verb === 'start' || verb === 'bet') return desk.play(readStart(verb, words));
  if (verb === 'flush') {
    const [gameRound = ''] = words;
    return {
      ...desk.deliver(gameRound),
      answer: { kind: 'answered', round: desk.round(gameRound) },
    };
  }
  if (verb === 'restart') return restart(desk, words[0] ?? '');
  const query = queries[verb];
  if (query !== undefined) {
    return { answer: desk.ask({ call: query, gameRound: words[0] ?? '' }), sent: [], findings: [] };
  }
  return desk.work(readCall(verb, words));
}

const queries: Record<string, RoundQuery['call']> = {
  info: 'getGameRoundInfo',
  history: 'getGameRoundHistoryInfo',
  uncollected: 'getUncollectedAmount',
  counter: 'getAvailableSpinCounter',
};

/** The debit of the round was sent, and the service died before it heard the answer. */
function restart(desk: Desk, gameRound: string): Outcome {
  const heard = recover(desk.round(gameRound), desk.at);
  if (heard !== null) desk.keep(heard.event, heard.round);
  return { ...desk.deliver(gameRound), answer: { kind: 'answered', round: desk.round(gameRound) } };
}

function configure(desk: Desk, words: readonly string[]): void {
  for (const word of words) {
    const [name = '', value = ''] = word.split('=');
    const { session, settings, offer } = desk;
    const { owner } = session;
    if (name === 'player') desk.session = { ...session, owner: { ...owner, playerId: value } };
    else if (name === 'operator') {
      desk.session = { ...session, owner: { ...owner, operatorId: value } };
    } else if (name === 'provider') {
      desk.session = { ...session, owner: { ...owner, gameProviderId: value } };
    } else if (name === 'game') desk.session = { ...session, owner: { ...owner, gameCode: value } };
    else if (name === 'mode') {
      desk.session = { ...session, owner: { ...owner, mode: value === 'DEMO' ? 'DEMO' : 'REAL' } };
    } else if (name === 'multiplier') {
      desk.session = { ...session, owner: { ...owner, currencyMultiplier: value } };
    } else if (name === 'currency') {
      desk.session = { ...session, owner: { ...owner, currency: value } };
    } else if (name === 'kind') desk.session = { ...session, kind: value as Session['kind'] };
    else if (name === 'separate') desk.batching = 'separate';
    else if (name === 'serial') desk.offer = { ...offer, freePlaySerial: value };
    else if (name === 'discount') {
      desk.offer = { ...offer, discount: { amount: BigInt(value), campaignId: 'spring' } };
    } else if (name === 'ladder') {
      const ladder = value.split(',').map(BigInt);
      desk.offer = { ...offer, stakes: { ladder, min: null, max: null } };
    } else if (name === 'max') {
      desk.offer = { ...offer, stakes: { ladder: null, min: 5n, max: BigInt(value) } };
    } else if (name in settings.readings) {
      desk.settings = { ...settings, readings: { ...settings.readings, [name]: value } };
    } else if (name in settings) desk.settings = { ...settings, [name]: true };
    else throw new Error(`no setting ${word}`);
  }
}

function optionsOf(words: readonly string[]): (name: string) => string | null {
  const options = new Map(
    words.map((word): [string, string] => {
      const [name = '', value = 'true'] = word.split('=');
      return [name, value];
    }),
  );
  return (name) => options.get(name) ?? null;
}

function readStart(verb: 'start' | 'bet', words: readonly string[]): StartGameRound {
  const [id = '', amount = '', ...rest] = words;
  const option = optionsOf(rest);
  const credit = option('credit');
  return {
    call: verb === 'start' ? 'startGameRound' : 'startGameOrAddBet',
    rngResult: drawOf(option),
    debitInformation: {
      debitAmount: BigInt(amount),
      currency: option('currency') ?? 'EUR',
      externalGameProviderTransactionId: option('tx'),
      useTicket: option('ticket') !== null,
    },
    creditInformation:
      credit === null
        ? null
        : {
            creditAmount: BigInt(credit),
            currency: option('creditCurrency') ?? 'EUR',
            externalGameProviderTransactionId: null,
            jackpotPayout: jackpotsOf(option),
          },
    endGame: option('end') !== null,
    closeOpenGame: option('close') !== null,
    useJackpot: false,
    externalGameProviderRoundId: id === '-' ? null : id,
  };
}

function readCall(verb: string, words: readonly string[]): RoundCall {
  const [gameRound = '', first = '', second = ''] = words;
  const option = optionsOf(words.slice(1));
  const externalGameProviderTransactionId = option('tx');
  const common = { gameRound, externalGameProviderTransactionId };
  const jackpotPayout = jackpotsOf(option);
  switch (verb) {
    case 'win': {
      const rngResult = { ...drawOf(option), winAmount: BigInt(first) };
      const collect = option('collect') !== null;
      return { call: 'addWin', ...common, rngResult, collect, jackpotPayout };
    }
    case 'wager':
      return {
        call: 'wagerWin',
        gameRound,
        rngResult: { ...drawOf(option), winAmount: BigInt(second) },
        wagerInformation: {
          wagerAmount: BigInt(first),
          winAmount: option('inner') === null ? null : BigInt(option('inner') ?? ''),
          currency: option('currency') ?? 'EUR',
          status: null,
          externalGameProviderTransactionId,
          jackpotPayout,
        },
      };
    case 'spins':
      return {
        call: 'addSpinCounterGameState',
        gameRound,
        counterType: option('type') ?? 'customspin',
        rngCallId: option('rng') ?? '',
        awarded: Number(first),
        used: Number(second),
        winAmount: option('win') === null ? null : BigInt(option('win') ?? ''),
        gameStateResult: '{}',
      };
    case 'collect':
      return { call: 'collectWin', ...common, amount: first === 'all' ? null : BigInt(first) };
    case 'end':
      return { call: 'endGameRound', ...common };
    case 'void':
      return { call: 'voidGameRound', ...common };
    default:
      throw new Error(`no call ${verb}`);
  }
}

function drawOf(option: (name: string) => string | null): RngResult {
  const amount = option('won');
  return {
    rngCallId: option('rng'),
    result: null,
    winAmount: amount === null ? null : BigInt(amount),
    betData: {},
  };
}

function jackpotsOf(option: (name: string) => string | null): JackpotPayout[] {
  const jackpotId = option('jackpot');
  return jackpotId === null ? [] : [{ jackpotId, jackpotMode: null }];
}

function walletOf(text: string | undefined): Desk['wallet'] {
  if (text === undefined) return (call) => answerTo(call, '200 all');
  const isForAll = text.endsWith('*');
  const answers = (isForAll ? text.slice(0, -1) : text).split(',').map((one) => one.trim());
  let previous = '';
  return (call) => {
    const hashes = call.map(({ type, hash }) => `${type}${hash}`).join(' ');
    const isAgain = hashes === previous;
    previous = hashes;
    const answer = answers.length > 1 || !isForAll ? answers.shift() : undefined;
    if (answer === 'stop') return null;
    if (answer !== undefined) return answerTo(call, answer);
    if (isAgain) return null;
    return answerTo(call, isForAll ? (answers[0] ?? '') : '200 all');
  };
}

function answerTo(call: readonly Due[], text: string): Answer {
  if (text === 'cut') return cut;
  if (text === 'time-out') return timeOut;
  const [status = '', ...words] = text.split(' ');
  const listed = words.includes('all') ? ['d', 'c', 'e', 'v'] : words;
  const hashesProcessed = call.flatMap(({ type, hash }) => {
    const word = listed.find((one) => one.startsWith(type.charAt(0)));
    if (word === undefined) return [];
    const [, id] = word.split('!');
    return [{ hash, error: id === undefined ? null : { id: Number(id), msg: '' } }];
  });
  return { kind: 'reply', status: Number(status), body: { hashesProcessed, error: null } };
}
