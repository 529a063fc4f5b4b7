/** Faults between the provider and the remote game server; the provider recovers by its client (S2). */
export const providerFaults = `
a start whose request is lost was not taken, and takes nothing later (E14.1, E3.2)
  fault provider-rgs startGameRound loseRequest
  start 100 -> notTaken
  clear
  start 100 @ b -> open 100/0/0
  end @ b -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a start whose reply is lost was taken once (E7.2, W2)
  fault provider-rgs startGameRound loseReply
  start 100 -> open 100/0/0
  clear
  win 250 collect -> closed 100/0/250
  = wallet [debit 100] [credit 250, end] | balance +150 | rounds closed

a start whose reply is late was taken once (E7.2)
  fault provider-rgs startGameRound late delay 1500
  start 100 -> open 100/0/0
  clear
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a start that arrives twice takes one bet (E2.6, E15.1)
  fault provider-rgs startGameRound twice
  start 100 -> open 100/0/0
  clear
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a win that is held back on its way counts once (E15.3)
  start 100 -> open 100/0/0
  fault provider-rgs addWin reorder delay 100
  win 40 -> open 100/40/0
  clear
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

a start that is answered 503 was not taken (E3.2, E14.1)
  fault provider-rgs startGameRound 503
  start 100 -> notTaken
  clear
  start 100 @ b -> open 100/0/0
  end @ b -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a start that is answered 429 was not taken (E3.3)
  fault provider-rgs startGameRound 429
  start 100 -> 429/9107
  clear
  start 100 @ b -> open 100/0/0
  end @ b -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a start that is answered with nonsense was taken once (E14.1)
  fault provider-rgs startGameRound html
  start 100 -> open 100/0/0
  clear
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a start whose reply is cut was taken once (E14.1)
  fault provider-rgs startGameRound cut
  start 100 -> open 100/0/0
  clear
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

the query after a lost start may be lost as well (E14.1)
  fault provider-rgs startGameRound cut
  fault provider-rgs getGameRoundInfo 503 next 2
  start 100 -> open 100/0/0
  clear
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a collected win whose reply is lost is paid once (E15.2, W3)
  start 100 -> open 100/0/0
  fault provider-rgs addWin loseReply
  win 250 collect -> closed 100/0/250
  clear
  = wallet [debit 100] [credit 250, end] | balance +150 | rounds closed

a collected win whose request is lost is sent again, and paid once (E15.1, W3)
  start 100 -> open 100/0/0
  fault provider-rgs addWin loseRequest
  win 250 collect -> closed 100/0/250
  clear
  = wallet [debit 100] [credit 250, end] | balance +150 | rounds closed

a collected win that arrives twice is paid once (E2.6, E15.2)
  start 100 -> open 100/0/0
  fault provider-rgs addWin twice
  win 250 collect -> closed 100/0/250
  clear
  info -> closed 100/0/250
  = wallet [debit 100] [credit 250, end] | balance +150 | rounds closed

a win whose reply is cut counts once (E15.1)
  start 100 -> open 100/0/0
  fault provider-rgs addWin cut
  win 40 -> open 100/40/0
  clear
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

a win that is answered 503 is sent again (E3.2, E15.1)
  start 100 -> open 100/0/0
  fault provider-rgs addWin 503
  win 40 -> open 100/40/0
  clear
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

an end whose reply is lost is asked for (E12.2)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  fault provider-rgs endGameRound loseReply
  end -> closed 100/0/40
  clear
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

an end whose request is lost is sent again (E12.2)
  start 100 -> open 100/0/0
  fault provider-rgs endGameRound loseRequest
  end -> closed 100/0/0
  clear
  = wallet [debit 100] [end] | balance -100 | rounds closed

an added bet whose reply is lost was taken once (E8.2, E15.1)
  start 100 -> open 100/0/0
  fault provider-rgs startGameOrAddBet loseReply
  bet 50 -> open 150/0/0
  clear
  win 200 collect -> closed 150/0/200
  = wallet [debit 100] [added 50] [credit 200, end] | balance +50 | rounds closed

an added bet whose request is lost is sent again (E8.2, E15.1)
  start 100 -> open 100/0/0
  fault provider-rgs startGameOrAddBet loseRequest
  bet 50 -> open 150/0/0
  clear
  end -> closed 150/0/0
  = wallet [debit 100] [added 50] [end] | balance -150 | rounds closed

a wager whose reply is cut counts once (E10.2, E15.1)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  fault provider-rgs wagerWin cut
  wager 40 to 80 -> open 100/80/0
  clear
  end -> closed 100/0/80
  = wallet [debit 100] [credit 80, end] | balance -20 | rounds closed

spins whose reply is nonsense are awarded once (E11.3, E15.1)
  start 100 -> open 100/0/0
  fault provider-rgs addSpinCounterGameState html
  spins award 5 -> open 100/0/0
  clear
  counter -> spins 5
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a void whose reply is lost was done once (E13.3, W6)
  start 100 -> open 100/0/0
  fault provider-rgs voidGameRound loseReply
  void -> voided
  clear
  info -> voided
  = wallet [debit 100] [void 100] | balance +0 | rounds voided

a void whose request is lost is sent again (E13.3)
  start 100 -> open 100/0/0
  fault provider-rgs voidGameRound loseRequest
  void -> voided
  clear
  = wallet [debit 100] [void 100] | balance +0 | rounds voided

a launch whose reply is lost needs a new launch (E5.2)
  url -> url
  fault provider-rgs connect loseReply
  connect -> unknown
  clear
  connect -> 400/1008
  launch -> 10000
  = wallet nothing | balance +0 | no round
`;
