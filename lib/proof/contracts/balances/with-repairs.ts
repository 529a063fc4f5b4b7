import assert from 'node:assert/strict';
import { keepsMoney, type ContractWallet } from '../../subject/players';
import { RoundPlay, voidOf } from '../repairs/round-play';
import type { Case } from '../suite';
import { assertLines, deposit, jsonOf, textOf } from './lines';

const stranded = ['d 90', 'e 90', 'c 90'] as const;

/** The balance after the decision of a repair. */
export function repairRules(check: Case<ContractWallet>): void {
  check('a repair has it from its decision on', async (wallet) => {
    const play = await apart(wallet);
    await deposit(play, 5n);
    const id = await play.proposed({ kind: 'pay', hash: 'c' });
    await assertRepairs(play, ['-']);
    await play.approve(id);
    await deposit(play, 5n);
    await assertLines(play, stranded);
    await assertRepairs(play, ['120']);
  });

  check('a void that takes a repair back has its own', async (wallet) => {
    const play = await apart(wallet);
    await play.repaired({ kind: 'pay', hash: 'c' });
    play.waitMs(1000);
    await play.call(voidOf('d'));
    await assertLines(play, [...stranded, 'void d 100']);
    await assertRepairs(play, ['115']);
  });

  check('a void by a person has it as the void of the RGS has', async (wallet) => {
    const play = await apart(wallet);
    await play.repaired({ kind: 'void', hash: 'd' });
    await deposit(play, 5n);
    await assertLines(play, [...stranded, 'void d 100']);
  });

  check('what is settled elsewhere or rejected moves nothing, and has it', async (wallet) => {
    const play = await apart(wallet);
    await play.repaired({ kind: 'resolve', reference: 'ticket 4711' });
    await deposit(play, 5n);
    await assertRepairs(play, ['90']);
  });
}

/** A stranded round; the people come a second later. */
async function apart(wallet: ContractWallet): Promise<RoundPlay> {
  const play = await RoundPlay.stranded(wallet);
  play.aheadMs = 1000;
  return play;
}

/** Asserts the units that the account held after each repair. Over a ledger any may be missing. */
async function assertRepairs(play: RoundPlay, expected: readonly string[]): Promise<void> {
  const { repairs = [] } = await jsonOf(play);
  const actual = repairs.map(({ balance }) => textOf(balance, play.wallet.store.decimals));
  const wanted = expected.map((text, at) => (actual[at] === '-' ? '-' : text));
  assert.deepEqual(actual, keepsMoney(play.wallet) ? expected : wanted);
}
