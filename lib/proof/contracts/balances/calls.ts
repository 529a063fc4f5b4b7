import { anotherRound } from '../case';
import type { ContractWallet } from '../../subject/players';
import { credit, debit, RoundPlay, voidOf } from '../repairs/round-play';
import type { Case } from '../suite';
import { assertLines, deposit } from './lines';

const end = { type: 'end', hash: 'end' } as const;

/** The balance after each transaction of the RGS. */
export function callRules(check: Case<ContractWallet>): void {
  check('it is that of the moment, whatever else moves the account meanwhile', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await deposit(play, 7n);
    await play.call(credit('c', 25n));
    await play.other(anotherRound(play.round)).call(debit('x', 2n, true));
    await play.call(end);
    await deposit(play, 1n);
    await assertLines(play, ['d 90', 'c 122', 'end 120']);
  });

  check(
    'the transactions of a call have the order of the call, each its balance',
    async (wallet) => {
      const play = await RoundPlay.open(wallet);
      await play.call(
        debit('d', 10n, true),
        credit('z', 3n),
        debit('b', 20n),
        credit('a', 1n),
        end,
      );
      await assertLines(play, ['d 90', 'z 93', 'b 73', 'a 74', 'end 74']);
      await play.call(debit('x', 1n));
      await assertLines(play, ['d 90', 'z 93', 'b 73', 'a 74', 'end 74', 'x 74']);
    },
  );

  check('a refused transaction has it too', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(debit('too much', 1000n));
    await play.call(credit('c', 25n));
    await play.call(credit('none', 1n, 'USD'));
    await assertLines(play, ['d 90', 'too much 90', 'c 90', 'none -']);
  });

  check('a bonus balance stands beside the real one', async (wallet) => {
    const play = await RoundPlay.open(wallet, 20n);
    await play.call(debit('d', 60n, true), debit('e', 50n), credit('c', 4n));
    await play.call(voidOf('d'));
    await assertLines(play, ['d 40+20', 'e 0+10', 'c 4+10', 'void d 100+20']);
  });

  check(
    'a call whose credits a void took back has it on its last line, and the void its own',
    async (wallet) => {
      const play = await RoundPlay.open(wallet);
      await play.call(debit('d', 10n, true));
      await play.call(debit('e', 20n), credit('c', 50n));
      await assertLines(play, ['d 90', 'e 70', 'c 120']);
      await play.call(voidOf('e'));
      await assertLines(play, ['d 90', 'e -', 'c 120', 'void e 90']);
      await play.call(voidOf('d'));
      await assertLines(play, ['d 90', 'e -', 'c 120', 'void e 90', 'void d 100']);
    },
  );

  check('a call that comes again changes nothing of it', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true), credit('c', 5n));
    await deposit(play, 50n);
    await play.call(debit('d', 10n, true), credit('c', 5n));
    await play.call(voidOf('d'));
    await play.call(voidOf('d'));
    await assertLines(play, ['d 90', 'c 95', 'void d 150']);
  });
}
