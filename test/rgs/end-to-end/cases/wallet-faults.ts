/** Faults between the remote game server and the wallet, and kills of the remote game server. */
export const walletFaults = `
a bet that never reaches the wallet is voided, and was not taken (W1, W2, E6, B5)
  fault rgs-wallet doTransactions loseRequest
  start 100 -> 400/9100
  clear
  info -> 400/15
  = wallet [debit 100] [void 100] | balance +0 | rounds cancelled

a bet that the wallet booked and whose reply is lost is voided (W1, W2, B2)
  fault rgs-wallet doTransactions loseReply
  start 100 -> 400/9100
  clear
  start 100 @ b -> open 100/0/0
  end @ b -> closed 100/0/0
  = wallet [debit 100] [void 100] [debit 100] [end] | balance -100 | rounds cancelled, closed

a bet that the wallet answers too late is voided, whatever it says (W1, W2)
  fault rgs-wallet doTransactions late delay 3500
  start 100 -> 400/9100
  clear
  = wallet [debit 100] [void 100] | balance +0 | rounds cancelled

a bet that arrives twice at the wallet is booked once (W2, W6)
  fault rgs-wallet doTransactions twice
  start 100 -> open 100/0/0
  clear
  end -> closed 100/0/0
  = wallet [debit 100]+ [end] | balance -100 | rounds closed

a credit that is held back on its way is paid once (W5)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions reorder delay 100
  win 250 collect -> closed 100/0/250
  clear
  = wallet [debit 100] [credit 250, end] | balance +150 | rounds closed

a bet that the wallet answers 503 is voided (W1, W2)
  fault rgs-wallet doTransactions 503
  start 100 -> 400/9100
  clear
  = wallet [debit 100] [void 100] | balance +0 | rounds cancelled

a bet that is answered 429 is declined, without a void (W2, E3.3)
  fault rgs-wallet doTransactions 429
  start 100 -> 400/9100
  clear
  info -> 400/15
  = wallet [debit 100] | balance +0 | rounds declined

a bet that is answered with nonsense is voided (W1, W2)
  fault rgs-wallet doTransactions html
  start 100 -> 400/9100
  clear
  = wallet [debit 100] [void 100] | balance +0 | rounds cancelled

a bet whose answer is cut is voided (W1, W2)
  fault rgs-wallet doTransactions cut
  start 100 -> 400/9100
  clear
  = wallet [debit 100] [void 100] | balance +0 | rounds cancelled

of a silent call with debit, credit and end nothing stays (W7, B2, E7.4)
  fault rgs-wallet doTransactions cut
  start 100 credit 250 end once -> 400/9100
  clear
  info -> 400/15
  = wallet [debit 100, credit 250, end] [void 100] | balance +0 | rounds cancelled

of a silent call with debit and credit nothing stays (W7, B2)
  fault rgs-wallet doTransactions 503
  start 100 credit 50 once -> 400/9100
  clear
  = wallet [debit 100, credit 50] [void 100] | balance +0 | rounds cancelled

the id of a cancelled start is spent (E7.6, W2)
  fault rgs-wallet doTransactions 503
  start 100 once -> 400/9100
  clear
  start 100 once -> 400/9100
  = wallet [debit 100] [void 100] | balance +0 | rounds cancelled

a credit whose reply is lost is sent again with its hash, and paid once (W3, W1)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions cut
  win 250 collect -> closed 100/0/250
  clear
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed

a credit that six attempts did not deliver is pending, and the janitor's (W3, E12.1, B5)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 6
  win 250 collect -> closed 100/0/0 pending 250
  clear
  janitor
  info -> closed 100/0/250
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed

a credit that was paid six times in nonsense is paid once (W3, W1)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions html next 6
  win 250 collect -> closed 100/0/0 pending 250
  clear
  janitor
  info -> closed 100/0/250
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed

a credit that is answered 429 is pending, since its hash is not listed (W3)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 429 next 6
  win 250 collect -> closed 100/0/0 pending 250
  clear
  janitor
  info -> closed 100/0/250
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed

the next launch sends a pending credit again (W3, E24.2)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 6
  win 250 collect -> closed 100/0/0 pending 250
  clear
  launch -> ~
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed

a player with a pending credit may play on (W3, E12.2)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 6
  win 250 collect -> closed 100/0/0 pending 250
  clear
  start 50 @ b -> open 50/0/0
  end @ b -> closed 50/0/0
  = wallet [debit 100] [credit 250, end]+ [debit 50] [end] [credit 250, end] | balance +100 | rounds closed, closed

an end whose reply is lost is sent again (W4, W8)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions cut next 2
  end -> closed 100/0/0
  clear
  = wallet [debit 100] [end]+ | balance -100 | rounds closed

a void is acknowledged to the game before the wallet has it (W4, E13.3)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 6
  void -> voided
  clear
  janitor
  = wallet [debit 100] [void 100]+ | balance +0 | rounds voided

a win waits behind the void of a silent added bet, and does not pass it (W5, B5)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 50
  bet 50 -> 400/9100
  win 300 collect -> closed 100/0/0 pending 300
  clear
  janitor
  info -> closed 100/0/300
  = wallet [debit 100] [added 50] [void 50]+ [credit 300, end] | balance +200 | rounds closed

an added bet does not pass a void that is due (W5, E8.4)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 50
  bet 50 -> 400/9100
  bet 30 as t3 once -> 503/9110
  clear
  bet 30 as t4 once -> open 130/0/0
  end -> closed 130/0/0
  = wallet [debit 100] [added 50] [void 50]+ [added 30] [end] | balance -130 | rounds closed

a round with a pending credit cannot be voided (W3, E13.2, E12.1)
  start 100 -> open 100/0/0
  win 50 -> open 100/50/0
  fault rgs-wallet doTransactions 503 next 50
  collect -> open 100/0/0 pending 50
  void once -> 400/26
  clear
  janitor
  end -> closed 100/0/50
  = wallet [debit 100] [credit 50]+ [end] | balance -50 | rounds closed

a second part collected does not pass the first (W5, E12.1)
  start 100 -> open 100/0/0
  win 100 -> open 100/100/0
  fault rgs-wallet doTransactions 503 next 50
  collect 40 -> open 100/60/0 pending 40
  clear
  end -> closed 100/0/0 pending 100
  janitor
  info -> closed 100/0/100
  = wallet [debit 100] [credit 40]+ [credit 60, end] | balance +0 | rounds closed

a pending credit of the old round does not stop the new one (E7.2, W3, B2)
  start 100 -> open 100/0/0
  win 40 -> open 100/40/0
  fault rgs-wallet doTransactions 503 next 6
  start 50 close @ b -> open 50/0/0
  clear
  end @ b -> closed 50/0/0
  = wallet [debit 100] [credit 40, end]+ [debit 50] [end] [credit 40, end] | balance -110 | rounds closed, closed

only getBalance says that the wallet is silent (E3.2, E17.1)
  start 100 -> open 100/0/0
  fault rgs-wallet getBalance 503 next 50
  balance -> 503/9111
  win 40 -> open 100/40/0
  clear
  balance -> 9900
  end -> closed 100/0/40
  = wallet [debit 100] [credit 40, end] | balance -60 | rounds closed

a launch whose balance is not answered needs a new launch (E5.2)
  url -> url
  fault rgs-wallet getBalance cut next 50
  connect -> 503/9111
  clear
  connect -> 400/1008
  launch -> 10000
  = wallet nothing | balance +0 | no round

a kill while the wallet has the bet: the bet is voided, and was not taken (B4, W2, B5)
  fault rgs-wallet doTransactions late delay 800
  start 100 & kill -> notTaken
  clear
  start 100 @ b -> open 100/0/0
  end @ b -> closed 100/0/0
  = wallet [debit 100] [void 100] [debit 100] [end] | balance -100 | rounds cancelled, closed

a kill while a credit is pending: it is sent with its hash, and paid once (B4, W3)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions html next 6
  win 250 collect -> closed 100/0/0 pending 250
  clear
  kill
  janitor
  info -> closed 100/0/250
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed

a kill while the wallet has the credit: the win is paid once (B4, W3)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions late delay 800
  win 250 collect & kill -> ~
  clear
  janitor
  info -> closed 100/0/250
  = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed

a kill while a void is due: it still goes before the win (B4, W5)
  start 100 -> open 100/0/0
  fault rgs-wallet doTransactions 503 next 50
  bet 50 -> 400/9100
  kill
  clear
  win 300 collect -> closed 100/0/0 pending 300
  janitor
  info -> closed 100/0/300
  = wallet [debit 100] [added 50] [void 50]+ [credit 300, end] | balance +200 | rounds closed
`;
