import type { PlayMethod } from '../processes/provider-commands';
import type { Words } from './words';

/** Who calls, about what. */
export interface Context {
  readonly token: string;
  readonly gameRound: string;
  /** A key that was never used before. */
  readonly newKey: () => string;
}

type Members = Readonly<Record<string, unknown>>;
/** A call of the Game Engine API. */
export interface EngineStep {
  readonly name: string;
  readonly request: Members;
}
/** A method of a round as an object. */
export interface PlayStep {
  readonly method: PlayMethod;
  readonly given: Members;
}

/** Leaves out what is not set. */
function present(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The call that a step stands for; null if it is no call of the game. */
export function engineStep(words: Words, context: Context): EngineStep | null {
  const { token, gameRound, newKey } = context;
  const id = words.after('as');
  const currency = words.after('in') ?? 'EUR';
  const ofRound = present({ token, gameRound, externalGameProviderTransactionId: id });
  const draw = words.says('keyless')
    ? {}
    : { rngCallId: words.after('draw') ?? (id === undefined ? newKey() : undefined) };
  switch (words.at(0)) {
    case 'start':
    case 'bet':
      return start(words, context, currency);
    case 'win': {
      const rngResult = present({ ...draw, winAmount: words.amountAt(1) });
      const jackpotId = words.after('jackpot');
      const jackpotPayout = jackpotId === undefined ? undefined : [{ jackpotId }];
      const collect = words.says('collect') || undefined;
      return {
        name: 'addWin',
        request: present({ ...ofRound, rngResult, collect, jackpotPayout }),
      };
    }
    case 'wager': {
      const rngResult = present({ ...draw, winAmount: words.amountAfter('to') });
      const wagerInformation = present({
        wagerAmount: words.amountAt(1),
        currency,
        externalGameProviderTransactionId: id,
      });
      return { name: 'wagerWin', request: { token, gameRound, rngResult, wagerInformation } };
    }
    case 'spins': {
      const rngResult = { rngCallId: words.after('draw') ?? newKey() };
      const [awarded, used] = [words.amountAfter('award'), words.amountAfter('use')];
      const counterType = words.after('type') ?? 'free';
      const further = present({ result: undefined, awarded, used });
      return {
        name: 'addSpinCounterGameState',
        request: {
          token,
          gameRound,
          counterType,
          gameStateResult: '{}',
          rngResult: { ...rngResult, result: further },
        },
      };
    }
    case 'collect':
      return { name: 'collectWin', request: present({ ...ofRound, amount: words.amountAt(1) }) };
    case 'end':
      return { name: 'endGameRound', request: { token, gameRound } };
    case 'void':
      return { name: 'voidGameRound', request: ofRound };
    default:
      return query(words, context);
  }
}

function start(words: Words, { token, gameRound, newKey }: Context, currency: string): EngineStep {
  const isBet = words.at(0) === 'bet';
  const useTicketInfo = words.says('ticket') ? { useTicket: true } : undefined;
  const creditAmount = words.amountAfter('credit');
  return {
    name: isBet ? 'startGameOrAddBet' : 'startGameRound',
    request: present({
      token,
      rngResult: present({
        rngCallId: words.after('draw') ?? newKey(),
        winAmount: words.amountAfter('won'),
      }),
      debitInformation: present({
        debitAmount: words.amountAt(1),
        currency,
        externalGameProviderTransactionId: words.after('as'),
        useTicketInfo,
      }),
      endGame: words.says('end'),
      creditInformation: creditAmount === undefined ? undefined : { creditAmount, currency },
      closeOpenGame: words.says('close') || undefined,
      externalGameProviderRoundId: words.says('anonymous') ? undefined : gameRound,
    }),
  };
}

function query(words: Words, { token, gameRound }: Context): EngineStep | null {
  const ofRound = { token, gameRound };
  switch (words.at(0)) {
    case 'info':
    case 'entries':
      return { name: 'getGameRoundInfo', request: ofRound };
    case 'history':
      return { name: 'getGameRoundHistoryInfo', request: ofRound };
    case 'uncollected':
      return { name: 'getUncollectedAmount', request: ofRound };
    case 'counter': {
      const counterType = words.after('type') ?? 'free';
      return { name: 'getAvailableSpinCounter', request: { ...ofRound, counterType } };
    }
    case 'round-token':
      return { name: 'getTokenForGameRound', request: { gameRound } };
    case 'balance':
      return { name: 'getBalance', request: { token } };
    case 'session':
      return { name: 'getTokenData', request: { token } };
    case 'rounds':
      return { name: 'getLastGameRounds', request: { token } };
    case 'ping':
      return { name: 'testPing', request: { testData: words.at(1) } };
    case 'settings':
      return {
        name: 'getOperatorSettings',
        request: { game: words.at(1), operator: 'casino', currency: 'EUR' },
      };
    case 'random': {
      const [count, max] = [words.amountAt(1), words.amountAfter('to')];
      const rngPayload = { count, min: 1, max };
      return {
        name: 'getRandomResult',
        request: { token, rngEndPoint: 'getIntegers', rngPayload },
      };
    }
    case 'keep':
      return {
        name: 'setPlayerData',
        request: {
          token,
          data: { data: words.at(1), currency: 'EUR', stake: words.amountAfter('for') ?? 0 },
        },
      };
    case 'kept': {
      const stake = words.amountAfter('for') ?? 0;
      return { name: 'getPlayerData', request: { token, currency: 'EUR', stake } };
    }
    default:
      return null;
  }
}

/** The same step on a round as an object; null if a round has no such method. */
export function playStep(words: Words, token: string): PlayStep | null {
  const given = playGiven(words, token);
  const methods: Readonly<Record<string, PlayMethod>> = {
    start: 'start',
    bet: 'addBet',
    win: 'addWin',
    wager: 'wager',
    spins: 'spins',
    end: 'end',
    void: 'void',
    recover: 'recover',
  };
  const method = methods[words.at(0)];
  return method === undefined ? null : { method, given };
}

function playGiven(words: Words, token: string): Members {
  const amount = words.amountAt(1);
  switch (words.at(0)) {
    case 'start':
      return present({
        token,
        stake: amount,
        currency: 'EUR',
        useTicket: words.says('ticket') || undefined,
        closeOpenGame: words.says('close') || undefined,
      });
    case 'bet':
      return present({ stake: amount });
    case 'win':
      return present({ winAmount: amount, collect: words.says('collect') || undefined });
    case 'wager':
      return present({ wagerAmount: amount, winAmount: words.amountAfter('to') });
    case 'spins':
      return present({
        counterType: 'free',
        awarded: words.amountAfter('award'),
        used: words.amountAfter('use'),
      });
    case 'void':
      return present({ bet: amount });
    default:
      return {};
  }
}
