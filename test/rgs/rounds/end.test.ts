import { describe, expect, test } from '@jest/globals';

import { playRow, readTable } from './notation';

const ends = readTable(`
E12.2 | the end credits everything open, then ends the round    | start r 100 ; win r 30 tx=a ; end r           | [c30 e]         | closed 100 0 30 0 | -
E12.2 | it is never refused for the wallet's sake               | start r 100 ; win r 30 tx=a ; end r > 400 , stop | [c30 e]      | closed 100 0 0 30 | -
W3    | a 5xx on it leaves the credit pending                   | start r 100 ; win r 30 tx=a ; end r > 503, stop | [c30 e]       | closed 100 0 0 30 | creditAnswered5xx
W3    | what was paid is not sent again, what was not is        | start r 100 ; win r 30 tx=a ; end r > 400 c, stop ; flush r | [e] | closed 100 0 30 0 | -
B5 4  | later the same is sent, and paid                        | start r 100 ; win r 30 tx=a ; end r > cut, stop ; flush r | [c30 e] | closed 100 0 30 0 | -
W3    | a credit refused for good strands the round             | start r 100 ; win r 30 tx=a ; end r > 400 c!9005 | [c30 e]      | stranded 100 0 0 0 | -
W5    | what is left in its queue is not sent                   | start r 100 ; win r 30 tx=a ; end r > 400 c!9005 ; flush r | -  | stranded 100 0 0 0 | -
E6    | behind a credit that was paid the round is crashed      | start r 100 credit=5 ; win r 30 tx=a ; end r > 400 c!9005 | [c30 e] | crashed 100 0 5 0 | -
W4    | an end that is refused is done, and a finding           | start r 100 ; end r > 400 e!13 ; flush r      | -               | closed 100 0 0 0 | -
E15.1 | a second end is 13                                      | start r 100 ; end r ; end r                   | -               | 13               | -
E5.8  | the end of an unknown round is 14                       | end r                                         | -               | 14               | -
B2    | a part is collected, and the round stays open           | start r 100 ; win r 30 tx=a ; collect r 10 tx=c | [c10]         | open 100 20 10 0 | -
B2    | without an amount all of it is                          | start r 100 ; win r 30 tx=a ; collect r all tx=c | [c30]        | open 100 0 30 0  | -
E12.1 | no more is collected than is open                       | start r 100 ; win r 30 tx=a ; collect r 31    | -               | 19               | -
E12.1 | nor is nothing                                          | start r 100 ; collect r all                   | -               | 19               | -
E15.1 | the same collect again changes nothing                  | start r 100 ; win r 30 tx=a ; collect r 10 tx=c ; collect r 10 tx=c | - | open 100 20 10 0 | - 
E15.1 | with another amount it is 37                            | start r 100 ; win r 30 tx=a ; collect r 10 tx=c ; collect r 9 tx=c | - | 37 | -
E15.1 | without a key it counts each time                       | start r 100 ; win r 30 tx=a ; collect r 10 ; collect r 10 | [c10] | open 100 10 20 0 | noKey
W5    | a second collect does not pass the first                | start r 100 ; win r 30 tx=a ; collect r 10 tx=c > 400, stop ; collect r 5 tx=d > 400, stop | [c10] | open 100 15 0 15 | -
W5    | they are paid one call after the other                  | start r 100 ; win r 30 tx=a ; collect r 10 tx=c > 400, stop ; collect r 5 tx=d | [c10] [c5] | open 100 15 15 0 | -
E6    | a collect refused for good is stranded, and over        | start r 100 ; win r 30 tx=a ; collect r 10 tx=c > 400 c!9005 ; win r 1 tx=b | - | 13 | -
W5    | a credit never passes the void of its round             | bet r 100 tx=a ; bet r 50 tx=b > cut, cut, stop ; win r 9 tx=w collect > cut, stop | [v50] | closed 100 0 0 9 | -
W5    | B5 5: the void goes first, then the credit and the end  | bet r 100 tx=a ; bet r 50 tx=b > cut, cut, stop ; win r 9 tx=w collect > cut, stop ; flush r | [v50] [c9 e] | closed 100 0 9 0 | -
`);

