import { createSeededRandom } from '../../../lib/platform';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import type { EngineCall, EngineRequests } from '../../../lib/protocol/engine-api/requests';
import { EngineRefusedError } from '../../../lib/protocol/engine-api/errors';
import type { EngineReplies, RoundReply } from '../../../lib/protocol/engine-api/replies';
import type { RngResult, StartGameRound } from '../../../lib/protocol/engine-api/calls';
import { createMemoryJournal, type MemoryJournal } from '../../../lib/rgs/journal/memory';
import type { Journal } from '../../../lib/rgs/journal/port';
import { createRgsService, type RgsService } from '../../../lib/rgs/service/calls';
import type { ProviderLine, WalletLine } from '../../../lib/rgs/ports';
import type { LaunchRequest } from '../../../lib/protocol/operator-api/served-messages';
import type { RgsServiceOptions, ServiceFinding } from '../../../lib/rgs/service/core/options';
import type { Process } from './mortal';
import { Purse } from './purse';

/** 1 March 2026, noon. */
export const noon = Date.UTC(2026, 2, 1, 12);

const draw: RngResult = { rngCallId: null, result: null, winAmount: null, betData: {} };

/** A service in memory with a purse, on a clock that leaps; `ann` plays `bells`. */
export class Rig {
  readonly clock = new VirtualClock(noon);
  readonly purse = new Purse((ms) => this.clock.pause(ms));
  readonly findings: ServiceFinding[] = [];
  /** What the provider does on doAutoClose. */
  onAutoClose: (gameRound: string) => Promise<void> = async () => {};
  service!: RgsService;
  #random = createSeededRandom(1);
  #killed: Promise<never> | null = null;

  private constructor(
    public journal: Journal,
    readonly options: Partial<RgsServiceOptions>,
    readonly line: Partial<ProviderLine>,
  ) {}

  static async start(
    options: Partial<RgsServiceOptions> = {},
    line: Partial<ProviderLine> = {},
  ): Promise<Rig> {
    const rig = new Rig(options.journal ?? createMemoryJournal(), options, line);
    await rig.restart(rig.journal);
    return rig;
  }

  /** With a player who has just launched a game and connected. */
  static async seated(...options: Parameters<typeof Rig.start>) {
    const rig = await Rig.start(...options);
    return { rig, token: await rig.token() };
  }

  /** A service in this process: after a kill the one before it reaches nothing any more. */
  restartIn(process: Process, wallet = process.line(this.purse)): Promise<void> {
    this.#killed = process.killed;
    return this.restart(process.journal(), wallet);
  }

  /** A service on this journal; the one before it is abandoned. */
  async restart(journal: Journal, wallet: WalletLine = this.purse): Promise<void> {
    this.journal = journal;
    this.service = await createRgsService({
      wallet,
      provider: this.provider(),
      games: [
        { gameCode: 'bells', gameProviderId: 'studio', name: 'Bells', launchUrl: 'http://g/bells' },
        { gameCode: 'wheel', gameProviderId: 'studio', name: 'Wheel', launchUrl: 'http://g/wheel' },
        { gameCode: 'dice', gameProviderId: 'other', name: 'Dice', launchUrl: 'http://g/dice' },
      ],
      operators: [{ operatorId: 'casino' }],
      engineUrl: () => 'http://rgs/gameapi/v2',
      clock: this.clock,
      realClock: this.clock,
      random: this.#random,
      onFinding: (finding) => this.findings.push(finding),
      ...this.options,
      journal,
    });
  }

  /** The journal as a process finds it that starts after this one was killed. */
  reopened(): MemoryJournal {
    if (!('reopen' in this.journal)) throw new Error('the journal is not in memory');
    return (this.journal as MemoryJournal).reopen();
  }

  provider(): ProviderLine {
    return {
      getGameConfiguration: async () => ({ kind: 'silent' }),
      doAutoClose: async ({ gameRound }) => {
        await this.onAutoClose(gameRound);
        return { kind: 'answered', value: null };
      },
      getGameResult: async () => ({ kind: 'silent' }),
      health: async () => ({ kind: 'silent' }),
      certifiedFiles: async () => ({ kind: 'silent' }),
      ...this.line,
    };
  }

  /** Lets time pass until the work is done. @throws Killed if its process is killed before. */
  run<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(this.#killed === null ? work : Promise.race([work, this.#killed]));
  }

  /** getGameURL. */
  launch(
    playerId: string | null = 'ann',
    gameCode = 'bells',
    mode: LaunchRequest['mode'] = 'REAL',
    more: Partial<LaunchRequest> = {},
  ): ReturnType<RgsService['getGameURL']> {
    return this.run(
      this.service.getGameURL('casino', {
        playerId,
        currency: 'EUR',
        gameCode,
        language: 'en',
        mode,
        profile: null,
        options: {},
        externalSessionId: null,
        device: null,
        ...more,
      }),
    );
  }

