import { type CaseContext, mustSucceed, unitsInOne } from '../../talk';
import { casesIn } from '../../talk/case';
import { mustDecline, newRound, openRound } from '../steps';
import { mustAllBe4xx, mustBe4xx } from './forge';

/** A round of a debit, a credit and an end with these hashes. */
async function mustPlay(
  context: CaseContext,
  gameRound: string,
  [first, second, third]: readonly [string, string, string],
): Promise<void> {
  const before = await context.balance();
  const round = context.round({ gameRound });
  const debit = round.firstDebit(context.stake, { hash: first });
  mustSucceed(await round.send(debit), `a debit with the hash ${JSON.stringify(first)}`);
  const credit = round.credit(context.stake / 2n, { hash: second });
  const rest = await round.send(credit, round.end({ hash: third }));
  mustSucceed(rest, `a credit with the hash ${JSON.stringify(second)}`);
  await context.balanceMustBe(before - context.stake / 2n, 'after the round');
}

/** Two ids of rounds, and what they are. */
type Pair = readonly [what: string, one: string, other: string];

/** @throws CaseFailure unless a debit of each of these rounds is taken. */
async function mustBeTwo(context: CaseContext, pairs: readonly Pair[]): Promise<void> {
  for (const [what, ...ids] of pairs) {
    const before = await context.balance();
    for (const gameRound of ids) {
      const round = context.round({ gameRound });
      const answer = await round.send(round.firstDebit(unitsInOne));
      mustSucceed(answer, `the first debit of each of two rounds ${what}`);
    }
    const both = before - unitsInOne * 2n;
    await context.balanceMustBe(both, `after the debits of two rounds ${what}`);
  }
}

