import { describe, expect, test } from '@jest/globals';

import { playRow, readTable } from './notation';

const added = readTable(`
E8.2  | without an open round the first bet starts one          | bet r 100 tx=a                                | [d100*]         | open 100 0 0 0   | -
E8.2  | its repeat moves nothing, and is answered the same      | bet r 100 tx=a ; bet r 100 tx=a               | -               | open 100 0 0 0   | -
E8.2  | the same with other content is 37                       | bet r 100 tx=a ; bet r 90 tx=a                | -               | 37               | -
E8.2  | a second bet rises the stake by a debit of its own      | bet r 100 tx=a ; bet r 50 tx=b                | [d50]           | open 150 0 0 0   | -
E8.2  | its transaction id again is 37: it was done             | bet r 100 tx=a ; bet r 50 tx=b ; bet r 50 tx=b | -              | 37               | -
E8.2  | a bet joins a round that startGameRound began with an id | start r 100 ; bet r 50 tx=b                  | [d50]           | open 150 0 0 0   | -
E8.2  | none joins a round that has an id of ours               | start - 100 ; bet ours-1 50 tx=b              | -               | 12               | -
E8.2  | an open round with another id forbids it                | bet r 100 tx=a ; bet s 50 tx=b                | -               | 12               | -
E8.2  | so does one with this id in another game                | bet r 100 tx=a ; as game=other ; bet r 5 tx=b | -               | 12               | -
E8.2  | an id that is closed is 13                              | bet r 100 tx=a ; end r ; bet r 100 tx=a       | -               | 13               | -
E6    | a declined bet leaves the round open                    | bet r 100 tx=a ; bet r 50 tx=b > 400 d!9001 ; info r | -        | open 100 0 0 0   | -
E8.2  | its transaction id again gets the recorded refusal      | bet r 100 tx=a ; bet r 50 tx=b > 400 d!9001 ; bet r 50 tx=b | - | 9001             | -
E6    | a silent bet is voided, and the round stays open        | bet r 100 tx=a ; bet r 50 tx=b > 503          | [d50] [v50]     | 9100             | -
E8.2  | its transaction id again gets 9100                      | bet r 100 tx=a ; bet r 50 tx=b > 503 ; bet r 50 tx=b | -        | 9100             | -
E8.3  | endGame, a credit and closeOpenGame are ignored         | bet r 100 tx=a ; bet r 50 tx=b end credit=5 close | [d50]       | open 150 0 0 0   | ignoredOnAddedDebit
E8.4  | an added bet takes no ticket                            | set serial=p ; bet r 100 tx=a ; bet r 50 tx=b ticket | -        | 19               | -
E7.3  | nor has it a stake of 0                                 | bet r 100 tx=a ; bet r 0 tx=b                 | -               | 19               | -
E8.4  | what is due is tried once more before it                | bet r 100 tx=a ; bet r 50 tx=b > 503, 503, stop ; bet r 50 tx=c > 200 all, 200 all | [v50] [d50] | open 150 0 0 0 | -
E8.4  | a bet never passes a void that is not acknowledged      | bet r 100 tx=a ; bet r 50 tx=b > 503, stop ; bet r 50 tx=c > 503, stop | [v50] | 9110 | -
E8.4  | nor a credit that is pending                            | bet r 100 tx=a ; win r 9 ; collect r 9 > 400, stop ; bet r 50 tx=b > 400, stop | [c9] | 9110 | -
W12   | with collectBeforeAddedBet what is open is credited first | set collectBeforeAddedBet ; bet r 100 tx=a ; win r 9 tx=w ; bet r 50 tx=b | [c9] [d50] | open 150 0 9 0 | -
W12   | where that credit is pending the bet does not go out    | set collectBeforeAddedBet ; bet r 100 tx=a ; win r 9 tx=w ; bet r 50 tx=b > 400, stop, stop | [c9] | 9110 | -
W12   | a win behind a declined bet that is refused is a finding | bet r 100 tx=a ; bet r 50 tx=b > 400 d!9001 ; win r 9 tx=w collect > 400 c!9004 | [c9 e] | stranded 100 0 0 0 | refusedAfterDeclinedDebit
E19.2 | a history token adds nothing                            | bet r 100 tx=a ; as kind=history ; bet r 50 tx=b | -            | 19               | -
`);