  /** The token of a launch URL. */
  static tokenIn(url: string): string {
    return new URL(url).searchParams.get('token') ?? '';
  }

  /** A session: launched and connected. */
  async token(...launch: Parameters<Rig['launch']>): Promise<string> {
    const { url } = await this.launch(...launch);
    const { token } = await this.run(this.service.connect(Rig.tokenIn(url)));
    this.purse.sent.length = 0;
    return token;
  }

  call<Name extends EngineCall>(
    name: Name,
    request: EngineRequests[Name],
    gameProviderId = 'studio',
  ): Promise<EngineReplies[Name]> {
    return this.service.call(gameProviderId, name, request);
  }

  /** What the call is answered: the round in short, or the error's id. */
  async told(call: Promise<RoundReply>): Promise<string> {
    try {
      const { gameRoundInfo, passThroughData, ...reply } = await this.run(call);
      const pending = passThroughData['creditPending'];
      return [
        `${gameRoundInfo.status} (${passThroughData['outcome']})`,
        `stake ${gameRoundInfo.stake}`,
        `open ${reply.amountToCollect}`,
        `credited ${reply.amountCredited}`,
        ...(pending === '0' ? [] : [`pending ${pending}`]),
      ].join(', ');
    } catch (error) {
      return failureOf(error);
    }
  }

  /** The status and id of what a call is refused with. */
  async failure(call: Promise<unknown>): Promise<string> {
    try {
      await this.run(call);
      return 'no failure';
    } catch (error) {
      return failureOf(error);
    }
  }

  start(token: string, gameRound: string | null, stake: number, more: StartMore = {}) {
    return this.call('startGameRound', startOf('startGameRound', token, gameRound, stake, more));
  }

  bet(token: string, gameRound: string, key: string, stake: number, more: StartMore = {}) {
    const full = { key, ...more };
    return this.call(
      'startGameOrAddBet',
      startOf('startGameOrAddBet', token, gameRound, stake, full),
    );
  }

  win(
    token: string,
    gameRound: string,
    amount: number,
    collect = false,
    key: string | null = null,
  ) {
    return this.call('addWin', {
      call: 'addWin',
      token,
      gameRound,
      rngResult: { ...draw, winAmount: BigInt(amount) },
      collect,
      externalGameProviderTransactionId: key,
      jackpotPayout: [],
    });
  }

  wager(
    token: string,
    gameRound: string,
    amount: number,
    outcome: number,
    key: string | null = null,
  ) {
    return this.call('wagerWin', {
      call: 'wagerWin',
      token,
      gameRound,
      rngResult: { ...draw, winAmount: BigInt(outcome) },
      wagerInformation: {
        wagerAmount: BigInt(amount),
        winAmount: null,
        currency: 'EUR',
        status: null,
        externalGameProviderTransactionId: key,
        jackpotPayout: [],
      },
    });
  }

  collect(token: string, gameRound: string, amount: number, key: string | null = null) {
    return this.call('collectWin', {
      call: 'collectWin',
      token,
      gameRound,
      amount: BigInt(amount),
      externalGameProviderTransactionId: key,
    });
  }

  end(token: string, gameRound: string) {
    return this.call('endGameRound', {
      call: 'endGameRound',
      token,
      gameRound,
      externalGameProviderTransactionId: null,
    });
  }

  void(token: string, gameRound: string, key: string | null = null) {
    return this.call('voidGameRound', {
      call: 'voidGameRound',
      token,
      gameRound,
      externalGameProviderTransactionId: key,
    });
  }

  info(token: string, gameRound: string) {
    return this.call('getGameRoundInfo', { token, gameRound });
  }
}

/** What a start may have beside its stake. */
export interface StartMore {
  readonly key?: string;
  readonly endGame?: boolean;
  readonly credit?: number;
  readonly closeOpenGame?: boolean;
  readonly useTicket?: boolean;
}

function startOf(
  call: StartGameRound['call'],
  token: string,
  gameRound: string | null,
  stake: number,
  { key, endGame = false, credit, closeOpenGame = false, useTicket = false }: StartMore,
): EngineRequests['startGameRound'] {
  return {
    call,
    token,
    rngResult: draw,
    debitInformation: {
      debitAmount: BigInt(stake),
      currency: 'EUR',
      externalGameProviderTransactionId: key ?? null,
      useTicket,
    },
    creditInformation:
      credit === undefined
        ? null
        : {
            creditAmount: BigInt(credit),
            currency: 'EUR',
            externalGameProviderTransactionId: null,
            jackpotPayout: [],
          },
    endGame,
    closeOpenGame,
    useJackpot: false,
    externalGameProviderRoundId: gameRound,
  };
}

function failureOf(error: unknown): string {
  if (error instanceof EngineRefusedError) return `${error.status}/${error.errorObject.id}`;
  throw error;
}