const voids = readTable(`
E13.1 | without a transaction id the round is voided            | start r 100 ; void r                          | [v100]          | voided 0 0 0 0   | -
E13.1 | so it is with the first one's                           | bet r 100 tx=a ; void r tx=a                  | [v100]          | voided 0 0 0 0   | -
E13.1 | with an added one's that debit alone is                 | bet r 100 tx=a ; bet r 50 tx=b ; void r tx=b  | [v50]           | open 100 0 0 0   | -
E13.1 | with the first bet the added ones are voided too        | bet r 100 tx=a ; bet r 50 tx=b ; void r       | [v100]          | voided 0 0 0 0   | -
E13.1 | an unknown transaction id is 19                         | bet r 100 tx=a ; void r tx=x                  | -               | 19               | -
E6    | with the round its open wins are gone                   | start r 100 ; win r 30 tx=a ; void r          | [v100]          | voided 0 0 0 0   | -
E13.2 | an unknown round is 14                                  | void r                                        | -               | 14               | -
E13.2 | a closed one is 13                                      | start r 100 ; end r ; void r                  | -               | 13               | -
E13.2 | one with a credit that was paid is 26                   | start r 100 credit=30 ; void r                | -               | 26               | -
E13.2 | so is one with a credit that is pending                 | start r 100 credit=30 > 400 d, stop ; void r  | -               | 26               | -
E13.2 | the RGS voids a silent bet whatever was credited        | bet r 100 tx=a credit=5 ; bet r 50 tx=b > 503 | [d50] [v50]     | 9100             | -
E13.2 | a bet that was declined needs no void                   | bet r 100 tx=a ; bet r 50 tx=b > 400 d!1 ; void r tx=b | -      | open 100 0 0 0   | -
E13.2 | nor does one that was voided                            | bet r 100 tx=a ; bet r 50 tx=b ; void r tx=b ; void r tx=b | -  | open 100 0 0 0   | -
E13.3 | the round is voided, though the wallet does not answer  | start r 100 ; void r > 503, stop              | [v100]          | voided 0 0 0 0   | -
E13.3 | it is delivered later                                   | start r 100 ; void r > 503, stop ; flush r    | [v100]          | voided 0 0 0 0   | -
W4    | a void that the wallet refuses stays due                | start r 100 ; void r > 400 v!19, stop ; flush r | [v100]        | voided 0 0 0 0   | -
W4    | and is a finding                                        | start r 100 ; void r > 400 v!19, stop         | [v100]          | voided 0 0 0 0   | voidRefused
E13.3 | a second void is 13                                     | start r 100 ; void r ; void r                 | -               | 13               | -
E6    | after it the player may start another round             | start r 100 ; void r ; start s 5              | [d5*]           | open 5 0 0 0     | -
`);

const queries = readTable(`
E14.1 | an open round is told                                   | start r 100 ; info r                          | -               | open 100 0 0 0   | -
E14.1 | so is a closed one                                      | start r 100 ; end r ; info r                  | -               | closed 100 0 0 0 | -
E14.1 | so is a voided one                                      | start r 100 ; void r ; info r                 | -               | voided 0 0 0 0   | -
E14.1 | an unknown one is 15                                    | info r                                        | -               | 15               | -
E14.1 | so is one whose start was declined                      | start r 100 > 400 d!1 ; info r                | -               | 15               | -
E14.1 | so is one whose start was cancelled                     | start r 100 > 503 ; info r                    | -               | 15               | -
E14.1 | so is another player's                                  | start r 100 ; as player=bob ; info r          | -               | 15               | -
E14.2 | there is no history of an open round                    | start r 100 ; history r                       | -               | 9104             | -
E14.2 | of a closed one there is                                | start r 100 ; end r ; history r               | -               | closed 100 0 0 0 | -
E14.2 | of an unknown one it is 14                              | history r                                     | -               | 14               | -
E14.2 | of one whose start was declined it is 15                | start r 100 > 400 d!1 ; history r             | -               | 15               | -
E14.4 | the uncollected amount is asked as the round is         | start r 100 ; win r 7 tx=a ; uncollected r    | -               | open 100 7 0 0   | -
E3    | of an unknown round it is 14: 15 is of getGameRoundInfo | uncollected r                                 | -               | 14               | -
E3    | of one that was never taken it is 15                    | start r 100 > 400 d!9001 ; uncollected r      | -               | 15               | -
E5.8  | the counter of an unknown round is 14                   | counter r                                     | -               | 14               | -
E19.2 | a history token asks                                    | start r 100 ; end r ; as kind=history ; history r | -           | closed 100 0 0 0 | -
`);

describe('how a round ends (E12, E13), and what is asked of it (E14)', () => {
  test.each([...ends, ...voids, ...queries])('$name', (row) => {
    const { sent, answer, findings } = row;
    expect(playRow(row)).toEqual({ sent, answer, findings });
  });
});
