/** Sessions, free plays, DEMO, HISTORY, abandoned rounds and restarts, without a fault on a line. */
export const sessions = `
a launch token serves once (E5.1, E5.2)
  url -> url
  connect -> 10000
  connect -> 400/1008
  = wallet nothing | balance +0 | no round

a launch token is valid for 120 s (E5.1, E1.3)
  url -> url
  clock 121s
  connect -> 400/1008
  = wallet nothing | balance +0 | no round

a token ends after 30 minutes without a call (E5.3)
  clock 31min
  start 100 -> 400/1008
  = wallet nothing | balance +0 | no round

each call keeps a token alive (E5.3)
  clock 20min
  balance -> 10000
  clock 20min
  balance -> 10000
  = wallet nothing | balance +0 | no round

a token that ended by time serves its open round, and starts no other (E5.4)
  start 100 -> open 100/0/0
  clock 31min
  win 50 collect -> closed 100/0/50
  start 50 @ b -> 400/1008
  = wallet [debit 100] [credit 50, end] | balance -50 | rounds closed

ten minutes later a new launch is needed, and finds the round open (E5.4)
  start 100 -> open 100/0/0
  clock 41min
  end -> 400/1008
  launch -> 9900
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a newer connect revokes the token before (E5.3)
  launch -> 10000
  balance old -> 400/1008
  balance -> 10000
  = wallet nothing | balance +0 | no round

reconnect gives a new token for the old one (E5.5)
  start 100 -> open 100/0/0
  reconnect -> 9900
  end old -> 400/1008
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a round stays open when its player disconnects (E5.5)
  start 100 -> open 100/0/0
  disconnect -> done
  end -> 400/1008
  launch -> 9900
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

getTokenForGameRound revokes the player's token, and its own starts no round (E5.6)
  start 100 -> open 100/0/0
  round-token -> token
  win 10 old -> 400/1008
  start 50 @ b -> 400/19
  win 30 collect -> closed 100/0/30
  = wallet [debit 100] [credit 30, end] | balance -70 | rounds closed

there is a token for an open round alone (E5.6)
  start 100 -> open 100/0/0
  end -> closed 100/0/0
  round-token -> 400/13
  round-token @ z -> 400/14
  = wallet [debit 100] [end] | balance -100 | rounds closed

a token of another game does not reach a round (E5.8, E3.3)
  start 100 -> open 100/0/0
  launch game wheel -> 9900
  win 10 -> 400/14
  info -> 400/15
  end old -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a free play costs nothing, and its win is paid (E18.2, E18.3, E17.4, W9)
  assign 5x100 -> granted 5 used 0
  launch -> 10000
  start 100 ticket free -> open 100/0/0 free 1 of 5 won 0
  win 200 collect free -> closed 100/0/200 free 1 of 5 won 200
  = wallet [free play] [credit 200, end] | balance +200 | rounds closed

free plays are used up (E18.2, E18.3)
  assign 2x100 -> granted 2 used 0
  start 100 ticket free -> open 100/0/0 free 1 of 2 won 0
  end -> closed 100/0/0
  start 100 ticket free @ b -> open 100/0/0 free 2 of 2 won 0 last
  end @ b -> closed 100/0/0
  start 100 ticket @ c -> 400/9102
  = wallet [free play] [end] [free play] [end] | balance +0 | rounds closed, closed

a voided free play comes back (E13.4, E18.2)
  assign 1x100 -> granted 1 used 0
  start 100 ticket -> open 100/0/0
  void -> voided
  start 100 ticket free @ b -> open 100/0/0 free 1 of 1 won 0 last
  end @ b -> closed 100/0/0
  = wallet [free play] [void 0] [free play] [end] | balance +0 | rounds voided, closed

a serial is granted once (E18.1)
  assign 5x100 -> granted 5 used 0
  assign 7x200 -> granted 5 used 0
  assign 1x50 serial s2 -> granted 1 used 0
  = wallet nothing | balance +0 | no round

a ticket needs a free play for its stake (E17.4, E7.3)
  assign 5x100 -> granted 5 used 0
  start 50 ticket -> 400/9102
  = wallet nothing | balance +0 | no round

DEMO plays with money of its own, and calls no wallet (E19.1, W10)
  launch mode DEMO -> 100000
  start 100 -> open 100/0/0
  win 250 collect -> closed 100/0/250
  balance -> 100150
  stats -> none
  = wallet nothing | balance +0 | no round

DEMO declines a bet above its balance (E19.1, E3.3)
  launch mode DEMO -> 100000
  start 200000 -> 400/9001
  start 100 @ b -> open 100/0/0
  void @ b -> voided
  balance -> 100000
  = wallet nothing | balance +0 | no round

there are no free plays in DEMO (E18.1, E19.1)
  assign 5x100 -> granted 5 used 0
  launch mode DEMO -> 100000
  start 100 ticket -> 400/19
  = wallet nothing | balance +0 | no round

a HISTORY token serves queries alone (E19.2)
  start 100 -> open 100/0/0
  win 20 collect -> closed 100/0/20
  launch mode HISTORY -> 9920
  history -> closed 100/0/20
  rounds -> closed
  start 50 @ b -> 400/19
  = wallet [debit 100] [credit 20, end] | balance -80 | rounds closed

a round left for a day is finished by its provider (E16.1, E23.4, B5)
  start 100 -> open 100/0/0
  leave 40
  clock 25h
  launch -> 9940
  info -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

a round left with a win open is collected (E16.1, E12.2)
  start 100 -> open 100/0/0
  win 70 -> open 100/70/0
  clock 25h
  launch -> 9970
  info -> closed 100/0/70
  = wallet [debit 100] [credit 70, end] | balance -30 | rounds closed

a round that the provider's book holds as not taken is voided (E16.1, E13.3)
  start 100 -> open 100/0/0
  leave untaken
  clock 25h
  launch -> 10000
  info -> voided
  = wallet [debit 100] [void 100] | balance +0 | rounds voided

a round is not closed before a day has passed (E16.1)
  start 100 -> open 100/0/0
  clock 23h
  launch -> 9900
  info -> open 100/0/0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a person may close a round (E16.2)
  start 100 -> open 100/0/0
  win 60 -> open 100/60/0
  resolve close
  info -> closed 100/0/60
  = wallet [debit 100] [credit 60, end] | balance -40 | rounds closed

a restart loses no round, no win and no token (B4)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  kill
  info -> open 100/40/0
  win 60 collect -> closed 100/0/100
  = wallet [debit 100] [credit 100, end] | balance +0 | rounds closed

a restart forgets no key of an open round (B4, E15.1)
  start 100 -> open 100/0/0
  win 40 as w1 -> open 100/40/0
  kill
  win 40 as w1 -> open 100/40/0
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed
`;
