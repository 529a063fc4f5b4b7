import type { Clock } from '../../../platform';
import type {
  AccountBooks,
  Act,
  BlockAct,
  BlockResult,
  BlocksResult,
  BooksQuery,
  CashOrder,
  CashPageResult,
  CashQuery,
  CashRefusal,
  CashResult,
  CorrectionOrder,
  LimitAct,
  LimitOrder,
  LimitResult,
  LimitsResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  Players,
  ReadPlayerResult,
} from '../../wallet';
import {
  checkCashQuery,
  checkCorrection,
  type CheckedOrder,
  checkNewPlayer,
  checkOrder,
  checkPlayerKey,
  maxBlocks,
  wrongCursor,
} from '../check-input';
import { orUnknown } from '../or-unknown';
import { checkLimitOrder, checkBlock } from '../check-restrictions';
import type { LimitedPlayers } from '../../wallet/limits/limited-players';
import { limitMoment } from '../../wallet/limits/moment';
import { actOfBlock, actOfOpening, actOfOrder, encodeAct } from '../codec/act';
import { BooksReader } from './books-reader';
import { encodePlace } from './codec/act';
import { decodeBlock, encodeBlock } from './codec/block';
import { encodeMoment, zonesAsked } from './codec/limits';
import { decodeMovement, encodeCash, encodeOpening } from './codec/cash';
import type { Keys } from './codec/keys';
import { decodeAccount, decodeAccounts, encodeBalance, blockOf } from './codec/record';
import { encodeTime } from './codec/time';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { DataSettings } from './connection/data-settings';
import type { Gate } from './connection/gate';
import type { RedisEvents } from './events';
import type { RedisLimits } from './limits';

/** What the players need of their store. */
interface RedisPlayersParts {
  readonly gate: Gate;
  readonly dataSettings: DataSettings;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly decimals: number;
  readonly clock: Clock;
}

/** What an act is given if a consumer of events is declared. */
type Told = { readonly stream: string; readonly event: string; readonly at: string } | null;

