import type {
  BooksView,
  FaultKind,
  FaultRequest,
  LineName,
  StateView,
  WireView,
} from '../../../../lib/rgs/sandbox';

/** The API of a sandbox, as its page uses it. */
export class SandboxApi {
  constructor(readonly origin: string) {}

  /** Sets a fault, and no more than it says (F). */
  async setFault(fault: FaultRequest): Promise<void> {
    await this.ask('POST', 'faults', fault);
  }

  /**
   * Sets every kind of fault on every line: each hits every call of the line with this probability, and the
   * first calls of each name certainly.
   */
  async setEveryFault(probability: number, delayMs: number): Promise<void> {
    for (const kind of kinds) {
      for (const [line, { calls, times }] of Object.entries(lines)) {
        const on = { line: line as LineName, kind, delayMs };
        for (const call of calls) await this.setFault({ ...on, call, next: 1 });
        await this.setFault({ ...on, probability: probability * times });
      }
    }
  }

  async clearFaults(): Promise<void> {
    await this.ask('DELETE', 'faults');
  }

  async advance(advanceMs: number): Promise<void> {
    await this.ask('POST', 'clock', { advanceMs });
  }

  async runJanitor(): Promise<void> {
    await this.ask('POST', 'janitor', {});
  }

  async resolve(round: string, how: 'close' | 'resend' | 'giveUp'): Promise<void> {
    await this.ask('POST', 'resolve', { round, how });
  }

  async state(): Promise<StateView> {
    return (await this.ask('GET', 'state')) as StateView;
  }

  async books(): Promise<BooksView> {
    return (await this.ask('GET', 'books')) as BooksView;
  }

  /** The calls with a number above this one. */
  async wire(since: number): Promise<WireView> {
    return (await this.ask('GET', `wire?since=${since}`)) as WireView;
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(`${this.origin}/sandbox/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text);
  }
}

/** A line with few calls has as many faults all the same: `times` the probability. */
export const lines: Readonly<
  Record<LineName, { readonly calls: readonly string[]; readonly times: number }>
> = {
  'provider-rgs': {
    calls: [
      'startGameRound',
      'startGameOrAddBet',
      'addWin',
      'wagerWin',
      'endGameRound',
      'voidGameRound',
      'getGameRoundInfo',
      'getTokenForGameRound',
    ],
    times: 1,
  },
  'rgs-wallet': { calls: ['doTransactions', 'getBalance'], times: 1 },
  'rgs-provider': { calls: ['doAutoClose'], times: 5 },
  'operator-rgs': { calls: ['getGameURL'], times: 2 },
};

/** The kinds of faults of a line. */
export const kinds: readonly FaultKind[] = [
  'loseRequest',
  'loseReply',
  'late',
  'twice',
  'reorder',
  '503',
  '429',
  'html',
  'cut',
];
