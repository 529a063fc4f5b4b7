import assert from 'node:assert/strict';
import type { AttentionEntry, WalletStore } from '../../operator/wallet';
import { makeContractWallet } from '../subject/one-operator';
import type { ContractWallet, StoreSuiteOptions } from '../subject/players';
import { systemRandom, wholeBelow } from '../../platform/random';
import { toText } from '../oracle/broken-rule';
import { describeHistory, type HistoryPlayer, withoutBonus } from './action';
import { checkStatusHistory } from './by-status';
import { generateHistory, generateStatusHistory, generateVoidedCall } from './generator';
import { runHistory } from './run';
import { freshId } from '../subject/runner';
import { checkVoidedCall } from './void-orders';

/** Options of {@link walletStoreHistories}. */
export interface WalletStoreHistoriesOptions extends StoreSuiteOptions {
  /** Whether players may have bonus money besides real money; true unless set. */
  readonly hasBonus?: boolean;
  /** Number of histories; 300 unless set. */
  readonly histories?: number;
  /** Seed of the first history, later ones count up from it; random unless set. A failure prints its own. */
  readonly seed?: number;
}

const historiesPerCase = 50;
const historiesAtOnce = 10;

/**
 * Plays random histories to a store, through the rules of a round as the router does: several players and
 * rounds concurrently, resends, reused hashes, voids before their debit, lost answers. After every step it
 * compares the answers with what the store keeps and the balances it shows. It also voids all debits of
 * random calls, before and after the call (D5.3), and plays an RGS that decides debits by the status of the reply, whose
 * books must be the wallet's (D4.6).
 */
export function walletStoreHistories(options: WalletStoreHistoriesOptions): void {
  const { runner, createStore, hasBonus = true } = options;
  const { histories = 300, seed = wholeBelow(systemRandom, 2 ** 31) } = options;
  runner.describe('a wallet store under random histories', () => {
    const operatorId = freshId('operator');
    const expected: AttentionEntry[] = [];
    let made: Promise<ContractWallet> | null = null;
    const wallet = (): Promise<ContractWallet> => {
      made ??= makeContractWallet(createStore, { decimals: 4, retentionMs: 3_600_000 });
      return made;
    };
    for (let first = 0; first < histories; first += historiesPerCase) {
      const end = Math.min(first + historiesPerCase, histories);
      const seeds = [seed + first, seed + end] as const;
      runner.it(`keeps its books in histories ${first + 1} to ${end}`, async () => {
        await playSeeds(...seeds, async (next) => {
          const generated = generateHistory(next);
          const history = hasBonus ? generated : withoutBonus(generated);
          const playing = runHistory(await wallet(), operatorId, history);
          expected.push(...(await telling(next, describeHistory(history), playing)));
        });
      });
      runner.it(`voids calls ${first + 1} to ${end} to the same before and after`, async () => {
        await playSeeds(...seeds, async (next) => {
          const voided = ofPlayer(generateVoidedCall(next), hasBonus);
          const playing = checkVoidedCall(await wallet(), freshId('operator'), voided);
          await telling(next, toText(voided), playing);
        });
      });
      runner.it(
        `agrees with an RGS that decides by the status ${first + 1} to ${end}`,
        async () => {
          await playSeeds(...seeds, async (next) => {
            const history = ofPlayer(generateStatusHistory(next), hasBonus);
            const playing = checkStatusHistory(await wallet(), freshId('operator'), history);
            await telling(next, toText(history), playing);
          });
        },
      );
    }
    runner.it('lists the rounds of these histories that need attention', async () => {
      await checkAttention((await wallet()).store, operatorId, expected);
    });
    runner.afterAll(async () => (await made)?.store.close());
  });
}

/** Plays seeds, some concurrently. */
async function playSeeds(
  from: number,
  end: number,
  play: (seed: number) => Promise<void>,
): Promise<void> {
  const seeds = Array.from({ length: end - from }, (_, at) => from + at);
  const work = async (): Promise<void> => {
    for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) await play(next);
  };
  await Promise.all(Array.from({ length: historiesAtOnce }, work));
}

/** The same for a player without bonus money, where the store keeps none. */
function ofPlayer<T extends { readonly player: HistoryPlayer }>(played: T, hasBonus: boolean): T {
  return hasBonus ? played : { ...played, player: { ...played.player, bonus: null } };
}

/** An error names the seed and what it played. */
async function telling<T>(seed: number, played: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`Seed ${seed} fails: ${String(error)}\n${played}`, { cause: error });
  }
}

/** The operator's attention list must hold exactly these rounds. */
export async function checkAttention(
  store: WalletStore,
  operatorId: string,
  expected: readonly AttentionEntry[],
): Promise<void> {
  const listed: AttentionEntry[] = [];
  for await (const entry of store.lists.attention(operatorId)) listed.push(entry);
  assert.deepEqual(namesOf(listed), namesOf(expected));
}

function namesOf(entries: readonly AttentionEntry[]): string[] {
  return entries
    .map(({ playerId, gameRound, state }) => `${playerId} ${gameRound} ${state}`)
    .toSorted();
}
