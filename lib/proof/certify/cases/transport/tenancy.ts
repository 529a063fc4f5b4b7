import { given, must, mustBeRefused, mustSucceed, totalOf, voidOf } from '../../talk';
import { casesIn } from '../../talk/case';
import { openRound } from '../steps';

/** Of a second operator. */
const shared = 'Two operator IDs of one casino may share its players.';

/** Operators and players are kept apart. */
export const tenancyCases = casesIn('tenancy', [
  {
    id: 'other-operator-sees-nothing',
    rule: 'Operator API 5, rule 1 (D3.1)',
    given: 'two operators of one wallet, and a player of the first',
    when: "the second operator asks for the player's balance before and after a debit by the first",
    expected: 'it is refused, or tells another player of the same id, whose balance stays as it is',
    otherwise: shared,
    async play(context) {
      const by = context.secondOperator();
      const round = context.round();
      const before = await context.getBalance({}, { by });
      given(await round.send(round.firstDebit(context.stake)), "the first operator's debit");
      if (before.status >= 400) return;
      const after = await context.getBalance({}, { by });
      const isApart = totalOf(before, context.currency) === totalOf(after, context.currency);
      must(isApart, "the second operator must not see the first one's player", after);
    },
  },
  {
    id: 'other-operator-moves-nothing',
    rule: 'Operator API 5, rule 1 (D3.1)',
    given: 'two operators of one wallet, and a player of the first with an open round',
    when: "the second operator sends a debit for the player's id, and a credit for the round",
    expected: "the first operator's player has the same balance",
    otherwise: shared,
    async play(context) {
      const by = context.secondOperator();
      const { round: own } = await openRound(context);
      const before = await context.balance();
      const foreign = context.round({ by });
      const debit = await foreign.send(foreign.firstDebit(context.stake));
      await context.balanceMustBe(before, `after another operator's debit (${debit.status})`);
      const joined = context.round({ by, gameRound: own.gameRound });
      const credit = await joined.send(joined.credit(context.stake));
      await context.balanceMustBe(before, `after another operator's credit (${credit.status})`);
    },
  },
  {
    id: 'other-operator-voids-nothing',
    rule: 'Operator API 5, rule 1 (D3.1)',
    given: 'two operators of one wallet, and a player of the first with an open round',
    when: "the second operator voids the round's debit",
    expected: "the first operator's player has the same balance, and the round continues",
    otherwise: shared,
    async play(context) {
      const by = context.secondOperator();
      const { round: own, debit } = await openRound(context);
      const before = await context.balance();
      const foreign = context.round({ by, gameRound: own.gameRound });
      const answer = await foreign.send(voidOf(debit));
      await context.balanceMustBe(before, `after another operator's void (${answer.status})`);
      mustSucceed(await own.send(own.credit(context.stake)), 'a credit of the round');
    },
  },
  {
    id: 'other-operator-forestalls-nothing',
    rule: 'Operator API 3, rule 2; 5, rule 1 (D3.1)',
    given: 'two operators of one wallet, and a player of the first',
    when: 'the second operator sends the void of a debit that the first operator sends afterwards',
    expected: "the first operator's debit is answered 200 and taken",
    otherwise: shared,
    async play(context) {
      const by = context.secondOperator();
      const own = context.round();
      const debit = own.firstDebit(context.stake);
      const before = await context.balance();
      await context.round({ by, gameRound: own.gameRound }).send(voidOf(debit));
      mustSucceed(await own.send(debit), "the first operator's debit");
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'players-are-apart',
    rule: 'Operator API 4.1 (playerId)',
    given: 'two players with money',
    when: 'each has a debit in its own round',
    expected: "each debit is taken from its player's balance alone",
    async play(context) {
      const playerId = context.otherPlayerId();
      const [one, other] = [await context.balance(), await context.balance(playerId)];
      const own = context.round();
      mustSucceed(await own.send(own.firstDebit(context.stake)), "the first player's debit");
      await context.balanceMustBe(other, "after the first player's debit", playerId);
      const second = context.round({ playerId });
      const debit = second.firstDebit(context.stake / 2n);
      mustSucceed(await second.send(debit), "the second player's debit");
      await context.balanceMustBe(other - context.stake / 2n, 'after its own debit', playerId);
      await context.balanceMustBe(one - context.stake, "after the second player's debit");
    },
  },
  {
    id: 'same-hash-of-another-player',
    rule: 'Operator API 4.1, rule 1 (D3.1)',
    given: 'a round with a debit, and a second player with money',
    when: 'a debit of the second player comes with the same gameRound and hash',
    expected: "it is answered 200, and taken from the second player's balance alone",
    otherwise: 'A wallet may know a hash of all players, and a gameRound of one player alone.',
    async play(context) {
      const playerId = context.otherPlayerId();
      const { round: own, debit } = await openRound(context);
      const [one, other] = [await context.balance(), await context.balance(playerId)];
      const answer = await context.round({ playerId, gameRound: own.gameRound }).send(debit);
      mustSucceed(answer, "the second player's debit");
      await context.balanceMustBe(other - context.stake, 'after its debit', playerId);
      await context.balanceMustBe(one, "after the second player's debit");
    },
  },
  {
    id: 'void-of-another-players-debit',
    rule: 'Operator API 3, rule 6; 4.1 (playerId)',
    given: 'a round with a debit, and a second player with money',
    when: 'a void of the debit comes with the playerId of the second player',
    expected: 'no balance changes',
    async play(context) {
      const playerId = context.otherPlayerId();
      const { round: own, debit } = await openRound(context);
      const [one, other] = [await context.balance(), await context.balance(playerId)];
      const answer = await context
        .round({ playerId, gameRound: own.gameRound })
        .send(voidOf(debit));
      const when = `after a void with another playerId (${answer.status})`;
      await context.balanceMustBe(one, when);
      await context.balanceMustBe(other, when, playerId);
    },
  },
  {
    id: 'credit-in-another-players-round',
    rule: 'Operator API 3, rule 3 (D3.1, D4.3)',
    given: 'a round with a debit, and a second player with money',
    when: 'a credit for the round comes with the playerId of the second player',
    expected: 'it is refused, and no balance changes',
    otherwise: 'The specification does not say that a round has one player.',
    async play(context) {
      const playerId = context.otherPlayerId();
      const { round: own } = await openRound(context);
      const other = await context.balance(playerId);
      const foreign = context.round({ playerId, gameRound: own.gameRound });
      mustBeRefused(
        await foreign.send(foreign.credit(context.stake)),
        'a credit of another player',
      );
      await context.balanceMustBe(other, 'after the credit', playerId);
    },
  },
]);