const wins = readTable(`
E9.1  | a win is open until it is collected                     | start r 100 ; win r 30 tx=a                   | -               | open 100 30 0 0  | -
E9.1  | a win of 0 is recorded                                  | start r 100 ; win r 0 tx=a                    | -               | open 100 0 0 0   | -
E9.2  | collect credits everything open and ends the round      | start r 100 ; win r 30 tx=a ; win r 12 tx=b collect | [c42 e]   | closed 100 0 42 0 | -
E12.3 | collect with nothing open sends the end alone           | start r 100 ; win r 0 tx=a collect            | [e]             | closed 100 0 0 0 | -
E12.3 | with zeroCredits a credit of 0 goes before it           | set zeroCredits ; start r 100 ; end r         | [c0 e]          | closed 100 0 0 0 | -
E15.1 | the same key with the same content changes nothing      | start r 100 ; win r 30 tx=a ; win r 30 tx=a   | -               | open 100 30 0 0  | -
E15.1 | the same key with another amount is 37                  | start r 100 ; win r 30 tx=a ; win r 31 tx=a   | -               | 37               | -
E15.1 | so it is with collect                                   | start r 100 ; win r 30 tx=a ; win r 30 tx=a collect | -         | 37               | -
E15.1 | so it is with another jackpot                           | start r 100 ; win r 30 tx=a ; win r 30 tx=a jackpot=j | -       | 37               | -
E15.1 | without a transaction id rngCallId is the key           | start r 100 ; win r 30 rng=a ; win r 30 rng=a | -               | open 100 30 0 0  | -
E15.1 | one draw under two transaction ids counts twice         | start r 100 ; win r 30 tx=a rng=d ; win r 30 tx=b rng=d | -     | open 100 60 0 0  | rngCallIdTwice
E15.1 | without any key it counts each time                     | start r 100 ; win r 30 ; win r 30             | -               | open 100 60 0 0  | noKey
E15.1 | a key of a win is not one of a wager                    | start r 100 ; win r 30 tx=a ; wager r 30 60 tx=a | -            | open 100 60 0 0  | -
E15.2 | after the end the same call is 13                       | start r 100 ; win r 30 tx=a collect ; win r 30 tx=a collect | - | 13               | -
E5.8  | another player's round is as if unknown                 | start r 100 ; as player=bob ; win r 30        | -               | 14               | -
E5.8  | so is one of another game                               | start r 100 ; as game=other ; win r 30        | -               | 14               | -
E5.8  | so is one in another mode                               | start r 100 ; as mode=DEMO ; win r 30         | -               | 14               | -
E5.8  | so is one of the same player id at another operator     | start r 100 ; as operator=other ; win r 30    | -               | 14               | -
E2.7  | so is one of another provider                           | start r 100 ; as provider=other ; win r 30    | -               | 14               | -
E6    | a round whose start was cancelled is 13                 | start r 100 > 503 ; win r 30                  | -               | 13               | -
E6    | so is one whose start was declined                      | start r 100 > 400 d!1 ; end r                 | -               | 13               | -
E4.1  | a sum above 2^53-1 is refused                           | start r 100 ; win r 9007199254740991 tx=a ; win r 1 tx=b | -    | 19               | -
E4.1  | what was credited counts in it                          | start r 100 credit=1 ; win r 9007199254740991 tx=a | -          | 19               | -
E4.1  | so does what was staked                                 | bet r 9007199254740991 tx=a ; bet r 1 tx=b    | -               | 19               | -
E19.2 | a history token wins nothing                            | start r 100 ; as kind=history ; win r 3       | -               | 19               | -
`);

