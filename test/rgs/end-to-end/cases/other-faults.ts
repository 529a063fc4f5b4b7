/** Faults on the operator's calls, and on those to the provider. */
export const otherFaults = `
a lost request for a launch URL is made anew (E24.2)
  fault operator-rgs getGameURL loseRequest
  url -> unknown
  clear
  launch -> 10000
  start 100 -> open 100/0/0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a launch URL whose reply is lost opens nothing (E24.2, E5.1)
  fault operator-rgs getGameURL loseReply
  url -> unknown
  clear
  start 100 -> open 100/0/0
  end -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

a launch URL that comes too late is asked for anew (E24.2)
  fault operator-rgs getGameURL late delay 1500
  url -> unknown
  clear
  launch -> 10000
  = wallet nothing | balance +0 | no round

a request for a launch URL that arrives twice gives one that opens (E24.2, E2.6)
  fault operator-rgs getGameURL twice
  url -> url
  clear
  connect -> 10000
  = wallet nothing | balance +0 | no round

a request for a launch URL may be held back (E24.2)
  fault operator-rgs getGameURL reorder delay 100
  url -> url
  clear
  connect -> 10000
  = wallet nothing | balance +0 | no round

a 503 on a launch URL: nothing was done (E24.2, E3.2)
  fault operator-rgs getGameURL 503
  url -> 503/9110
  clear
  launch -> 10000
  = wallet nothing | balance +0 | no round

a 429 on a launch URL: nothing was done (E24.2)
  fault operator-rgs getGameURL 429
  url -> 429/9107
  clear
  launch -> 10000
  = wallet nothing | balance +0 | no round

nonsense in place of a launch URL (E24.2)
  fault operator-rgs getGameURL html
  url -> unknown
  clear
  launch -> 10000
  = wallet nothing | balance +0 | no round

half a launch URL (E24.2)
  fault operator-rgs getGameURL cut
  url -> unknown
  clear
  launch -> 10000
  = wallet nothing | balance +0 | no round

free plays whose reply is cut are granted once (E18.1, E24.1)
  fault operator-rgs assignPlayerFreerounds cut
  assign 2x100 -> granted 2 used 0
  clear
  start 100 ticket free -> open 100/0/0 free 1 of 2 won 0
  end -> closed 100/0/0
  = wallet [free play] [end] | balance +0 | rounds closed

free plays that are granted twice by a line are granted once (E18.1, E24.1)
  fault operator-rgs assignPlayerFreerounds twice
  assign 1x100 -> granted 1 used 0
  clear
  start 100 ticket -> open 100/0/0
  end -> closed 100/0/0
  start 100 ticket @ b -> 400/9102
  = wallet [free play] [end] | balance +0 | rounds closed

statistics whose reply is nonsense are asked for again (E24.3)
  start 100 -> open 100/0/0
  win 20 collect -> closed 100/0/20
  fault operator-rgs getStats 503
  stats -> bet 100 win 20 rounds 1 RTP 20.00
  clear
  = wallet [debit 100] [credit 20, end] | balance -80 | rounds closed

statistics count a win once the wallet has confirmed it (E24.3, E12.1)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 6
  win 20 collect -> closed 100/0/0 pending 20
  stats -> bet 100 win 0 rounds 1 RTP 0.00
  clear
  janitor
  stats -> bet 100 win 20 rounds 1 RTP 20.00
  = wallet [debit 100] [credit 20, end]+ | balance -80 | rounds closed

a configuration whose request is lost is asked for again (E23.1, E21.3)
  clock 2min
  fault rgs-provider getGameConfiguration loseRequest
  configuration bells -> stakes 5 10 50 100 200
  clear
  = wallet nothing | balance +0 | no round

a configuration whose reply is lost is asked for again (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration loseReply
  configuration bells -> stakes 5 10 50 100 200
  clear
  = wallet nothing | balance +0 | no round

a configuration may be late (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration late delay 200
  configuration bells -> stakes 5 10 50 100 200
  clear
  = wallet nothing | balance +0 | no round

a configuration may be asked for twice (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration twice
  configuration bells -> stakes 5 10 50 100 200
  clear
  = wallet nothing | balance +0 | no round

a configuration may be held back (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration reorder delay 100
  configuration bells -> stakes 5 10 50 100 200
  clear
  = wallet nothing | balance +0 | no round

a configuration is asked for three times (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration 503 next 2
  configuration bells -> stakes 5 10 50 100 200
  clear
  = wallet nothing | balance +0 | no round

a provider that is silent: the operator is told so (E23.1, E21.3, E3.2)
  clock 2min
  fault rgs-provider getGameConfiguration 503 next 50
  configuration bells -> 503/9112
  clear
  configuration bells -> stakes 5 10 50 100 200
  = wallet nothing | balance +0 | no round

a configuration in nonsense is asked for again (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration html
  configuration bells -> stakes 5 10 50 100 200
  clear
  configuration bells -> stakes 5 10 50 100 200
  = wallet nothing | balance +0 | no round

half a configuration is asked for again (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration cut
  configuration bells -> stakes 5 10 50 100 200
  clear
  = wallet nothing | balance +0 | no round

a provider that answers 429 has no configuration for now (E23.1)
  clock 2min
  fault rgs-provider getGameConfiguration 429 next 50
  configuration bells -> 503/9112
  clear
  configuration bells -> stakes 5 10 50 100 200
  = wallet nothing | balance +0 | no round

doAutoClose comes again an hour after a 503 (E16.1, E23.1)
  start 100 -> open 100/0/0
  fault rgs-provider doAutoClose 503
  clock 27h
  launch -> 9900
  info -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

nonsense for doAutoClose proves nothing: the round is closed all the same (E16.1, E23.4)
  start 100 -> open 100/0/0
  win 30 -> open 100/30/0
  fault rgs-provider doAutoClose html
  clock 25h
  launch -> 9930
  info -> closed 100/0/30
  = wallet [debit 100] [credit 30, end] | balance -70 | rounds closed

a doAutoClose that comes twice closes once (E16.1, S3)
  start 100 -> open 100/0/0
  leave 40
  fault rgs-provider doAutoClose twice
  clock 25h
  launch -> 9940
  info -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

doAutoClose whose calls back are lost comes again (E16.1, E23.4)
  start 100 -> open 100/0/0
  fault provider-rgs getTokenForGameRound 503 next 50
  clock 25h
  clear
  clock 2h
  launch -> 9900
  info -> closed 100/0/0
  = wallet [debit 100] [end] | balance -100 | rounds closed

what a wallet never took is left to a person, and delivered by resend (E16.2)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 100000
  win 250 collect -> closed 100/0/0 pending 250
  clock 170h
  clear
  resolve resend
  launch -> 10150
  info -> closed 100/0/250
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed
`;
