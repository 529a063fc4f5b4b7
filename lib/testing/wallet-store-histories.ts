import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { AttentionEntry, AccountStore } from '../wallet';
import { describeHistory } from './history';
import { generateHistory } from './history-generator';
import { runHistory } from './history-run';
import type { CreateContractAccountStore } from './account-store-contract';
import { type ContractRunner, freshId } from './contract-case';

/** What {@link walletStoreHistories} is given. */
export interface WalletStoreHistoriesOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Makes a store with these options; the suite closes it. */
  readonly createStore: CreateContractAccountStore;
  /** How many histories; 300 unless set. */
  readonly histories?: number;
  /** Of the first history, those after it count on from there; at random unless set. A failure tells its own. */
  readonly seed?: number;
}

const historiesPerCase = 50;
const historiesAtOnce = 10;

/**
 * Plays random histories to a store, through the rules of a round as the router does: several
 * players and rounds at once, resends, reused hashes, voids before their debit, lost answers. After
 * every step what was answered is held against what the store keeps and the balances it shows.
 */
export function walletStoreHistories(options: WalletStoreHistoriesOptions): void {
  const { runner, createStore, histories = 300, seed = randomInt(2 ** 31) } = options;
  runner.describe('a wallet store under random histories', () => {
    const operatorId = freshId('operator');
    const expected: AttentionEntry[] = [];
    let made: Promise<AccountStore> | null = null;
    const store = (): Promise<AccountStore> => {
      made ??= makeStore(createStore);
      return made;
    };
    for (let first = 0; first < histories; first += historiesPerCase) {
      const end = Math.min(first + historiesPerCase, histories);
      runner.it(`keeps its books in histories ${first + 1} to ${end}`, async () => {
        const seeds = Array.from({ length: end - first }, (_, at) => seed + first + at);
        const play = async (): Promise<void> => {
          for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
            expected.push(...(await playSeed(await store(), operatorId, next)));
          }
        };
        await Promise.all(Array.from({ length: historiesAtOnce }, play));
      });
    }
    runner.it('lists the rounds of these histories that need attention', async () => {
      await checkAttention(await store(), operatorId, expected);
    });
    runner.afterAll(async () => (await made)?.close());
  });
}

/** The operator's attention list must hold exactly these rounds. */
export async function checkAttention(
  store: AccountStore,
  operatorId: string,
  expected: readonly AttentionEntry[],
): Promise<void> {
  const listed: AttentionEntry[] = [];
  for await (const entry of store.attention(operatorId)) listed.push(entry);
  assert.deepEqual(namesOf(listed), namesOf(expected));
}

async function playSeed(
  store: AccountStore,
  operatorId: string,
  seed: number,
): Promise<AttentionEntry[]> {
  const history = generateHistory(seed);
  try {
    return await runHistory(store, operatorId, history);
  } catch (error) {
    const text = `The history of seed ${seed} fails: ${String(error)}\n${describeHistory(history)}`;
    throw new Error(text, { cause: error });
  }
}

async function makeStore(createStore: CreateContractAccountStore): Promise<AccountStore> {
  const store = await createStore({ decimals: 4, retentionMs: 3_600_000 });
  await store.ready();
  return store;
}

function namesOf(entries: readonly AttentionEntry[]): string[] {
  return entries
    .map(({ playerId, gameRound, state }) => `${playerId} ${gameRound} ${state}`)
    .toSorted();
}