const gambles = readTable(`
E10.2 | the outcome becomes the open amount                     | start r 100 ; win r 30 tx=a ; wager r 30 60 tx=w | -            | open 100 60 0 0  | -
E10.2 | a lost gamble leaves the round open, with nothing       | start r 100 ; win r 30 tx=a ; wager r 30 0 tx=w | -             | open 100 0 0 0   | -
E10.4 | the operator sees none of it: the end alone is sent     | start r 100 ; win r 30 tx=a ; wager r 30 0 tx=w ; end r | [e]   | closed 100 0 0 0 | -
B5    | doubled once and collected                              | start r 100 ; win r 30 tx=a ; wager r 30 60 tx=w ; end r | [c60 e] | closed 100 0 60 0 | -
E10.1 | nothing can be staked of nothing                        | start r 100 ; wager r 1 2 tx=w                | -               | 19               | -
E10.1 | no more can be staked than is open                      | start r 100 ; win r 30 tx=a ; wager r 31 60 tx=w | -            | 19               | -
E10.1 | nor less than 1                                         | start r 100 ; win r 30 tx=a ; wager r 0 60 tx=w | -             | 19               | -
E4.4  | its currency is the token's                             | start r 100 ; win r 30 tx=a ; wager r 30 60 tx=w currency=SEK | - | 19             | -
E4.1  | its outcome stays within 2^53-1 with what was paid      | start r 100 credit=1 ; win r 30 tx=a ; wager r 30 9007199254740991 tx=w | - | 19 | -
E4.1  | what is staked leaves room for it                       | start r 100 ; win r 30 tx=a ; wager r 30 9007199254740991 tx=w | - | open 100 9007199254740991 0 0 | -
E10.3 | by the text the rest of a partial wager is gone         | start r 100 ; win r 30 tx=a ; wager r 10 5 tx=w | -             | open 100 5 0 0   | partialWager
E10.3 | it is no finding where the outcome includes it          | start r 100 ; win r 30 tx=a ; wager r 10 40 tx=w inner=20 | -   | open 100 40 0 0  | -
E10.3 | it is one where the two amounts do not fit              | start r 100 ; win r 30 tx=a ; wager r 10 40 tx=w inner=10 | -   | open 100 40 0 0  | partialWager
E10.3 | a whole wager with two different amounts is one too     | start r 100 ; win r 30 tx=a ; wager r 30 60 tx=w inner=50 | -   | open 100 60 0 0  | twoOutcomes
E10.3 | and so it is by the reading keepRest                    | set partialWager=keepRest ; start r 100 ; win r 30 tx=a ; wager r 10 20 tx=w inner=25 | - | open 100 40 0 0 | twoOutcomes
E10.3 | by the reading keepRest the rest stays open             | set partialWager=keepRest ; start r 100 ; win r 30 tx=a ; wager r 10 20 tx=w | - | open 100 40 0 0 | -
E15.1 | the same wager again changes nothing                    | start r 100 ; win r 30 tx=a ; wager r 30 60 tx=w ; wager r 30 60 tx=w | - | open 100 60 0 0 | -
E15.1 | with another outcome it is 37                           | start r 100 ; win r 30 tx=a ; wager r 30 60 tx=w ; wager r 30 0 tx=w | - | 37          | -
`);

const currencies = readTable(`
E5.8  | a token of another currency ends the round in its own   | start r 100 ; win r 30 tx=a ; as currency=SEK ; end r | [c30 e] | closed 100 0 30 0 | -
E5.8  | so does a start in another currency that closes it      | start r 100 ; win r 30 tx=a ; as currency=SEK ; start s 50 currency=SEK close | [c30 e] [d50SEK*] | open 50 0 0 0 | -
E5.8  | so does a win                                           | start r 100 ; as currency=SEK ; win r 30 tx=a collect | [c30 e] | closed 100 0 30 0 | -
E5.8  | so does a part that is collected                        | start r 100 ; win r 30 tx=a ; as currency=SEK ; collect r 10 tx=c | [c10] | open 100 20 10 0 | -
E4.4  | no debit of another currency joins it                   | bet r 100 tx=a ; as currency=SEK ; bet r 50 tx=b currency=SEK | - | 19          | -
E4.4  | nor does one of its currency, with such a token         | bet r 100 tx=a ; as currency=SEK ; bet r 50 tx=b | -            | 19               | -
E4.4  | nothing is gambled in another currency                  | start r 100 ; win r 30 tx=a ; as currency=SEK ; wager r 30 60 tx=w currency=SEK | - | 19 | -
E4.4  | nor in its currency with such a token                   | start r 100 ; win r 30 tx=a ; as currency=SEK ; wager r 30 60 tx=w | - | 19      | -
`);

