import { type RgsClient, RgsClientError } from '../../../../lib/operator/client';
import type { FaultKind, LineName } from '../../../../lib/rgs/sandbox/view/state';
import { until } from '../../../servers/until';
import type { Parties } from '../processes/parties';
import { describeAnswer } from './answer-text';
import { engineStep, playStep } from './step-calls';
import { Words } from './words';

const units: Readonly<Record<string, number>> = { min: 60_000, h: 3_600_000, s: 1000 };
const silent: readonly FaultKind[] = ['loseRequest', 'loseReply', 'late'];
/** How long a call waits whose reply is known to be lost. */
const impatientMs = 700;

/** A player with its session; the steps of a case are its. */
export class Player {
  /** By letter, in the order of their starts. */
  readonly rounds = new Map<string, string>();
  #token = '';
  #oldToken = '';
  #launchUrl = '';
  #keys = 0;
  #isImpatient = false;

  constructor(
    readonly parties: Parties,
    readonly playerId: string,
    /** Whether the provider plays by round objects, which recover by themselves (S2). */
    readonly isRecovering: boolean,
  ) {}

  /** Does a step; resolves to its answer, null for a step that has none. */
  async step(step: string): Promise<string | null> {
    const [first = '', second] = step.split(' & ');
    if (second !== undefined) return this.#during(first, second);
    const words = new Words(step);
    if (await this.#surroundings(words)) return null;
    const operator = this.#operator(words);
    if (operator !== null) return operator;
    return this.#game(step, words);
  }

  /** Asks for a launch URL and opens the session, as an operator's page and the browser do. */
  async launch(gameCode = 'bells', mode = 'REAL'): Promise<string> {
    const url = await this.#url(gameCode, mode);
    return url.startsWith('4') || url === 'unknown' ? url : this.#connect();
  }

  /** Does the second step while the first one's call is at the wallet. */
  async #during(first: string, second: string): Promise<string | null> {
    const { wire } = await this.parties.state();
    const answer = this.step(first);
    await until('a call at the wallet', async () => {
      const calls = await this.parties.wireSince(wire);
      return calls.some(({ line, call }) => line === 'rgs-wallet' && call === 'doTransactions');
    });
    await this.step(second);
    return answer;
  }

