/** Gambles, spins, voids, queries and keys, without a fault. */
export const keysAndQueries = `
the void of an added bet takes that bet back alone (E13.1, W6)
  bet 100 as t1 -> open 100/0/0
  bet 50 as t2 -> open 150/0/0
  void as t2 -> open 100/0/0
  win 80 collect -> closed 100/0/80
  = wallet [debit 100] [added 50] [void 50] [credit 80, end] | balance -20 | rounds closed

a void with the first bet's id voids the round (E13.1, W6, B2)
  bet 100 as t1 -> open 100/0/0
  void as t1 -> voided
  = wallet [debit 100] [void 100] | balance +0 | rounds voided

a void of an unknown bet is refused (E13.1)
  start 100 -> open 100/0/0
  void as none -> 400/19
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a voided round drops its open win, and stays voided (E13.3, E6, B5)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  void -> voided
  void -> 400/13
  info -> voided
  = wallet [debit 100] [void 100] | balance +0 | rounds voided

an unknown round is 14, and 15 to getGameRoundInfo (E13.2, E14.1, E14.2)
  void @ z -> 400/14
  win 10 @ z -> 400/14
  end @ z -> 400/14
  info @ z -> 400/15
  history @ z -> 400/14
  = wallet nothing | balance +0 | no round

another player's round is as unknown as none (E5.8, E14.1)
  win 10 @ keys-1-a -> 400/14
  void @ keys-1-a -> 400/14
  info @ keys-1-a -> 400/15
  = wallet nothing | balance +0 | no round

an id that was asked for and unknown is spent: a late start takes nothing (E14.1)
  info -> 400/15
  start 100 -> 400/9100
  = wallet nothing | balance +0 | no round

the history is for rounds that are over (E14.2, E3.3)
  start 100 -> open 100/0/0
  history -> 400/9104
  end -> closed 100/0/0
  history -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

queries move no money (E14.4, W10)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  uncollected -> 40
  session -> REAL bells in a round
  rounds -> open
  end -> closed 100/0/40
  session -> REAL bells
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

after a collected win a round cannot be voided (E13.2, B2)
  start 100 -> open 100/0/0
  win 50 -> open 100/50/0
  collect -> open 100/0/50
  void -> 400/26
  end -> closed 100/0/50
  = wallet [debit 100] [credit 50] [end] | balance -50 | rounds closed

a wager is at least 1 and at most what is open (E10.1)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  wager 50 to 100 -> 400/19
  wager 0 to 10 -> 400/19
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

a gamble that is won and lost moves nothing at the wallet (E10.2, E10.4, B5)
  start 100 -> open 100/0/0
  win 100 -> open 100/100/0
  wager 100 to 200 -> open 100/200/0
  wager 200 to 0 -> open 100/0/0
  end -> closed 100/0/0
  stats -> bet 100 win 0 rounds 1 RTP 0.00
  = wallet [debit 100] [end] | balance -100 | rounds closed

a wager of a part replaces what is open (E10.3)
  start 100 -> open 100/0/0
  win 100 -> open 100/100/0
  wager 40 to 80 -> open 100/80/0
  end -> closed 100/0/80
  = wallet [debit 100] [credit 80, end] | balance -20 | rounds closed

a wager repeated counts once; with another outcome it is refused (E15.1)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  wager 40 to 80 as g1 -> open 100/80/0
  wager 40 to 80 as g1 -> open 100/80/0
  wager 40 to 90 as g1 -> 400/37
  end -> closed 100/0/80
  = wallet [debit 100] [credit 80, end] | balance -20 | rounds closed

a win repeated by its transaction id counts once; with another amount it is refused (E15.1)
  start 100 -> open 100/0/0
  win 40 as w1 -> open 100/40/0
  win 40 as w1 -> open 100/40/0
  win 50 as w1 -> 400/37
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

a win repeated by its draw counts once (E15.1)
  start 100 -> open 100/0/0
  win 40 draw r1 -> open 100/40/0
  win 40 draw r1 -> open 100/40/0
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

one draw under two transaction ids is two wins (E15.1)
  start 100 -> open 100/0/0
  win 40 as w1 draw r1 -> open 100/40/0
  win 40 as w2 draw r1 -> open 100/80/0
  end -> closed 100/0/80
  = wallet [debit 100] [credit 80, end] | balance -20 | rounds closed

a win without a key counts each time (E15.1)
  start 100 -> open 100/0/0
  win 40 keyless -> open 100/40/0
  win 40 keyless -> open 100/80/0
  end -> closed 100/0/80
  = wallet [debit 100] [credit 80, end] | balance -20 | rounds closed

one id for a bet and its win does not collide at the wallet (E15.4, W6)
  bet 100 as x -> open 100/0/0
  win 50 as x collect -> closed 100/0/50
  = wallet [debit 100] [credit 50, end] | balance -50 | rounds closed

after the end every call of the round is refused (E15.2, E12.2, E6)
  start 100 -> open 100/0/0
  end -> closed 100/0/0
  win 10 -> 400/13
  wager 10 to 20 -> 400/13
  spins award 1 -> 400/13
  collect -> 400/13
  end -> 400/13
  void -> 400/13
  bet 50 as t2 -> 400/13
  = wallet [debit 100] [end] | balance -100 | rounds closed

spins are used up to what was awarded (E11.1, E11.2, E11.4)
  start 100 -> open 100/0/0
  spins award 10 -> open 100/0/0 spins 10
  spins use 3 -> open 100/0/0 spins 7
  counter -> spins 7
  counter type bonus -> spins 0
  spins use 8 -> 400/9103
  counter -> spins 7
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

spins awarded count before those used in the same call (E11.1)
  start 100 -> open 100/0/0
  spins award 2 use 2 -> open 100/0/0 spins 0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a spin repeated by its draw counts once; with other content it is refused (E11.3, E15.1)
  start 100 -> open 100/0/0
  spins award 5 draw s1 -> open 100/0/0 spins 5
  spins award 5 draw s1 -> open 100/0/0 spins 5
  spins award 6 draw s1 -> 400/37
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

two counters of a round are counted apart (E11.1)
  start 100 -> open 100/0/0
  spins award 5 -> open 100/0/0 spins 5
  spins award 3 type bonus -> open 100/0/0 spins 3
  counter -> spins 5
  counter type bonus -> spins 3
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

getBalance asks the wallet (E17.1, W11)
  balance -> 10000
  start 100 -> open 100/0/0
  balance -> 9900
  win 250 collect -> closed 100/0/250
  balance -> 10150
  = wallet [debit 100] [credit 250, end] | balance +150 | rounds closed

statistics count bets and confirmed wins of rounds really played (E24.3, E20.1)
  start 100 -> open 100/0/0
  win 250 collect -> closed 100/0/250
  start 20000 @ b -> 400/9001
  start 50 @ c -> open 50/0/0
  void @ c -> voided
  stats -> bet 100 win 250 rounds 1 RTP 250.00
  = wallet [debit 100] [credit 250, end] [debit 20000] [debit 50] [void 50] | balance +150 | rounds closed, declined, voided

player data is replaced by its key and filtered by stake (E20.1, E20.2)
  keep abc for 5 -> "abc"
  kept for 5 -> "abc"
  keep def for 5 -> "def"
  kept -> "def"
  kept for 7 -> none
  = wallet nothing | balance +0 | no round

random numbers and ping need no round (E22.1, E22.2, W10)
  random 3 to 6 -> 3 values
  ping hello -> "hello"
  = wallet nothing | balance +0 | no round

settings are those of a game of this provider (E21.1, E3.3)
  settings bells -> settings
  settings none -> 400/9106
  = wallet nothing | balance +0 | no round

the operator reads games and their configuration (E24.1, E21.3)
  games -> bells wheel
  configuration bells -> stakes 5 10 50 100 200
  configuration none -> 400/9106
  = wallet nothing | balance +0 | no round
`;