/** Every method is one script, and so one moment, but `books`. */
export class RedisPlayers implements Required<Players> {
  constructor(
    private readonly parts: RedisPlayersParts,
    private readonly events: RedisEvents,
    private readonly limited: LimitedPlayers,
    private readonly ownLimits: RedisLimits,
  ) {}

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const checked = checkNewPlayer(player, this.parts.decimals);
    const { currency, real, bonus } = checked;
    const { keys, clock, executor } = this.parts;
    const at = clock.now();
    const opening = encodeOpening(checked, at);
    const call = {
      ...keys.cash(checked),
      acts: keys.acts(checked),
      currency,
      balance: encodeBalance(real, bonus),
      ...opening,
      places: opening.openings.map((reference) => encodePlace(checked, 'cash', at, reference)),
      extra: this.told(checked, actOfOpening(checked), at),
    };
    return orUnknown(async () => {
      await this.parts.gate.confirmStore(); // nobody is opened again after a loss of the data
      await this.parts.dataSettings.noteMoney();
      await this.events.declare();
      const reply = await executor.run(scripts.openPlayer, call);
      const [opened, balance] = reply as [number, string];
      const account = decodeAccount(currency, balance);
      return { kind: opened === 1 ? 'opened' : 'existed', account } as const;
    });
  }

  async deposit(order: CashOrder): Promise<CashResult> {
    return this.move(checkOrder(order, 'deposit', this.parts.decimals));
  }

  async withdraw(order: CashOrder): Promise<CashResult> {
    return this.move(checkOrder(order, 'withdrawal', this.parts.decimals));
  }

  async correct(order: CorrectionOrder): Promise<CashResult> {
    return this.move(checkCorrection(order, this.parts.decimals));
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    return orUnknown(async () => {
      const reply = await readAccounts(this.parts, player);
      const accounts = decodeAccounts(reply);
      if (accounts === null) return { kind: 'noPlayer' } as const;
      return { kind: 'known', ...blockOf(reply, this.parts.clock.now()), accounts } as const;
    });
  }

  async cash(player: PlayerKey, query?: CashQuery): Promise<CashPageResult> {
    checkPlayerKey(player);
    const { before, limit } = checkCashQuery(query);
    if (before !== null && !/^\d{1,15}$/.test(before)) throw wrongCursor();
    const answer = await orUnknown(async () => {
      const call = { ...this.parts.keys.cash(player), before: before ?? '', atMost: limit };
      const reply = await this.parts.executor.run(scripts.readCash, call);
      if (reply === 'noPlayer') await this.parts.gate.confirmStore();
      return readPage(reply);
    });
    if (answer.kind === 'tooFew') throw wrongCursor();
    return answer;
  }

  books(query?: BooksQuery): AsyncIterable<AccountBooks> {
    return new BooksReader(this.parts).books(query);
  }

  async setBlocked(player: PlayerKey, blocked: boolean, act?: BlockAct): Promise<BlockResult> {
    const { clock, executor } = this.parts;
    const at = clock.now();
    const order = checkBlock(player, blocked, act, at);
    const extra = this.told(order, actOfBlock(order), at);
    const place = encodePlace(order, 'block', at);
    const acts = this.parts.keys.acts(order);
    const call = { ...this.blockKeys(order), acts, ...encodeBlock(order, at), place, extra };
    return orUnknown(async () => {
      await this.events.declare();
      const known = await executor.run(scripts.blockPlayer, call);
      if (known !== 1) await this.parts.gate.confirmStore();
      return { kind: known === 1 ? 'done' : 'noPlayer' } as const;
    });
  }

  async blocks(player: PlayerKey): Promise<BlocksResult> {
    checkPlayerKey(player);
    return orUnknown(async () => {
      const call = { ...this.blockKeys(player), atMost: maxBlocks };
      const reply = await this.parts.executor.run(scripts.readBlocks, call);
      if (reply === 'noPlayer') await this.parts.gate.confirmStore();
      if (reply === 'noPlayer') return { kind: 'noPlayer' } as const;
      const blocks = (reply as string[]).map(decodeBlock).toReversed();
      return { kind: 'known', blocks } as const;
    });
  }

  async setLimit(player: PlayerKey, limit: LimitOrder, act?: LimitAct): Promise<LimitResult> {
    return this.ownLimits.set(checkLimitOrder(player, limit, act, this.parts.decimals));
  }

  async limits(player: PlayerKey): Promise<LimitsResult> {
    checkPlayerKey(player);
    return this.ownLimits.tell(player);
  }

  private async move(order: CheckedOrder): Promise<CashResult> {
    const { keys, clock, executor } = this.parts;
    const at = clock.now();
    const extra = this.told(order, actOfOrder(order), at);
    const cash = { ...keys.cash(order), ...encodeCash(order, at) };
    const place = encodePlace(order, 'cash', at, order.reference);
    const call = { ...cash, acts: keys.acts(order), place, extra };
    return orUnknown(async () => {
      await this.events.declare();
      const known = order.kind === 'deposit' ? this.limited.zonesOf(call.account) : undefined;
      let reply = known === undefined ? await executor.run(scripts.moveCash, call) : null;
      const zones = known ?? zonesAsked(reply);
      if (zones !== null) {
        const attempt = (now: readonly string[]): Promise<unknown> => {
          const { moment } = encodeMoment(limitMoment(now, clock.now()));
          return executor.run(scripts.moveCash, { ...call, units: `${call.units}\n${moment}` });
        };
        reply = await this.limited.send(call.account, zones, attempt, zonesAsked);
      }
      const [kind, value, replay] = reply as [string, string, number];
      if (kind === 'refused') {
        if (value === 'noPlayer') await this.parts.gate.confirmStore();
        return { kind, reason: value as CashRefusal } as const;
      }
      const account = decodeAccount(order.currency, value);
      return { kind: 'done', account, replay: replay === 1 } as const;
    });
  }

  /** The event of an act. It is written whole, however many wait: nothing could say later what it was. */
  private told(player: PlayerKey, act: Act, at: number): Told {
    if (!this.events.isOn) return null;
    return { stream: this.parts.keys.events(player), event: encodeAct(act), at: encodeTime(at) };
  }

  private blockKeys(player: PlayerKey): { account: string; blocks: string } {
    const { keys } = this.parts;
    return { account: keys.account(player), blocks: keys.blocks(player) };
  }
}

function readPage(reply: unknown): CashPageResult | { readonly kind: 'tooFew' } {
  if (reply === 'noPlayer' || reply === 'tooFew') return { kind: reply };
  const [older, ...texts] = reply as [number, ...string[]];
  const movements = Array.from({ length: texts.length / 2 }, (_, at) =>
    decodeMovement(texts[2 * at] ?? '', texts[2 * at + 1] ?? ''),
  );
  const next = older === 0 ? null : String(older);
  return { kind: 'known', movements: movements.toReversed(), next };
}

/** The accounts of a player, as stored; confirms that Redis still holds the store if there are none. */
export async function readAccounts(
  { executor, keys, gate }: Pick<RedisPlayersParts, 'executor' | 'keys' | 'gate'>,
  player: PlayerKey,
): Promise<string[]> {
  const reply = await executor.run(scripts.readAccounts, { account: keys.account(player) });
  if (decodeAccounts(reply as string[]) === null) await gate.confirmStore();
  return reply as string[];
}