const spins = readTable(`
E11.1 | spins are awarded                                       | start r 100 ; spins r 10 0 rng=a ; counter r  | -               | open 100 0 0 0   | -
E11.2 | no more are used than were awarded                      | start r 100 ; spins r 2 0 rng=a ; spins r 0 3 rng=b | -         | 9103             | -
E11.2 | those that were used before count                       | start r 100 ; spins r 2 1 rng=a ; spins r 0 2 rng=b | -         | 9103             | -
E11.1 | in one call the award comes first                       | start r 100 ; spins r 2 2 rng=a               | -               | open 100 0 0 0   | -
E11.1 | a counter of another type has spins of its own          | start r 100 ; spins r 2 0 rng=a ; spins r 0 1 rng=b type=bonus | - | 9103          | -
E11.1 | one of the two numbers is above 0                       | start r 100 ; spins r 0 0 rng=a               | -               | 19               | -
E11.3 | the same draw of a counter again changes nothing        | start r 100 ; spins r 2 2 rng=a ; spins r 2 2 rng=a | -         | open 100 0 0 0   | -
E11.3 | with other numbers it is 37                             | start r 100 ; spins r 2 2 rng=a ; spins r 2 1 rng=a | -         | 37               | -
E11.3 | the key holds for its counter alone                     | start r 100 ; spins r 2 2 rng=a ; spins r 2 1 rng=a type=bonus | - | open 100 0 0 0 | -
E11.2 | its winAmount is recorded, not paid                     | start r 100 ; spins r 1 0 rng=a win=7 ; end r | [e]             | closed 100 0 0 0 | recordedAmountNotAdded spinsLeft
E11.4 | a round may end with spins left, and a finding          | start r 100 ; spins r 2 1 rng=a ; end r       | [e]             | closed 100 0 0 0 | spinsLeft
`);

const order = readTable(`
E4.5  | the mode comes before the currency and the round        | as kind=history ; wager r 1 2 tx=w currency=SEK | -             | 19               | -
E4.5  | the currency comes before the round                     | wager r 1 2 tx=w currency=SEK                 | -               | 19               | -
E4.5  | the round comes before its state                        | start r 100 ; end r ; as player=bob ; end r   | -               | 14               | -
E4.5  | its state comes before the key                          | start r 100 ; win r 3 tx=a ; end r ; win r 4 tx=a | -           | 13               | -
E4.5  | the key comes before the amounts                        | start r 100 ; win r 3 tx=a ; wager r 3 6 tx=w ; wager r 99 6 tx=w | - | 37     | -
E4.5  | on a start the id comes before the amounts              | start r 100 ; end r ; start r 0               | -               | 13               | -
E4.5  | on an added bet the key comes before the amounts        | bet r 100 tx=a ; bet r 50 tx=b ; bet r 0 tx=b | -               | 37               | -
E4.5  | and the amounts before what is due                      | bet r 100 tx=a ; bet r 50 tx=b > cut, stop ; bet r 0 tx=c > stop | - | 19           | -
`);

describe('what a game plays in an open round', () => {
  test.each([...added, ...wins, ...gambles, ...currencies, ...spins, ...order])('$name', (row) => {
    const { sent, answer, findings } = row;
    expect(playRow(row)).toEqual({ sent, answer, findings });
  });
});
