import assert from 'node:assert/strict';
import type { RoundHead } from '../../../operator/gameround';
import type { FollowUp } from '../../../operator/gameround/follow-up';
import type { RoundKey } from '../../../operator/wallet';
import {
  accountsOf,
  assertCommitted,
  assertHead,
  countKinds,
  freshRound,
  open,
  purseOf,
  snapshotOf,
} from '../case';
import {
  type ChangePart,
  changeOf,
  end,
  give,
  note,
  debitRecord,
  real,
  reverse,
  take,
  takeMore,
  commitFirst,
  commitNext,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';
import {
  assertFollowed,
  assertOther,
  commitInstead,
  follow,
  followUpOf,
  runningRound,
  stateOf,
  twinOf,
} from './case';

/** What the round is before a follow-up; every one is of its class. */
const rounds: Readonly<Record<string, readonly Commit[]>> = {
  'just opened': [[[take('d', 10n)]]],
  'opened with more than its row may hold': [
    [[take('d', 10n), ...Array.from({ length: 40 }, (_, at) => give(`c${at}`, real(1n)))]],
  ],
  'played for a while': [
    [[take('d', 10n), give('c', real(3n))], { credited: 1 }],
    [[takeMore('e', 20n), give('f', real(7n))], { credited: 2, ended: 5, changedAt: 77 }],
  ],
  'cancelled before, and resumed': [
    [[take('d', 10n)]],
    [[note('e', debitRecord(5n, { first: false, outcome: 'unanswered' }))], { ...cancelled() }],
    [[reverse('e', real(0n))], { resume: 'open' }],
  ],
};

/** What only the round of a player with a bonus balance can be. */
const bonusRounds: Readonly<Record<string, readonly Commit[]>> = {
  'that both balances paid and won': [
    [[take('d', 120n), give('c', { real: 90n, bonus: 5n })]],
    [[takeMore('e', 15n, { bonusFirst: true }), give('f', { real: 8n, bonus: 50n })]],
  ],
};

type Commit = readonly [parts: readonly ChangePart[], after?: Partial<RoundHead>];

/** What is added to it. */
const followUps: Readonly<Record<string, FollowUp>> = {
  'a credit': followUpOf([give('1', real(5n))]),
  'a credit of nothing': followUpOf([give('1', real(0n))]),
  'a credit and an end': followUpOf([give('1', real(5n)), end('2')]),
  'an end': followUpOf([end('1')]),
  'a debit': followUpOf([takeMore('1', 30n)]),
  'a debit of nothing': followUpOf([takeMore('1', 0n)]),
  'a debit, a credit and an end': followUpOf([takeMore('1', 80n), give('2', real(500n)), end('3')]),
  'debits and credits in turn': followUpOf([
    takeMore('1', 30n),
    give('2', real(60n)),
    takeMore('3', 100n),
    give('4', real(1n)),
  ]),
  'many debits and credits': followUpOf(
    Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0 ? takeMore(`1-${at}`, 2n) : give(`1-${at}`, real(1n)),
    ),
  ),
};

/** What only a player with a bonus balance can have. */
const bonusFollowUps: Readonly<Record<string, FollowUp>> = {
  ...followUps,
  'a debit that both balances pay': followUpOf([takeMore('1', 135n)]),
  'a debit that the bonus pays first': followUpOf([takeMore('1', 50n, { bonusFirst: true })]),
  'debits that either pays first, and credits to both': followUpOf([
    takeMore('1', 50n, { bonusFirst: true }),
    give('2', { real: 4n, bonus: 9n }),
    takeMore('3', 60n),
    end('4'),
  ]),
};

