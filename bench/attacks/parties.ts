import { inspect } from 'node:util';
import { createOperatorHandler } from '../../lib/operator/http/handler';
import { createMemoryStore } from '../../lib/operator/stores/memory';
import type { AccountStore, WalletStore } from '../../lib/operator/wallet';
import { type Clock, createSeededRandom, type Logger } from '../../lib/platform';
import type { RequestListener } from '../../lib/platform/http';
import { EngineRefusedError } from '../../lib/protocol/engine-api/errors';
import { createGameProviderHandler } from '../../lib/provider/http/handler';
import { createEngineHandler } from '../../lib/rgs/http/engine';
import type { Api } from './inputs/input';
import {
  clockToleranceMs,
  currency,
  nextSecret,
  operatorId,
  players,
  providerId,
  providerSecret,
  rivalId,
  rivalSecret,
  secret,
  startAmount,
} from './inputs/terms';

/** What stands between the inputs and a listener: nothing, or a fault that is planted. */
export type Front = (listener: RequestListener, api: Api, logger: Logger) => RequestListener;

/** What a line of the log says. */
export type LogLine = (level: 'info' | 'warn' | 'error', text: string) => void;

const untouched: Front = (listener) => listener;

/** The three handlers that are called: whole, as they are mounted in production. */
export class Parties {
  readonly listeners: Readonly<Record<Api, RequestListener>>;
  /** Calls that have reached the service or the handlers behind the Game Engine API. */
  reached = 0;
  nowMs = 0;
  private store: AccountStore = createMemoryStore();
  private readonly clock: Clock = {
    now: () => this.nowMs,
    monotonicMs: () => this.nowMs,
    // All that is behind the handlers answers at once, so nothing waits.
    pause: () => Promise.resolve(),
    after: () => () => {},
  };

  constructor(
    private readonly onLine: LogLine,
    front: Front = untouched,
  ) {
    const { logger } = this.common();
    this.listeners = {
      wallet: front(this.wallet(), 'wallet', logger),
      engine: front(this.engine(), 'engine', logger),
      provider: front(this.provider(), 'provider', logger),
    };
  }

  /** Begins anew: rounds and hashes of before are forgotten, and each player has the start again. */
  async begin(): Promise<void> {
    this.store = createMemoryStore({ clock: this.clock });
    for (const playerId of players) {
      const balances = { real: startAmount };
      await this.store.players.openPlayer({ operatorId, playerId, currency, balances });
    }
  }

  /** One handler for a whole run, over the store of the moment: what it keeps of a request adds up. */
  private wallet(): RequestListener {
    const store: WalletStore = {
      decimals: this.store.decimals,
      unit: this.store.unit,
      ready: () => this.store.ready(),
      rounds: {
        load: (round, hashes) => this.store.rounds.load(round, hashes),
        commit: (round, change) => this.store.rounds.commit(round, change),
        follow: (round, followUp) =>
          this.store.rounds.follow?.(round, followUp) ?? Promise.reject(new Error('no follow')),
        accounts: (player) => this.store.rounds.accounts(player),
        readRound: (round) => this.store.rounds.readRound(round),
      },
      lists: { attention: (asked) => this.store.lists.attention(asked) },
      close: () => this.store.close(),
    };
    const { handle } = createOperatorHandler({
      store,
      operators: [
        { operatorId, secrets: [secret, nextSecret] },
        { operatorId: rivalId, secrets: [rivalSecret] },
      ],
      ...this.common(),
      logTransactions: true,
    });
    return handle;
  }

  private engine(): RequestListener {
    const refuse = async (): Promise<never> => {
      this.reached++;
      throw new EngineRefusedError('GAMEROUNDNOTFOUND', 'E12');
    };
    const { logger, ...common } = this.common();
    const { handle } = createEngineHandler({
      service: { call: refuse, connect: refuse, reconnect: refuse, disconnect: refuse },
      providers: [{ gameProviderId: providerId, secrets: [providerSecret] }],
      onCall: (event) => {
        const fields = { ...event, request: null };
        if (event.status >= 500) logger.error(fields, 'a call failed');
        else logger.info(fields, 'answered');
      },
      ...common,
    });
    return handle;
  }

  private provider(): RequestListener {
    const none = (): null => {
      this.reached++;
      return null;
    };
    const { handle } = createGameProviderHandler({
      providers: [{ gameProviderId: providerId, secrets: [providerSecret] }],
      getGameResult: none,
      getGameConfiguration: none,
      ...this.common(),
    });
    return handle;
  }

  private common() {
    const line =
      (level: 'info' | 'warn' | 'error') =>
      (fields: object, message: string): void =>
        this.onLine(level, `${message} ${textOf(fields)}`);
    return {
      clock: this.clock,
      clockToleranceMs,
      random: createSeededRandom(1),
      logger: { info: line('info'), warn: line('warn'), error: line('error') },
    };
  }
}

/** All that a logger would write. */
function textOf(fields: object): string {
  return JSON.stringify(fields, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return value instanceof Error ? inspect(value) : value;
  });
}
