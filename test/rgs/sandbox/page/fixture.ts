import type { PageAction, PageSource } from '../../../../lib/rgs/sandbox/page/source';
import type { BooksView } from '../../../../lib/rgs/sandbox/view/books';
import type { FaultView, RoundView, StateView } from '../../../../lib/rgs/sandbox/view/state';
import type { WireCall } from '../../../../lib/rgs/sandbox/view/wire';

/** A name that would be markup if a page did not escape it. */
export const hostile = `<img src=x onerror="document.title='broken'">`;

const at = '2026-03-01T12:00:00.000Z';

const round: RoundView = {
  gameRound: hostile,
  operatorId: 'casino',
  playerId: `ann${hostile}`,
  gameProviderId: 'studio-1',
  gameCode: 'game-bells',
  mode: 'REAL',
  currency: 'EUR',
  state: 'stranded',
  stake: '100',
  amountToCollect: '0',
  amountCredited: '0',
  creditPending: '250',
  startedAt: at,
  lastCallAt: at,
  debits: [{ type: 'debit', hash: 'r', amount: '100', at, reason: 'bet', state: 'accepted' }],
  credits: [{ type: 'credit', hash: 'c', amount: '250', at, reason: 'win', state: 'refused' }],
  due: [],
  undelivered: [{ type: 'end', hash: 'e', amount: null, at, reason: 'end' }],
  needsPerson: true,
};

/** A call on the wire, with what a test changes. */
export function wireCall(change: Partial<WireCall> = {}): WireCall {
  const body = { text: `{"token":"…abcd","note":"it's"}`, encoding: 'utf8', bytes: 30 } as const;
  return {
    n: 1,
    at,
    line: 'provider-rgs',
    call: 'startGameRound',
    round: hostile,
    method: 'POST',
    path: '/gameapi/v2/startGameRound',
    headers: { host: '127.0.0.1:8090', 'x-h-auth-id': 'studio-1', 'content-length': '30' },
    body,
    status: 200,
    replyHeaders: { 'content-type': 'application/json' },
    replyBody: { text: '{}', encoding: 'utf8', bytes: 2 },
    ms: 3.2,
    signed: '{}#2026-03-01T12:00:00.000Z',
    verdict: 'verified',
    explanation: null,
    cause: null,
    fault: null,
    state: 'done',
    ...change,
  };
}

const calls: readonly WireCall[] = [
  wireCall(),
  wireCall({
    n: 2,
    line: 'rgs-wallet',
    call: 'doTransactions',
    cause: 1,
    status: 503,
    fault: '503',
  }),
  wireCall({
    n: 3,
    line: 'rgs-wallet',
    status: null,
    replyBody: null,
    state: 'lost',
    fault: 'cut',
  }),
  wireCall({
    n: 4,
    line: 'operator-rgs',
    call: 'getGameURL',
    round: null,
    verdict: 'refused',
    status: 401,
    explanation: 'It was signed with a space more.',
  }),
];

const books: BooksView = {
  agree: false,
  differences: [
    {
      round: hostile,
      operatorId: 'casino',
      playerId: 'ann',
      currency: 'EUR',
      what: 'win',
      service: '250',
      wallet: '500',
      provider: '250',
    },
  ],
  notes: [{ round: null, text: 'a note' }],
  doubts: [{ round: hostile, text: 'a doubt' }],
  players: [
    {
      operatorId: 'casino',
      playerId: 'ann',
      currency: 'EUR',
      start: '10000',
      service: { least: '9900', most: '10150' },
      wallet: '10400',
      provider: null,
      owed: '0',
      verdict: 'doubt',
    },
  ],
  rounds: [
    {
      gameRound: hostile,
      operatorId: 'casino',
      playerId: 'ann',
      currency: 'EUR',
      service: { state: 'closed', stake: '100', win: '250' },
      wallet: { change: '400' },
      provider: { state: 'closed', stake: '100', win: '250' },
      verdict: 'differ',
    },
  ],
};

/** Copies of one thing, each with the name in place of each text that names something. */
function copies<T>(one: T, count: number, name: string): readonly T[] {
  const text = JSON.stringify(one).replaceAll(JSON.stringify(hostile).slice(1, -1), '@name');
  const named = text.replaceAll('@name', JSON.stringify(name).slice(1, -1));
  return Array.from({ length: count }, () => JSON.parse(named) as T);
}

/** Pages over a state that has one of everything; what the forms do is recorded. */
export class FixedSource implements PageSource {
  readonly actions: PageAction[] = [];

  /** @param count How many rounds, calls and lines of the books there are. */
  constructor(
    readonly name = hostile,
    private readonly count = 1,
  ) {}