  async #game(step: string, words: Words): Promise<string> {
    const letter = words.after('@') ?? 'a';
    const gameRound = this.#roundOf(letter);
    const token = words.says('old') ? this.#oldToken : this.#token;
    const context = { token, gameRound, newKey: () => `k${++this.#keys}` };
    const isStart = words.at(0) === 'start' || words.at(0) === 'bet';
    const { parties, playerId } = this;
    const by = this.#isImpatient ? { timeoutMs: impatientMs } : {};
    const played = this.isRecovering && !words.says('once') ? playStep(words, token) : null;
    if (played !== null) {
      this.rounds.set(letter, gameRound);
      const answer = await parties.command({ kind: 'play', gameRound, playerId, ...played, ...by });
      return describeAnswer(words, played.method, answer);
    }
    const call = engineStep(words, context);
    if (call === null) throw new Error(`this is no step: ${step}`);
    const answer = await parties.command({ kind: 'call', playerId, ...call, ...by });
    if (isStart && answer.kind === 'reply') {
      this.rounds.set(letter, (answer.reply['gameRoundInfo'] as { hash: string }).hash);
    }
    if (call.name === 'getTokenForGameRound' && answer.kind === 'reply') {
      this.#take((answer.reply['tokenData'] as { currentToken: string }).currentToken);
    }
    return describeAnswer(words, call.name, answer);
  }

  /** What happens to the parties: nothing is answered. False if the step is none of these. */
  async #surroundings(words: Words): Promise<boolean> {
    const { parties } = this;
    const round = this.#roundOf(words.after('@') ?? 'a');
    switch (words.at(0)) {
      case 'fault':
        await this.#setFault(words);
        return true;
      case 'clear':
        this.#isImpatient = false;
        await parties.clearFaults();
        return true;
      case 'clock': {
        const [, amount = '0', unit = ''] = /^(\d+)(\w+)$/.exec(words.at(1)) ?? [];
        await parties.act('clock', { advanceMs: Number(amount) * (units[unit] ?? Number.NaN) });
        return true;
      }
      case 'janitor':
      case 'kill':
        await parties.act(words.at(0) as 'janitor' | 'kill', {});
        return true;
      case 'resolve':
        await parties.act('resolve', { round, how: words.at(1) });
        return true;
      case 'leave': {
        const win = words.says('untaken') ? 'void' : (words.amountAt(1) ?? 0);
        await parties.command({ kind: 'leave', gameRound: round, win });
        return true;
      }
      default:
        return false;
    }
  }

  /** `fault LINE CALL KIND [next N] [delay MS]`; without `next` it is the next call's alone. */
  async #setFault(words: Words): Promise<void> {
    const [line, call, kind] = [words.at(1) as LineName, words.at(2), words.at(3) as FaultKind];
    const delayMs = words.amountAfter('delay');
    await this.parties.setFault({
      line,
      kind,
      call,
      next: words.amountAfter('next') ?? 1,
      ...(delayMs === undefined ? {} : { delayMs }),
    });
    if (line === 'provider-rgs' || line === 'operator-rgs') {
      this.#isImpatient = silent.includes(kind);
    }
  }

  /** What the operator and the browser do; null if the step is none of these. */
  #operator(words: Words): Promise<string> | null {
    switch (words.at(0)) {
      case 'launch':
        return this.launch(words.after('game'), words.after('mode'));
      case 'url':
        return this.#url('bells', 'REAL');
      case 'connect':
        return this.#connect();
      case 'reconnect':
        return this.#browser('reconnect', this.#token);
      case 'disconnect':
        return this.#browser('disconnect', this.#token);
      case 'assign': {
        const [, count = '', stake = ''] = /^(\d+)x(\d+)$/.exec(words.at(1)) ?? [];
        return this.#ask(async (rgs) => {
          const granted = await rgs.assignPlayerFreerounds({
            playerId: this.playerId,
            gameCode: 'bells',
            serial: `${this.playerId}-${words.after('serial') ?? 's1'}`,
            currency: 'EUR',
            stake: Number(stake),
            count: Number(count),
          });
          return `granted ${granted.count} used ${granted.used}`;
        });
      }
      case 'stats':
        return this.#ask(async (rgs) => {
          const filterBy = { playerId: this.playerId };
          const { records } = await rgs.getStats({ groupBy: ['player'], filterBy });
          if (records.length === 0) return 'none';
          return records
            .map(({ bet, win, games, RTP }) => {
              return `bet ${String(bet)} win ${String(win)} rounds ${String(games)} RTP ${String(RTP)}`;
            })
            .join(', ');
        });
      case 'games':
        return this.#ask(async (rgs) => {
          return Object.keys((await rgs.getGameList()).gameList)
            .toSorted()
            .join(' ');
        });
      case 'configuration':
        return this.#ask(async (rgs) => {
          const asked = { gameCode: words.at(1), currency: 'EUR' };
          return `stakes ${(await rgs.getGameConfiguration(asked)).stakes.join(' ')}`;
        });
      default:
        return null;
    }
  }

  async #url(gameCode: string, mode: string): Promise<string> {
    const signedFields = ['playerId', 'gameCode', 'currency', 'language', 'mode'];
    const body = { playerId: this.playerId, gameCode, currency: 'EUR', language: 'en', mode };
    return this.#ask(async (rgs) => {
      const answer = await rgs.call({ method: 'POST', path: '/getGameURL', body, signedFields });
      this.#launchUrl = String((answer as { url: unknown }).url);
      return 'url';
    });
  }

  /** Does what the game's page does with the launch URL. */
  async #connect(): Promise<string> {
    const { searchParams } = new URL(this.#launchUrl);
    return this.#browser(searchParams.get('login') ?? '', searchParams.get('token') ?? '');
  }

  async #browser(place: string, token: string): Promise<string> {
    const { searchParams } = new URL(this.#launchUrl);
    const connect = searchParams.get('login') ?? '';
    const url = place.startsWith('http') ? place : connect.replace(/connect$/, place);
    const by = this.#isImpatient ? { signal: AbortSignal.timeout(impatientMs) } : {};
    try {
      const reply = await fetch(`${url}?token=${token}`, by);
      const text = await reply.text();
      const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      if (!reply.ok) return `${reply.status}/${String((json['errorCode'] as { id: number }).id)}`;
      if (typeof json['token'] !== 'string') return 'done';
      this.#take(json['token']);
      const balance = json['balance'] as { totalBalance: number } | undefined;
      return String(balance?.totalBalance ?? 'connected');
    } catch {
      return 'unknown';
    }
  }

  /** A longer name than a letter is an id. */
  #roundOf(letter: string): string {
    const id = letter.length > 1 ? letter : `${this.playerId}-${letter}`;
    return this.rounds.get(letter) ?? id;
  }

  #take(token: string): void {
    this.#oldToken = this.#token;
    this.#token = token;
  }

  /** An operator's call: what it says, or its error. */
  async #ask(call: (rgs: RgsClient) => Promise<string>): Promise<string> {
    const { parties } = this;
    try {
      return await call(this.#isImpatient ? parties.operatorWithin(impatientMs) : parties.operator);
    } catch (error) {
      if (!(error instanceof RgsClientError)) throw error;
      const { status, id } = error as { status?: number; id?: number | null };
      return typeof id === 'number' ? `${status}/${id}` : 'unknown';
    }
  }
}
