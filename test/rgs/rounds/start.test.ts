import { describe, expect, test } from '@jest/globals';

import { playRow, readTable } from './notation';

const rows = readTable(`
E6    | an accepted start opens the round                      | start r 100                                   | [d100*]            | open 100 0 0 0      | -
E6    | a declined start is the operator's error               | start r 100 > 400 d!9001                      | [d100*]            | 9001                | -
E6    | a silent start is voided, and the bet is not taken     | start r 100 > 503                             | [d100*] [v100]     | 9100                | -
W2    | so it is where the connection is cut                   | start r 100 > cut                             | [d100*] [v100]     | 9100                | -
W5    | the void stays due while the wallet is silent          | start r 100 > 503* ; flush r > 503, 200 all    | [v100] [v100]      | cancelled 0 0 0 0   | -
E3    | an id of ours would lie: the game gets 9100            | start r 100 > 400 d!13                        | [d100*]            | 9100                | -
E3    | so would one of 9100 to 9199                           | start r 100 > 400 d!9150                      | [d100*]            | 9100                | -
E3    | so would 1008                                          | start r 100 > 400 d!1008                      | [d100*]            | 9100                | -
E3    | a decline without an id is answered 9100               | start r 100 > 400                             | [d100*]            | 9100                | -
E17.3 | a discount that the wallet refuses is 33 to the game   | set discount=10 ; start r 100 > 400 d!33      | [d100*]            | 33                  | -
E7.7  | without an id the round gets one of ours, and a finding | start - 100                                  | [d100*]            | open 100 0 0 0      | noRoundId
E7.2  | an open round of the player forbids a start            | start r 100 ; start s 100                     | -                  | 12                  | -
E7.2  | also for the exact repeat                              | start r 100 ; start r 100                     | -                  | 12                  | -
E7.2  | also one of another game                               | start r 100 ; as game=other ; start s 100     | -                  | 12                  | -
E7.2  | by the reading perGame one of another game does not    | set openRounds=perGame ; start r 100 ; as game=other ; start s 100 | [d100*] | open 100 0 0 0 | -
E7.2  | the round of another player does not                   | start r 100 ; as player=bob ; start s 100     | [d100*]            | open 100 0 0 0      | -
E7.2  | nor does one in another mode                           | start r 100 ; as mode=DEMO ; start s 100      | [d100*]            | open 100 0 0 0      | -
E7.2  | closeOpenGame ends the old round first                 | start r 100 ; win r 30 ; start s 50 close     | [c30 e] [d50*]     | open 50 0 0 0       | -
B2    | an old credit that is pending does not stop the start  | start r 100 ; win r 30 ; start s 50 close > 503, stop, 200 all | [c30 e] [d50*] | open 50 0 0 0 | creditAnswered5xx
E7.2  | closeOpenGame ends no round of another game            | start r 100 ; as game=other ; start s 50 close | -                 | 12                  | -
E7.2  | a start that is refused ends no open round             | start r 100 ; start s 0 close ; info r        | -                  | open 100 0 0 0      | -
E7.3  | a stake of 0 needs a ticket                            | start r 0                                     | -                  | 19                  | -
E7.3  | a stake that is not in the ladder is a finding         | set ladder=10,20 ; start r 15                 | [d15*]             | open 15 0 0 0       | stakeNotOffered
E7.3  | with enforceStakes it is refused                       | set ladder=10,20 enforceStakes ; start r 15   | -                  | 9101                | -
E7.3  | so is one beyond the bounds                            | set max=50 enforceStakes ; start r 51         | -                  | 9101                | -
E7.3  | and one below them                                     | set max=50 enforceStakes ; start r 4          | -                  | 9101                | -
E21.2 | a stake that was multiplied twice is a finding         | set ladder=60,120 multiplier=6 ; start r 360  | [d360*]            | open 360 0 0 0      | stakeNotOffered multiplierTwice
E21.2 | so it is with a multiplier that has decimals           | set ladder=15,30 multiplier=1.5 ; start r 45  | [d45*]             | open 45 0 0 0       | stakeNotOffered multiplierTwice
E21.2 | a multiplier of 1 is never applied twice                | set ladder=15,30 multiplier=1 ; start r 45    | [d45*]             | open 45 0 0 0       | stakeNotOffered
E4.4  | another currency than the token's is refused           | start r 100 currency=SEK                      | -                  | 19                  | -
E4.4  | so is a credit in another one                          | start r 100 credit=5 creditCurrency=SEK       | -                  | 19                  | -
E7.4  | a credit goes with the debit, and the round stays open | start r 100 credit=30                         | [d100* c30]        | open 100 0 30 0     | -
E7.4  | with endGame the whole round is one call               | start r 100 credit=30 end                     | [d100* c30 e]      | closed 100 0 30 0   | -
E12.3 | a loss that ends at once sends no credit of 0          | start r 100 end                               | [d100* e]          | closed 100 0 0 0    | -
E12.3 | with zeroCredits it does where there is a credit of 0  | set zeroCredits ; start r 100 credit=0 end    | [d100* c0 e]       | closed 100 0 0 0    | -
W7    | apart, each transaction is a separate call             | set separate ; start r 100 credit=30 end      | [d100*] [c30] [e]  | closed 100 0 30 0   | -
W7    | with a silent debit the credit and the end are dropped | start r 100 credit=30 end > 503 ; flush r     | -                  | cancelled 0 0 0 0   | -
W7    | so they are where they go apart                        | set separate ; start r 100 credit=30 end > 503 ; flush r | -       | cancelled 0 0 0 0   | -
B2    | with a declined debit they are dropped                 | start r 100 credit=30 end > 400 d!9001 ; flush r | -               | declined 0 0 0 0    | -
B2    | a credit that is pending leaves the round open         | start r 100 credit=30 > 400 d*                | [d100* c30] [c30]  | open 100 0 0 30     | -
B2    | a credit that is refused for good strands the round    | start r 100 credit=30 > 400 d c!9005          | [d100* c30]        | stranded 100 0 0 0  | -
E6    | a stranded round is over for the game                  | start r 100 credit=30 > 400 d c!9005 ; win r 5 | -                 | 13                  | -
E6    | the player may start another one                       | start r 100 credit=30 > 400 d c!9005 ; start s 5 | [d5*]           | open 5 0 0 0        | -
E7.5  | winAmount at the start is recorded, not paid           | start r 100 won=40                            | [d100*]            | open 100 0 0 0      | -
E7.5  | a round that ends without that win is a finding        | start r 100 won=40 ; end r                    | [e]                | closed 100 0 0 0    | recordedAmountNotAdded
E7.5  | it is none where addWin brought it                     | start r 100 won=40 ; win r 40 tx=a collect    | [c40 e]            | closed 100 0 40 0   | -
E7.5  | with endGame a win that nothing pays is refused        | start r 100 won=40 end                        | -                  | 19                  | -
E7.5  | so is one that differs from the credit                 | start r 100 won=40 credit=30 end              | -                  | 19                  | -
E7.5  | one that the credit pays is accepted                   | start r 100 won=30 credit=30 end              | [d100* c30 e]      | closed 100 0 30 0   | -
E7.5  | by the reading open the winAmount is open              | set startWin=open ; start r 100 won=40        | [d100*]            | open 100 40 0 0     | -
E7.5  | and is credited where the round ends at once           | set startWin=open ; start r 100 won=40 end    | [d100* c40 e]      | closed 100 0 40 0   | -
E7.6  | an id that is closed is not used again                 | start r 100 end ; start r 100                 | -                  | 13                  | -
E7.6  | nor is one that is voided                              | start r 100 ; void r ; start r 100            | -                  | 13                  | -
E7.6  | a declined start keeps its refusal                     | start r 100 > 400 d!9001 ; start r 100        | -                  | 9001                | -
E7.6  | so does a cancelled one                                | start r 100 > 503 ; start r 100               | -                  | 9100                | -
E15.1 | an id that another player has used is 37               | start r 100 ; as player=bob ; start r 100     | -                  | 37                  | -
E15.1 | so is one of the same player id at another operator     | start r 100 ; as operator=other ; start r 100 | -                  | 37                  | -
E14.1 | an id that a query was told is not known is spent      | info r ; start r 100                          | -                  | 9100                | -
E14.1 | it is spent for that player alone                      | info r ; as player=bob ; start r 100          | [d100*]            | open 100 0 0 0      | -
E14.1 | a janitor's query spends nothing                       | as kind=janitor ; info r ; as kind=player ; start r 100 | [d100*]  | open 100 0 0 0      | -
E5.6  | a janitor's token starts no round                      | as kind=janitor ; start r 100                 | -                  | 19                  | -
E19.2 | nor does a history token                               | as kind=history ; start r 100                 | -                  | 19                  | -
E18.1 | DEMO has no free plays                                 | as mode=DEMO ; set serial=p ; start r 100 ticket | -               | 19                  | -
E17.4 | a ticket that nobody has is refused                    | start r 100 ticket                            | -                  | 9102                | -
E18.2 | a free play moves 0, and counts its stake              | set serial=p ; start r 100 ticket             | [d0*]              | open 100 0 0 0      | -
B4    | a debit that was perhaps sent is voided after a restart | start r 100 credit=30 > stop ; restart r     | [v100]             | cancelled 0 0 0 0   | -
E15.3 | a call whose debit has no outcome yet is told as not done | start r 100 > stop                            | -                  | 9110                | -
B4    | and its id is spent then                               | start r 100 > stop ; restart r ; start r 100  | -                  | 9100                | -
B4    | after a restart what is due goes on with its hashes    | start r 100 ; win r 30 collect > stop ; restart r | [c30 e]        | closed 100 0 30 0   | -
`);

describe('a start (E7), and the first debit of a round (E6)', () => {
  test.each(rows)('$name', (row) => {
    const { sent, answer, findings } = row;
    expect(playRow(row)).toEqual({ sent, answer, findings });
  });
});
