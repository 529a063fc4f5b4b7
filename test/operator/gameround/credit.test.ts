import { testTable } from './table';

// round | transaction | known | given | answer | round after | moves
testTable(`
  # D3.1 a known credit with the same content is answered as it was recorded, in every state
  open      | credit X | credit                  | -              | processed again         | = | -
  open      | credit X | credit                  | failedDebit    | processed again         | = | -
  open      | credit X | credit                  | refused=noCurrency | processed again     | = | -
  open      | credit X | credit is=DEBITFAILEDBEFORE | -          | DEBITFAILEDBEFORE again | = | -
  none      | credit X | credit is=GAMEROUNDNOTSTARTED | -        | GAMEROUNDNOTSTARTED again | = | -
  closed    | credit X | credit                  | -              | processed again         | = | -
  cancelled | credit X | credit                  | -              | processed again         | = | -
  voided    | credit X | credit                  | -              | GAMEROUNDVOIDED again   | = | -
  voided    | credit X | credit is=CREDITREFUSED | -              | GAMEROUNDVOIDED again   | = | -
  voided    | credit X | credit                  | failedDebit    | GAMEROUNDVOIDED again   | = | -
  stranded  | credit X | credit is=CREDITREFUSED | -              | CREDITREFUSED again     | = | -
  crashed   | credit X | credit                  | -              | processed again         | = | -

  # D3.2 a known hash with other content is refused and the round is untouched
  open      | credit X amount=11    | credit          | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | credit X currency=USD | credit          | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | credit X serial=S     | credit          | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | credit X              | credit serial=S | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | credit X              | debit first     | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | credit X              | end             | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | credit X amount=11    | credit          | failedDebit | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open/credited | credit X amount=11 | credit         | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  closed    | credit X amount=11    | credit          | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  voided    | credit X amount=11    | credit          | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  stranded  | credit X amount=11    | credit is=CREDITREFUSED | -   | TRANSACTIONALREADYEXISTS unrecorded | = | -

  # D4.5 after a failed debit of the call a credit is declined, in every state but voided, and nothing strands
  none      | credit X | - | failedDebit                    | DEBITFAILEDBEFORE | = | -
  open      | credit X | - | failedDebit                    | DEBITFAILEDBEFORE | = | -
  open      | credit X | - | failedDebit refused=noCurrency | DEBITFAILEDBEFORE | = | -
  open/credited | credit X | - | failedDebit refused=noCurrency | DEBITFAILEDBEFORE | = | -
  closed    | credit X | - | failedDebit                    | DEBITFAILEDBEFORE | = | -
  cancelled | credit X | - | failedDebit withDebit          | DEBITFAILEDBEFORE | = | -
  voided    | credit X | - | failedDebit                    | GAMEROUNDVOIDED   | = | -
  open/declined | credit X | - | failedDebit                | DEBITFAILEDBEFORE | = | -
  stranded  | credit X | - | failedDebit                    | DEBITFAILEDBEFORE | = | -
  crashed   | credit X | - | failedDebit                    | DEBITFAILEDBEFORE | = | -

  # D4.1 only an open round takes a new credit
  stranded            | credit X | - | -                  | GAMEROUNDNOTACTIVE | = | -
  crashed             | credit X | - | -                  | GAMEROUNDNOTACTIVE | = | -
  voided              | credit X | - | -                  | GAMEROUNDVOIDED    | = | -
  voided/unstarted    | credit X | - | -                  | GAMEROUNDVOIDED    | = | -

  # D4.7 a new credit of a closed round is refused, and a person should look at it, also where its first debit was declined (D4.2)
  closed              | credit X | - | -                  | GAMEROUNDNOTACTIVE | stranded | -
  closed              | credit X | - | withDebit          | GAMEROUNDNOTACTIVE | stranded | -
  closed              | credit X | - | refused=noCurrency | GAMEROUNDNOTACTIVE | stranded | -
  closed/credited     | credit X | - | -                  | GAMEROUNDNOTACTIVE | crashed  | -
  closed/declined     | credit X | - | -                  | GAMEROUNDNOTACTIVE | stranded | -
  closed/unstarted    | credit X | - | -                  | GAMEROUNDNOTACTIVE | stranded | -

  # D4.1 while the round is cancelled, a new credit of a call without a debit is left out; with a debit it is refused
  cancelled           | credit X | - | -                  | unknown            | = | -
  cancelled/closed    | credit X | - | -                  | unknown            | = | -
  cancelled/unstarted | credit X | - | -                  | unknown            | = | -
  cancelled           | credit X | - | refused=noPlayer   | unknown            | = | -
  cancelled           | credit X | - | withDebit          | GAMEROUNDNOTACTIVE | = | -
  cancelled/unstarted | credit X | - | withDebit          | GAMEROUNDNOTACTIVE | = | -

  # D4.3 a credit of a round never started
  none      | credit X | - | -                | GAMEROUNDNOTSTARTED | = | -
  none      | credit X | - | refused=noPlayer | GAMEROUNDNOTSTARTED | = | -
  none      | credit X | void | -             | GAMEROUNDNOTSTARTED | = | -

  # D4.5 while the latest debit of the round was declined, so is a credit of a later call, and the round strands
  open/declined | credit X              | - | -                  | DEBITFAILEDBEFORE | stranded | -
  open/declined | credit X currency=USD | - | refused=noCurrency | DEBITFAILEDBEFORE | stranded | -
  open/declined/credited | credit X     | - | -                  | DEBITFAILEDBEFORE | crashed  | -

  # D4.7 a credit refused for good strands the round, or crashes it where one was accepted before
  open          | credit X              | - | refused=noPlayer   | PLAYERNOTFOUND       | stranded | -
  open          | credit X              | - | refused=noCurrency | CURRENCYNOTSUPPORTED | stranded | -
  open          | credit X              | - | refused=outOfRange | CREDITREFUSED        | stranded | -
  open          | credit X currency=USD | - | -                  | CURRENCYNOTSUPPORTED | stranded | -
  open/credited | credit X              | - | refused=noPlayer   | PLAYERNOTFOUND       | crashed  | -
  open/credited | credit X              | - | refused=outOfRange | CREDITREFUSED        | crashed  | -
  open/credited | credit X currency=USD | - | -                  | CURRENCYNOTSUPPORTED | crashed  | -

  # One that is pending is decided again; it was decided while the round took it
  open          | credit X              | credit is=pending | -                | processed            | =        | give 10
  cancelled     | credit X              | credit is=pending | -                | processed            | =        | give 10
  open/declined | credit X              | credit is=pending | -                | processed            | =        | give 10
  open          | credit X              | credit is=pending | refused=noPlayer | PLAYERNOTFOUND       | stranded | -
  open          | credit X              | credit is=pending | failedDebit      | DEBITFAILEDBEFORE    | =        | -
  open          | credit X amount=11    | credit is=pending | -                | TRANSACTIONALREADYEXISTS unrecorded | = | -

  # A pending credit behind a credit that was refused for good is refused by every decision
  stranded      | credit X              | credit is=pending | -                | GAMEROUNDNOTACTIVE   | =        | -
  crashed       | credit X              | credit is=pending | -                | GAMEROUNDNOTACTIVE   | =        | -

  # An accepted credit goes to real, or is split as the debits of the round were
  open          | credit X            | - | -        | processed | = | give 10
  open/credited | credit X            | - | -        | processed | = | give 10
  open          | credit X amount=0   | - | -        | processed | = | give 0
  open          | credit X            | void | -     | processed | = | give 10
  open/bonus    | credit X            | - | -        | processed | = | give 10
  open/bonus    | credit X            | - | byShares | processed | = | give 3/7
  open/bonus    | credit X amount=9   | - | byShares | processed | = | give 3/6
  open/bonus    | credit X amount=1   | - | byShares | processed | = | give 1
  open          | credit X            | - | byShares | processed | = | give 10
`);
