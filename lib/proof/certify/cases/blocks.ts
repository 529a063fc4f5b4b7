import {
  type Answer,
  described,
  given,
  must,
  mustSucceed,
  type Transaction,
  voidOf,
} from '../talk';
import { type CaseOfGroup, casesIn } from '../talk/case';
import { givenRefused, mustBeRepeat, mustDecline, openRound } from './steps';

const noBlocks = 'The specification has no blocked players.';
/** Without these the other cases play with a player who is free, or with one who stays blocked. */
const after = ['blocked-debit-is-refused', 'debit-after-the-block-is-taken'];

const cases: readonly CaseOfGroup[] = [
  {
    id: 'blocked-debit-is-refused',
    after: [],
    rule: 'Operator API 7, rule 2; D4.9, D13.1',
    given: 'a player who is blocked',
    when: 'a debit of a new round comes, to each address of the wallet',
    expected: 'each is answered 4xx, and no money moves',
    async play(context) {
      const before = await context.balance();
      await context.block();
      for (const url of context.urls) {
        const round = context.round({ url });
        const debit = round.firstDebit(context.stake);
        mustBeDefinite(await round.send(debit), 'a debit of a blocked player', debit);
      }
      await context.unblock();
      await context.balanceMustBe(before, 'after the refused debits');
    },
  },
  {
    id: 'debit-after-the-block-is-taken',
    rule: 'Operator API 3, states; D13.1',
    given: 'a player who was blocked, and is free again',
    when: 'a debit of a new round comes, to each address of the wallet',
    expected: 'it is taken',
    after: ['blocked-debit-is-refused'],
    async play(context) {
      let left = await context.balance();
      await context.block();
      await context.unblock();
      for (const url of context.urls) {
        const round = context.round({ url });
        mustSucceed(await round.send(round.firstDebit(context.stake)), 'a debit after the block');
        left -= context.stake;
        await context.balanceMustBe(left, 'after a debit after the block');
      }
    },
  },
  {
    id: 'blocked-follow-up-is-refused',
    rule: 'Operator API 7, rule 2; D4.9, D13.1',
    given: 'a player with an open round, who is then blocked',
    when: 'follow-up debits of the round come, one to each address of the wallet',
    expected: 'each is answered 4xx, and no money moves',
    async play(context) {
      const { round, before } = await openRound(context);
      await context.block();
      for (const url of context.urls) {
        const same = context.round({ url, gameRound: round.gameRound });
        const followUp = same.followUp(context.stake);
        mustBeDefinite(
          await same.send(followUp),
          'a follow-up debit of a blocked player',
          followUp,
        );
      }
      await context.balanceMustBe(before - context.stake, 'after the refused debits');
    },
  },
  {
    id: 'blocked-player-has-a-balance',
    rule: 'Operator API 4.2; D4.9',
    given: 'a player who is blocked',
    when: 'getBalance comes',
    expected: 'it is answered 200, with what the player has',
    async play(context) {
      const { before } = await openRound(context);
      await context.block();
      const answer = await context.getBalance();
      mustSucceed(answer, 'getBalance of a blocked player');
      await context.balanceMustBe(before - context.stake, 'while the player is blocked');
    },
  },
  {
    id: 'blocked-player-is-paid',
    rule: 'Operator API 4.1, rules 1 and 6; D4.9',
    given: 'an open round of a player who is then blocked',
    when: 'a credit is sent twice',
    expected: 'it is answered 200 each time, and paid once',
    async play(context) {
      const { round, before } = await openRound(context);
      await context.block();
      const credit = round.credit(context.stake * 2n);
      for (const what of ['a credit of a blocked player', 'the same credit again']) {
        mustSucceed(await round.send(credit), what);
        await context.balanceMustBe(before + context.stake, `after ${what}`);
      }
    },
  },
  {
    id: 'blocked-player-ends-a-round',
    rule: 'Operator API 3, rule 3; D4.9',
    given: 'an open round of a player who is then blocked',
    when: 'an end comes, and once the block is lifted a credit',
    expected: 'the end is answered 200, and the credit is refused: the round is over',
    async play(context) {
      const { round, before } = await openRound(context);
      await context.block();
      mustSucceed(await round.send(round.end()), 'an end of a blocked player');
      await context.unblock();
      const credit = round.credit(context.stake);
      mustDecline(await round.send(credit), 'a credit behind the end', credit);
      await context.balanceMustBe(before - context.stake, 'after the credit behind the end');
    },
  },
  {
    id: 'blocked-player-gets-stakes-back',
    rule: 'Operator API 3, rules 2 and 3; D4.9',
    given: 'a round with two debits, and a player who is then blocked',
    when: 'the follow-up debit is voided, then a debit that was refused, then the first debit',
    expected: 'each void is answered 200, and each gives back what its debit took',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp), 'the follow-up debit');
      await context.block();
      const refused = context.round();
      const late = refused.firstDebit(context.stake);
      await refused.send(late);
      mustSucceed(await round.send(voidOf(followUp)), 'a void of a blocked player');
      await context.balanceMustBe(before - context.stake, 'after the void of the follow-up debit');
      mustSucceed(await refused.send(voidOf(late)), 'a void of a refused debit');
      mustSucceed(await round.send(voidOf(debit)), 'a void of the first debit');
      await context.balanceMustBe(before, 'after the voids');
    },
  },
  {
    id: 'debit-before-the-block-stays',
    rule: 'Operator API 4.1, rule 1; D3.1, D13.1',
    given: 'a debit and a follow-up debit that were accepted, and a player who is then blocked',
    when: 'both are resent, while the player is blocked and afterwards',
    expected: 'each is answered 200, the first with error 12 at most, and no money moves',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const followUp = round.followUp(context.stake);
      given(await round.send(followUp), 'the follow-up debit');
      await context.block();
      for (const when of ['while the player is blocked', 'after the block']) {
        mustBeRepeat(await round.send(debit), debit, `the same debit ${when}`);
        mustSucceed(await round.send(followUp), `the same follow-up debit ${when}`);
        await context.balanceMustBe(before - context.stake * 2n, when);
        await context.unblock();
      }
    },
  },
  {
    id: 'open-round-outlives-a-block',
    rule: 'Operator API 3, states; D13.1',
    given: 'an open round of a player who is blocked, and then let free',
    when: 'a follow-up debit, a credit and an end of the round come',
    expected: 'the block moves no money, and each is answered 200',
    async play(context) {
      const { round, before } = await openRound(context);
      await context.block();
      await context.balanceMustBe(before - context.stake, 'after the block');
      await context.unblock();
      await context.balanceMustBe(before - context.stake, 'after the block was lifted');
      mustSucceed(await round.send(round.followUp(context.stake)), 'a follow-up debit');
      mustSucceed(await round.send(round.credit(context.stake * 2n)), 'a credit');
      mustSucceed(await round.send(round.end()), 'an end');
      await context.balanceMustBe(before, 'after the round');
    },
  },
  {
    id: 'debit-refused-by-a-block-again',
    rule: 'Operator API 4.1, rule 1; D3.1',
    given: 'a debit and a follow-up debit that were refused while the player was blocked',
    when: 'both are resent after the block',
    expected: 'each is refused again, and no money moves',
    otherwise: 'A wallet may decide anew on a debit of which nothing was processed.',
    async play(context) {
      const { round, before } = await openRound(context);
      await context.block();
      const fresh = context.round();
      const [initial, followUp] = [fresh.firstDebit(context.stake), round.followUp(context.stake)];
      givenRefused(await fresh.send(initial), 'a debit of a blocked player');
      givenRefused(await round.send(followUp), 'a follow-up debit of a blocked player');
      await context.unblock();
      mustDecline(await fresh.send(initial), 'a repeated debit that a block refused', initial);
      mustDecline(await round.send(followUp), 'a repeated follow-up debit', followUp);
      await context.balanceMustBe(before - context.stake, 'after the repeats');
    },
  },
  {
    id: 'block-is-of-one-player',
    rule: 'Operator API 3, states; D4.9',
    given: 'a player who is blocked',
    when: 'a debit of another player comes',
    expected: 'it is taken',
    async play(context) {
      const playerId = context.otherPlayerId();
      const before = await context.balance(playerId);
      await context.block();
      const round = context.round({ playerId });
      mustSucceed(await round.send(round.firstDebit(context.stake)), "another player's debit");
      await context.balanceMustBe(before - context.stake, "after another player's debit", playerId);
    },
  },
  {
    id: 'block-outlives-a-restart',
    rule: 'Operator API 7, rule 2; D13.1',
    given: 'a player with an open round, who is then blocked',
    when: 'the wallet is started again, then a debit of a new round and a follow-up debit come',
    expected: 'each is answered 4xx, and no money moves',
    async play(context) {
      const { round, before } = await openRound(context);
      await context.block();
      await context.restart();
      const fresh = context.round();
      const [initial, followUp] = [fresh.firstDebit(context.stake), round.followUp(context.stake)];
      mustBeDefinite(await fresh.send(initial), 'a debit after the restart', initial);
      mustBeDefinite(await round.send(followUp), 'a follow-up debit after the restart', followUp);
      await context.balanceMustBe(before - context.stake, 'after the refused debits');
    },
  },
];

/** A player whom the wallet has blocked: no new debit is taken, and nothing else is refused. */
export const blocks = casesIn(
  'blocks',
  cases.map((one) => ({ otherwise: noBlocks, after, ...one })),
);

/** A refusal that leaves no doubt: after a 5xx the service voids the debit, as after a fault of the wallet. */
function mustBeDefinite(answer: Answer, what: string, debit: Transaction): void {
  mustDecline(answer, what, debit);
  must(answer.status < 500, `${what} must be answered 4xx, but got ${described(answer)}`, answer);
}