/** A follow-up does what a load and a commit of the same change do. */
export function alikeRules(it: Case<ContractWallet>): void {
  for (const [name, commits] of Object.entries(rounds)) {
    it(`a round ${name}: a follow-up leaves all as its commit does`, async (wallet) => {
      for (const [what, followUp] of Object.entries(followUps)) {
        await assertAlike(wallet, commits, followUp, `${what}, in a round ${name}`);
      }
    });
  }

  it('its differences are added to the head, and its accounts are answered', async (wallet) => {
    const { store, players } = wallet;
    const round = await runningRound(wallet);
    await open(players, round, 'USD', 7n);
    const before = (await snapshotOf(store, round)).head;
    const first = followUpOf([takeMore('e', 20n), give('c', real(3n))]);
    const returned = assertFollowed(await follow(store, round, first));
    const accounts = [
      { currency: 'EUR', real: 73n, bonus: null },
      { currency: 'USD', real: 7n, bonus: null },
    ];
    assert.deepEqual(await accountsOf(store, round), accounts);
    if (returned.length > 0) assert.deepEqual(returned, accounts);
    const after = { ...before, debits: real(30n), credits: real(3n), credited: 1 };
    assertHead((await snapshotOf(store, round)).head, { ...after, version: before.version + 1 });
    const last = followUpOf([give('f', real(4n)), end('x')], { changedAt: 99 });
    assertFollowed(await follow(store, round, last));
    const closed = { state: 'closed', changedAt: 99, credits: real(7n), credited: 2 } as const;
    const { head, entries } = await snapshotOf(store, round, ['c', 'd', 'e', 'f', 'x']);
    assertHead(head, { ...after, ...closed, ended: 1, version: before.version + 2 });
    assert.deepEqual([...entries.keys()].toSorted(), ['c', 'd', 'e', 'f', 'x']);
    assert.deepEqual(entries.get('e')?.transaction, {
      ...debitRecord(20n, { first: false }),
      purse: real(20n),
    });
  });

  it('a commit that was decided before it is stale', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    const { head } = await snapshotOf(store, round);
    assertFollowed(await follow(store, round, followUpOf([give('c', real(5n))])));
    const change = changeOf(head, [takeMore('late', 1n)]);
    assert.deepEqual(await store.rounds.commit(round, change), { kind: 'stale' });
    assert.deepEqual(await purseOf(store, round), real(95n));
  });

  it('executed twice, or a third time much later, it is written once', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    const followUp = followUpOf([takeMore('e', 20n), give('c', real(3n))]);
    assertFollowed(await follow(store, round, followUp));
    await assertOther(wallet, round, followUp, 'executed twice');
    assertFollowed(await follow(store, round, followUpOf([give('f', real(4n))])));
    await assertOther(wallet, round, followUp, 'executed later');
    assertFollowed(await follow(store, round, followUpOf([end('x')])));
    await assertOther(wallet, round, followUp, 'executed after the end');
    assert.deepEqual(await purseOf(store, round), real(77n));
  });

  it('sent several times at once it is written once', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    for (const turn of [1, 2, 3]) {
      const followUp = followUpOf([takeMore(`e${turn}`, 2n), give(`c${turn}`, real(1n))]);
      const results = await Promise.all(
        Array.from({ length: 8 }, () => follow(store, round, followUp)),
      );
      assert.deepEqual(countKinds(results), { committed: 1, other: 7 });
    }
    const { head } = await snapshotOf(store, round);
    assert.deepEqual([head.debits, head.credits, head.credited], [real(16n), real(3n), 3]);
    assert.deepEqual(await purseOf(store, round), real(87n));
  });

  it('of several at once, and commits, each is written whole or not', async (wallet) => {
    const { store } = wallet;
    const round = await runningRound(wallet);
    for (const turn of [1, 2, 3]) {
      const { head } = await snapshotOf(store, round);
      const ids = Array.from({ length: 6 }, (_, at) => `${turn}-${at}`);
      const results = await Promise.all(
        ids.map((id, at) => {
          const parts = [takeMore(`e${id}`, 2n), give(`c${id}`, real(1n))];
          const after = { credited: head.credited + 1 };
          return at === 0
            ? store.rounds.commit(round, changeOf(head, parts, after))
            : follow(store, round, followUpOf(parts));
        }),
      );
      const kinds = results.map(({ kind }) => kind);
      const written = ids.filter((_, at) => kinds[at] === 'committed');
      assert.ok(written.length > 0, 'at least one must be written');
      const after = await snapshotOf(store, round, ids.map((id) => [`e${id}`, `c${id}`]).flat());
      const expected = written.flatMap((id) => [`c${id}`, `e${id}`]).toSorted();
      assert.deepEqual([...after.entries.keys()].toSorted(), expected);
      const count = BigInt(written.length);
      assert.deepEqual(after.head.debits, real(head.debits.real + 2n * count));
      assert.deepEqual(after.head.credits, real(head.credits.real + count));
      assert.equal(after.head.credited, head.credited + written.length);
      const moved = 100n - after.head.debits.real + after.head.credits.real;
      assert.deepEqual(await purseOf(store, round), real(moved));
    }
  });
}

/** The same for players who have bonus money. */
export function bonusAlikeRules(it: Case<ContractWallet>): void {
  it('with a bonus balance a follow-up leaves all as its commit does', async (wallet) => {
    for (const [name, commits] of Object.entries({ ...rounds, ...bonusRounds })) {
      for (const [what, followUp] of Object.entries(bonusFollowUps)) {
        await assertAlike(wallet, commits, followUp, `${what}, in a round ${name}`, 60n);
      }
    }
  });
}

/** Plays it to two rounds alike, once as a follow-up, once by a load and a commit. */
async function assertAlike(
  wallet: ContractWallet,
  commits: readonly Commit[],
  followUp: FollowUp,
  what: string,
  bonus?: bigint,
): Promise<void> {
  const { store } = wallet;
  const round = freshRound();
  const twin = twinOf(round);
  for (const one of [round, twin]) await prepare(wallet, one, commits, bonus);
  const hashes = ['d', 'e', ...followUp.hashes];
  const returned = assertFollowed(await follow(store, round, followUp));
  assert.deepEqual(returned, assertCommitted(await commitInstead(store, twin, followUp)), what);
  assert.deepEqual(await stateOf(wallet, round, hashes), await stateOf(wallet, twin, hashes), what);
}

async function prepare(
  { store, players }: ContractWallet,
  round: RoundKey,
  commits: readonly Commit[],
  bonus?: bigint,
): Promise<void> {
  await open(players, round, 'EUR', 100n, bonus);
  const [[opening, after] = [[]], ...others] = commits;
  await commitFirst(store, round, opening, after);
  for (const [parts, next] of others) {
    await commitNext(store, round, parts, next);
  }
}

function cancelled(): Partial<RoundHead> {
  return { state: 'cancelled', resume: 'open', unanswered: 1 };
}
