import { ExactNumber, isJsonNumber, JsonText, type Writable } from '../../json';
import type {
  Balance,
  FreePlayInfo,
  FreePlays,
  GameRoundInfo,
  GameStateEntry,
  PlayerDataEntry,
  TokenData,
} from '../messages';

/** The members of an object on the wire; undefined ones are absent. */
export type Members = { readonly [name: string]: Writable };

/** tokenData (game-engine-api 2.1). */
export function tokenDataMembers({ further, ...tokenData }: TokenData): Members {
  const currencyMultiplier = decimal(tokenData.currencyMultiplier);
  return { ...further, ...present(tokenData), currencyMultiplier };
}

/** The balance (game-engine-api 2.2). */
export function balanceMembers({ further, ...balance }: Balance): Members {
  const { totalBalance, mode, currency, balances } = balance;
  return {
    ...further,
    totalBalance: units(totalBalance),
    mode: mode ?? undefined,
    currency: currency ?? undefined,
    balances: balances.map((entry) => ({
      type: entry.type,
      currency: entry.currency ?? undefined,
      amount: units(entry.amount),
    })),
    discountInfo: json(balance.discountInfo),
    tickets: json(balance.tickets),
    ticketInfo: json(balance.ticketInfo),
  };
}

/** gameRoundInfo (game-engine-api 2.6). */
export function roundInfoMembers({ further, ...info }: GameRoundInfo): Members {
  const { stake, baseStake, currencyMultiplier, ...texts } = info;
  return {
    ...further,
    ...present(texts),
    stake: units(stake),
    baseStake: decimal(baseStake),
    currencyMultiplier: decimal(currencyMultiplier),
  };
}

/** An entry of gameState (game-engine-api 2.7). */
export function entryMembers({ further, ...entry }: GameStateEntry): Members {
  const { hash, type, processedOn, result, amountWagered, collected, reason } = entry;
  return {
    ...further,
    hash,
    type,
    processedOn,
    result: { winAmount: units(result.winAmount), info: result.info },
    amountWagered: units(amountWagered),
    collected: units(collected),
    reason: reason ?? undefined,
  };
}

/** freePlayInfo and freePlaysAvailable, each absent if there is none (game-engine-api 2.4, 2.5). */
export function freePlayMembers({ freePlayInfo, freePlaysAvailable }: FreePlays): Members {
  const available = freePlaysAvailable.map((one) => ({ ...present(one), stake: units(one.stake) }));
  return {
    freePlayInfo: freePlayInfo === null ? undefined : freePlayInfoMembers(freePlayInfo),
    freePlaysAvailable: available.length === 0 ? undefined : available,
  };
}

function freePlayInfoMembers({ further, ...info }: FreePlayInfo): Members {
  return { ...further, ...present(info), won: units(info.won) };
}

/** An entry of player data (game-engine-api 2.11). */
export function playerDataMembers(entry: PlayerDataEntry): Members {
  const { playerId, gameId, currency, stake, data, updated, expires } = entry;
  return {
    playerId,
    gameId,
    currency,
    stake: units(stake),
    data: json(data),
    updated: updated ?? undefined,
    expires: expires ?? undefined,
  };
}

/** An amount as a JSON integer. */
export function units(amount: bigint | null): Writable {
  return amount === null ? undefined : new ExactNumber(String(amount));
}

/** JSON by its text. */
export function json(text: string | null): Writable {
  return text === null ? undefined : new JsonText(text);
}

/** A decimal text as a JSON number. @throws TypeError */
export function decimal(text: string | null): Writable {
  if (text === null) return undefined;
  if (!isJsonNumber(text)) throw new TypeError('a decimal text must be a JSON number');
  return new ExactNumber(text);
}

/** The members without those that are null. */
export function present(members: object): Members {
  const kept: Record<string, Writable> = {};
  for (const [name, member] of Object.entries(members)) if (member !== null) kept[name] = member;
  return kept;
}
