import type { Clock } from '../../../platform';
import type {
  AccountsResult,
  BlockResult,
  BlocksResult,
  CashPageResult,
  CashQuery,
  CashRefusal,
  CashResult,
  NewPlayer,
  OpenPlayerResult,
  PlayerKey,
  ReadPlayerResult,
  Unknown,
} from '../../wallet';
import { StoreUnavailableError } from '../../wallet';
import {
  checkCashQuery,
  type CheckedBlock,
  type CheckedOrder,
  checkNewPlayer,
  checkPlayerKey,
  maxBlocks,
  wrongCursor,
} from '../check-input';
import { decodeBlock, encodeBlock } from './codec/block';
import { decodeMovement, encodeCash, encodeOpening } from './codec/cash';
import type { Keys } from './codec/keys';
import { decodeAccount, decodeAccounts, encodeBalance, isBlocked } from './codec/record';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { DataSettings } from './connection/data-settings';
import type { Gate } from './connection/gate';

/** What the commands on accounts need of their store. */
export interface AccountCommandsParts {
  readonly gate: Gate;
  readonly dataSettings: DataSettings;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly decimals: number;
  readonly clock: Clock;
}

/** Accounts that are opened, read and blocked, and their cash. */
export class AccountCommands {
  constructor(private readonly parts: AccountCommandsParts) {}

  async openPlayer(player: NewPlayer): Promise<OpenPlayerResult> {
    const checked = checkNewPlayer(player, this.parts.decimals);
    const { currency, real, bonus } = checked;
    const { keys, clock, executor } = this.parts;
    const call = {
      ...keys.cash(checked),
      currency,
      balance: encodeBalance(real, bonus),
      ...encodeOpening(checked, clock.now()),
    };
    return orUnknown(async () => {
      await this.parts.gate.confirmStore(); // nobody is opened again after a loss of the data
      await this.parts.dataSettings.noteMoney();
      const reply = await executor.run(scripts.openPlayer, call);
      const [opened, balance] = reply as [number, string];
      const account = decodeAccount(currency, balance);
      return { kind: opened === 1 ? 'opened' : 'existed', account } as const;
    });
  }

  async accounts(player: PlayerKey): Promise<AccountsResult> {
    checkPlayerKey(player);
    return orUnknown(async () => {
      const accounts = decodeAccounts(await this.read(player));
      return { kind: 'known', accounts } as const;
    });
  }

  async readPlayer(player: PlayerKey): Promise<ReadPlayerResult> {
    checkPlayerKey(player);
    return orUnknown(async () => {
      const reply = await this.read(player);
      const accounts = decodeAccounts(reply);
      if (accounts === null) return { kind: 'noPlayer' } as const;
      return { kind: 'known', blocked: isBlocked(reply), accounts } as const;
    });
  }

  async move(order: CheckedOrder): Promise<CashResult> {
    const { keys, clock, executor } = this.parts;
    const call = { ...keys.cash(order), ...encodeCash(order, clock.now()) };
    return orUnknown(async () => {
      const reply = await executor.run(scripts.moveCash, call);
      const [kind, value, replay] = reply as [string, string, number];
      if (kind === 'refused') {
        if (value === 'noPlayer') await this.parts.gate.confirmStore();
        return { kind, reason: value as CashRefusal } as const;
      }
      const account = decodeAccount(order.currency, value);
      return { kind: 'done', account, replay: replay === 1 } as const;
    });
  }

  async page(player: PlayerKey, query?: CashQuery): Promise<CashPageResult> {
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

  async block(order: CheckedBlock): Promise<BlockResult> {
    const { clock, executor } = this.parts;
    const call = { ...this.blockKeys(order), ...encodeBlock(order, clock.now()) };
    return orUnknown(async () => {
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

  private async read(player: PlayerKey): Promise<string[]> {
    const { executor, keys, gate } = this.parts;
    const reply = await executor.run(scripts.readAccounts, { account: keys.account(player) });
    if (decodeAccounts(reply as string[]) === null) await gate.confirmStore();
    return reply as string[];
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

/** A store that does not answer, or is not safe, leaves the outcome unknown (D7). */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await work();
  } catch (error) {
    const cause =
      error instanceof Error ? error : new StoreUnavailableError('Redis failed without an error.');
    return { kind: 'unknown', cause };
  }
}