/** Hashes and rounds. */
export const identifierCases = casesIn('request-form', [
  {
    id: 'hash-is-no-uuid',
    rule: 'Public documentation: hash (D2.6)',
    given: 'a player with money',
    when: 'gameRound and hashes are texts of 32 characters and less, with marks among them',
    expected: 'the round is played as any other',
    otherwise: 'The specification does not say which marks a hash may hold.',
    async play(context) {
      const id = context.newHash().replaceAll('-', '');
      const [round, credit, end] = [`R:${id.slice(0, 30)}`, id.slice(0, 12), `e_${id.slice(12)}.1`];
      await mustPlay(context, round, [round, credit, end]);
    },
  },
  {
    id: 'hash-of-128-characters',
    rule: 'Operator API 2.1 (hash) (D2.6)',
    given: 'a player with money',
    when: 'gameRound and hashes are texts of 128 characters, alike but for their ends',
    expected: 'the round is played as any other',
    otherwise: 'The specification sets no limit; public documentation shows 36 characters.',
    async play(context) {
      const start = context.newHash().replaceAll('-', '').repeat(4).slice(0, 127);
      await mustPlay(context, `${start}0`, [`${start}0`, `${start}1`, `${start}2`]);
    },
  },
  {
    id: 'hash-is-a-usual-name',
    rule: 'Operator API 2.1 (hash) (D2.6)',
    given: 'a player with money',
    when: 'hashes are texts that some languages have as names: toString, constructor, null',
    expected: 'the round is played as any other',
    otherwise: 'The service sends no such hash, and a wallet may know a hash of all rounds.',
    play: (context) => mustPlay(context, context.newHash(), ['toString', 'constructor', 'null']),
  },
  {
    id: 'hash-of-three-capitals',
    rule: 'Operator API 4.1 and 4.3, signed fields (D1.8)',
    given: 'a player with money',
    when: 'a debit comes whose hash is EUR, as in a call of assignPlayerFreerounds that was captured and sent back',
    expected: 'it is answered 4xx, and no money moves',
    otherwise: 'A wallet with another secret for each direction cannot be tricked so.',
    async play(context) {
      const round = context.round();
      const debit = round.firstDebit(context.stake, { hash: 'EUR' });
      await mustAllBe4xx(context, [
        ['a debit with the hash EUR', context.sign(round.message([debit]))],
      ]);
    },
  },
  {
    id: 'round-beyond-ascii',
    rule: 'Operator API 2.1 (D2.6); public documentation: UTF-8',
    given: 'a player with money',
    when: 'gameRound and hashes hold letters beyond ASCII, once composed and once not',
    expected: 'the round is played as any other: what is signed is UTF-8, and never normalised',
    otherwise: 'The service sends no such identifier.',
    async play(context) {
      const id = context.newHash();
      const [composed, apart] = [`${id}-\u00e9`, `${id}-e\u0301`];
      await mustPlay(context, `${id}-旋`, [composed, apart, `${id}-🎰`]);
    },
  },
  {
    id: 'game-of-128-characters',
    rule: 'Operator API 4.1 (gameCode) (D2.6)',
    given: 'a player with money',
    when: 'a debit comes with a gameCode of 128 characters',
    expected: 'it is answered 200, and its amount is taken',
    otherwise: 'The specification sets no limit, and a wallet may know its games alone.',
    async play(context) {
      const { round, before } = await newRound(context);
      const gameCode = 'a-game-with-a-long-name-'.repeat(6).slice(0, 128);
      const body = round.message([round.firstDebit(context.stake)], { gameCode });
      mustSucceed(await context.post(body), 'a debit with a gameCode of 128 characters');
      await context.balanceMustBe(before - context.stake, 'after the debit');
    },
  },
  {
    id: 'long-rounds-differ-at-the-end',
    rule: 'Operator API 1 (D2.6)',
    given: 'a player with money',
    when: 'rounds begin whose ids of 34, 70 and 128 characters differ in the last one alone',
    expected: 'they are different rounds: each debit is taken',
    otherwise: 'The specification sets no limit; public documentation shows 36 characters.',
    play: (context) =>
      mustBeTwo(
        context,
        [34, 70, 128].map((length) => {
          const start = context
            .newHash()
            .replaceAll('-', '')
            .repeat(4)
            .slice(0, length - 1);
          return [`of ${length} characters`, `${start}0`, `${start}1`];
        }),
      ),
  },
  {
    id: 'rounds-differ-in-spelling',
    rule: 'Operator API 1 (D2.6)',
    given: 'a player with money',
    when: 'rounds begin whose ids differ in the case of letters, in a space at the end, or in how a letter is composed',
    expected: 'they are different rounds: each debit is taken',
    otherwise: 'The service sends no such identifiers.',
    async play(context) {
      const [one, two, three] = [context.newHash(), context.newHash(), context.newHash()];
      await mustBeTwo(context, [
        ['that differ in case', `${one}-a`, `${one}-A`],
        ['that differ in a space', two, `${two} `],
        ['that differ in how a letter is composed', `${three}-\u00e9`, `${three}-e\u0301`],
      ]);
    },
  },
  {
    id: 'round-under-another-game',
    rule: 'Operator API 1 (a round is identified by its gameRound); 4.1, rules 1 and 3',
    given: 'a round with a debit',
    when: 'the same debit, and then a second initial debit of the round, come with another gameCode',
    expected: 'neither moves money, and the second is refused',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const gameCode = `${context.gameCode}-2`;
      const again = await context.post(round.message([debit], { gameCode }));
      const when = `after the debit came again (answered ${again.status})`;
      await context.balanceMustBe(before - context.stake, when);
      const second = round.firstDebit(context.stake);
      const answer = await context.post(round.message([second], { gameCode }));
      mustDecline(answer, 'a second initial debit under another gameCode', second);
      await context.balanceMustBe(before - context.stake, 'after a second initial debit');
    },
  },
  {
    id: 'identifier-empty-or-long',
    rule: 'Operator API 2.1 and 4.1 (D2.6)',
    given: 'a player with money',
    when: 'a debit comes with gameRound "", or with a hash of 10,000 characters',
    expected: 'it is answered 4xx',
    otherwise: 'The specification sets no limits.',
    async play(context) {
      const before = await context.balance();
      const empty = context.round({ gameRound: '' });
      const first = await empty.send(empty.firstDebit(context.stake));
      mustBe4xx(first, 'a debit with an empty gameRound');
      const round = context.round();
      const hash = context.newHash().padEnd(10_000, 'x');
      const second = await round.send(round.firstDebit(context.stake, { hash }));
      mustBe4xx(second, 'a debit with a hash of 10,000 characters');
      await context.balanceMustBe(before, 'after what was refused');
    },
  },
]);
