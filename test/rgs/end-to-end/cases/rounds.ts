/** Bets, wins and ends, without a fault. */
export const rounds = `
a bet is taken, and its win is paid when it is collected (E6, W2, W3, B2, B5)
  start 100 -> open 100/0/0
  win 250 collect -> closed 100/0/250
  = wallet [debit 100] [credit 250, end] | balance +150 | rounds closed

a loss sends an end alone (E12.3, W8)
  start 100 -> open 100/0/0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a win of 0 is recorded (E9.1)
  start 100 -> open 100/0/0
  win 0 -> open 100/0/0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a win of 0 that is collected is no credit (E12.3)
  start 100 -> open 100/0/0
  win 0 collect -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

collecting takes everything that is open (E9.2, E12.1)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  win 60 collect -> closed 100/0/100
  = wallet [debit 100] [credit 100, end] | balance +0 | rounds closed

an end collects what is open (E12.2, W8)
  start 100 -> open 100/0/0
  win 70 -> open 100/70/0
  end -> closed 100/0/70
  = wallet [debit 100] [credit 70, end] | balance -30 | rounds closed

a jackpot is inside the win (E9.1)
  start 100 -> open 100/0/0
  win 500 collect jackpot j1 -> closed 100/0/500
  = wallet [debit 100] [credit 500, end] | balance +400 | rounds closed

the entries of a round name its bets, wins and wagers (E9.3, E10.2)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  wager 40 to 80 -> open 100/80/0
  entries -> debit, win 40 collected 0, wager 40 to 80
  end -> closed 100/0/80
  = wallet [debit 100] [credit 80, end] | balance -20 | rounds closed

a loss in one call is a debit and an end in one call (E6, W7, W8)
  start 100 end -> closed 100/0/0
  = wallet [debit 100, end] | balance -100 | rounds closed

a win in one call is debit, credit and end in one call (E7.4, W7)
  start 100 credit 250 end -> closed 100/0/250
  = wallet [debit 100, credit 250, end] | balance +150 | rounds closed

a credit with the start leaves the round open, and then it cannot be voided (E7.4, E13.2)
  start 100 credit 30 -> open 100/0/30
  void -> 400/26
  end -> closed 100/0/30
  = wallet [debit 100, credit 30] [end] | balance -70 | rounds closed

a win that is not credited with the end is refused before anything is sent (E7.5)
  start 100 credit 30 won 50 end -> 400/19
  = wallet nothing | balance +0 | no round

a win at the start is recorded, and paid by addWin (E7.5)
  start 100 won 50 -> open 100/0/0
  win 50 collect -> closed 100/0/50
  = wallet [debit 100] [credit 50, end] | balance -50 | rounds closed

a win that equals the credit closes in one call (E7.5)
  start 100 won 30 credit 30 end -> closed 100/0/30
  = wallet [debit 100, credit 30, end] | balance -70 | rounds closed

a second round is refused while one is open (E7.2)
  start 100 -> open 100/0/0
  start 50 @ b -> 400/12
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

an exact repeat of an open start is refused as well (E7.2, E15.1)
  start 100 -> open 100/0/0
  start 100 -> 400/12
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

closeOpenGame ends the open round first, and collects its win (E7.2)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  start 50 close @ b -> open 50/0/0
  end @ b -> closed 50/0/0
  = wallet [debit 100] [credit 40, end] [debit 50] [end] | balance -110 | rounds closed, closed

closeOpenGame does not end a round of another game (E7.2)
  start 100 -> open 100/0/0
  launch game wheel -> 9900
  start 50 @ b -> 400/12
  start 50 close @ b -> 400/12
  end old -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a stake of 0 needs a ticket (E7.3)
  start 0 -> 400/19
  = wallet nothing | balance +0 | no round

a bet in another currency than the token's is refused (E4.4)
  start 100 in USD -> 400/19
  = wallet nothing | balance +0 | no round

a round id of three capital letters is refused by the client already (E4.2, D1.8)
  start 100 @ ABC -> unsent
  = wallet nothing | balance +0 | no round

the id of a round that is over is refused (E7.6, E15.2)
  start 100 -> open 100/0/0
  end -> closed 100/0/0
  start 100 -> 400/13
  = wallet [debit 100] [end] | balance -100 | rounds closed

a declined bet stays declined, and is asked at the wallet once (E7.6, B5, W2)
  start 20000 -> 400/9001
  start 20000 -> 400/9001
  info -> 400/15
  = wallet [debit 20000] | balance +0 | rounds declined

a declined bet leaves the player free to bet (E6, E3.3)
  start 20000 -> 400/9001
  start 100 @ b -> open 100/0/0
  end @ b -> closed 100/0/0
  = wallet [debit 20000] [debit 100] [end] | balance -100 | rounds declined, closed

a round without an id gets one (E7.1, E7.7)
  start 100 anonymous -> open 100/0/0
  info -> open 100/0/0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

startGameOrAddBet starts a round (E8.2)
  bet 100 as t1 -> open 100/0/0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

the first bet repeated is answered again; with another amount it is refused (E8.2, E15.1)
  bet 100 as t1 draw r1 -> open 100/0/0
  bet 100 as t1 draw r1 -> open 100/0/0
  bet 90 as t1 draw r1 -> 400/37
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

an added bet raises the stake (E8.2, E8.3)
  bet 100 as t1 -> open 100/0/0
  bet 50 as t2 -> open 150/0/0
  win 300 collect -> closed 150/0/300
  = wallet [debit 100] [added 50] [credit 300, end] | balance +150 | rounds closed

an added bet repeated was done already (E8.2)
  bet 100 as t1 -> open 100/0/0
  bet 50 as t2 -> open 150/0/0
  bet 50 as t2 -> 400/37
  end -> closed 150/0/0
  = wallet [debit 100] [added 50] [end] | balance -150 | rounds closed

after a declined added bet the wallet refuses the win, and the round is stranded (E8.2, W12)
  bet 100 as t1 -> open 100/0/0
  bet 20000 as t2 -> 400/9001
  bet 20000 as t2 -> 400/9001
  win 300 collect -> stranded 100/0/0
  info -> stranded 100/0/0
  = wallet [debit 100] [added 20000] [credit 300, end] | balance -100 | refused 300 | rounds stranded

a bet with another round's id does not join (E8.2)
  bet 100 as t1 -> open 100/0/0
  bet 50 as t2 @ b -> 400/12
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a bet joins no round that was started without an id (E8.2)
  start 100 anonymous -> open 100/0/0
  bet 50 as t2 @ b -> 400/12
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a bet with the id of a round that is over is refused (E8.2)
  bet 100 as t1 -> open 100/0/0
  end -> closed 100/0/0
  bet 50 as t2 -> 400/13
  = wallet [debit 100] [end] | balance -100 | rounds closed

a bet joins a round of startGameRound by its id (E8.2)
  start 100 as t1 -> open 100/0/0
  bet 50 as t2 -> open 150/0/0
  end -> closed 150/0/0
  = wallet [debit 100] [added 50] [end] | balance -150 | rounds closed

a ticket on an added bet is refused (E8.4)
  bet 100 as t1 -> open 100/0/0
  bet 50 as t2 ticket -> 400/19
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

collectWin pays a part, and the round goes on (E12.1, E15.1)
  start 100 -> open 100/0/0
  win 100 -> open 100/100/0
  collect 40 -> open 100/60/40
  end -> closed 100/0/100
  = wallet [debit 100] [credit 40] [credit 60, end] | balance +0 | rounds closed

collectWin repeated pays once; with another amount it is refused (E15.1)
  start 100 -> open 100/0/0
  win 100 -> open 100/100/0
  collect 40 as c1 -> open 100/60/40
  collect 40 as c1 -> open 100/60/40
  collect 50 as c1 -> 400/37
  end -> closed 100/0/100
  = wallet [debit 100] [credit 40] [credit 60, end] | balance +0 | rounds closed
`;