  private many<T>(one: readonly T[]): readonly T[] {
    return one.flatMap((each) => copies(each, this.count, this.name));
  }

  private calls(): readonly WireCall[] {
    return this.many(calls).map((call, place) => ({
      ...call,
      n: this.count === 1 ? call.n : place + 1,
    }));
  }

  private readonly faults: FaultView[] = [];

  async state(): Promise<StateView> {
    return {
      now: at,
      aheadMs: 7_200_000,
      seed: 7,
      wire: this.calls().length,
      findings: 1,
      isReadOnly: false,
      operators: [{ operatorId: 'casino', wallet: 'http://127.0.0.1:8080' }],
      games: [
        {
          gameCode: 'game-bells',
          name: 'Bells',
          gameProviderId: 'studio-1',
          provider: 'built in',
          launchUrl: 'http://127.0.0.1:8090/game',
        },
      ],
      players: [
        {
          operatorId: 'casino',
          playerId: hostile,
          mode: 'REAL',
          currency: 'EUR',
          start: '10000',
          wallet: '9900',
          walletAsOf: at,
          service: '10150',
        },
      ],
      launchable: this.many([{ operatorId: 'casino', playerId: hostile, currency: 'EUR' }]),
      sessions: [
        {
          token: 'abcd',
          kind: 'player',
          operatorId: 'casino',
          playerId: 'ann',
          gameCode: 'game-bells',
          mode: 'REAL',
          currency: 'EUR',
          openedAt: at,
          ageMs: 65_000,
          openRound: hostile,
          realityCheck: { fired: 1, at, isAnswered: false },
        },
      ],
      rounds: this.many([round]),
      due: this.many([
        { gameRound: hostile, type: 'credit', hash: 'c', amount: '250', at, reason: 'win' },
      ] as const),
      attention: [
        {
          gameRound: this.name,
          why: 'a credit was refused for good',
          ways: ['close', 'resend', 'giveUp'],
        },
      ],
      notices: [
        {
          call: 'registerPlayer',
          operatorId: 'casino',
          playerId: hostile,
          at,
          body: `{"a":"${hostile}"}`,
        },
      ],
      faults: this.faults,
      freePlays: [
        {
          operatorId: 'casino',
          playerId: 'ann',
          gameCode: 'game-bells',
          serial: 's-1',
          currency: 'EUR',
          stake: '100',
          granted: 5,
          used: 1,
          won: '0',
          expires: null,
        },
      ],
      statistics: [
        {
          operatorId: 'casino',
          game: 'game-bells',
          currency: 'EUR',
          bet: '100',
          win: '0',
          games: 1,
          player: 1,
          RTP: '0.00',
        },
      ],
      scenarios: [{ name: 'spin', shows: 'the bridge' }],
    };
  }

  async wire(since: number) {
    const all = this.calls();
    const after = all.filter(({ n }) => n > since).slice(0, 500);
    return { latest: all.length, oldest: 1, calls: after };
  }

  async books(): Promise<BooksView> {
    const { agree, differences, notes, doubts, players, rounds } = books;
    return {
      agree,
      differences: this.many(differences),
      notes: this.many(notes),
      doubts: this.many(doubts),
      players: this.many(players),
      rounds: this.many(rounds),
    };
  }

  booksSoFar(): Promise<BooksView> {
    return this.books();
  }

  async findings() {
    const finding = {
      id: 'noRoundId',
      rule: 'E7.7',
      call: 'startGameRound',
      round: hostile,
      text: 'A lost reply cannot be asked for.',
      at,
      wire: 1,
    };
    return { findings: this.many([finding]) };
  }

  async timeline(gameRound: string) {
    const event = { kind: 'event', at, type: 'settled', event: '{"type":"settled"}' } as const;
    const steps = [...this.calls().map((call) => ({ kind: 'call', call }) as const), event];
    const [named = null] = this.many([round]);
    return { round: gameRound === this.name ? named : null, steps };
  }

  async act(action: PageAction): Promise<string | null> {
    this.actions.push(action);
    const { line, kind, next } = action.body;
    if (action.path === 'faults' && action.method === 'POST') {
      if (next !== undefined && !Number.isInteger(next)) throw new Error('next must be whole');
      this.faults.push({
        id: this.faults.length + 1,
        line: line as FaultView['line'],
        call: null,
        kind: kind as FaultView['kind'],
        left: Number(next),
        probability: null,
        delayMs: 1000,
        hits: 0,
      });
    }
    return action.path === 'launch' ? 'http://127.0.0.1:8090/game?token=abc' : null;
  }
}
