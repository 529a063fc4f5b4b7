import { testTable } from './table';

// round | transaction | known | given | answer | round after | moves
testTable(`
  # D3.1 a known end is answered as it was recorded, in every state
  open      | end X | end                      | -           | processed again          | = | -
  closed    | end X | end                      | -           | processed again          | = | -
  closed    | end X | end                      | failedDebit | processed again          | = | -
  cancelled | end X | end                      | -           | processed again          | = | -
  voided    | end X | end                      | -           | GAMEROUNDVOIDED again    | = | -
  stranded  | end X | end                      | -           | processed again          | = | -
  crashed   | end X | end                      | -           | processed again          | = | -
  none      | end X | end is=GAMEROUNDNOTSTARTED | -         | GAMEROUNDNOTSTARTED again | = | -
  open      | end X | end is=DEBITFAILEDBEFORE | -           | DEBITFAILEDBEFORE again  | = | -

  # An end that is pending is decided again
  open      | end X | end is=pending           | -           | processed         | closed | -
  open      | end X | end is=pending           | failedDebit | DEBITFAILEDBEFORE | =      | -
  cancelled | end X | end is=pending           | -           | processed         | cancelled resume=closed | -
  cancelled/closed | end X | end is=pending    | -           | processed         | =      | -

  # D3.2 a hash known as another transaction is refused
  open      | end X | debit first | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | end X | credit      | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open      | end X | credit      | failedDebit | TRANSACTIONALREADYEXISTS unrecorded | = | -
  voided    | end X | debit first | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -

  # D4.5 after a failed debit of the call an end is declined, in every state but voided
  none      | end X | - | failedDebit | DEBITFAILEDBEFORE | = | -
  open      | end X | - | failedDebit | DEBITFAILEDBEFORE | = | -
  closed    | end X | - | failedDebit | DEBITFAILEDBEFORE | = | -
  cancelled | end X | - | failedDebit withDebit | DEBITFAILEDBEFORE | = | -
  voided    | end X | - | failedDebit | GAMEROUNDVOIDED   | = | -
  stranded  | end X | - | failedDebit | DEBITFAILEDBEFORE | = | -
  crashed   | end X | - | failedDebit | DEBITFAILEDBEFORE | = | -

  # D4.8 an end closes an open round and changes nothing in one that is over
  open             | end X | -    | - | processed       | closed | -
  open/credited    | end X | -    | - | processed       | closed | -
  open/declined    | end X | -    | - | processed       | closed | -
  open             | end X | void | - | processed       | closed | -
  closed           | end X | -    | - | processed       | =      | -
  closed/unstarted | end X | -    | - | processed       | =      | -
  stranded         | end X | -    | - | processed       | =      | -
  crashed          | end X | -    | - | processed       | =      | -
  voided           | end X | -    | - | GAMEROUNDVOIDED | =      | -
  voided/unstarted | end X | -    | - | GAMEROUNDVOIDED | =      | -

  # D4.3 and D4.1: an end of a round never started; of one that waits for its void it is left out, with a debit refused
  none                | end X | - | - | GAMEROUNDNOTSTARTED | = | -
  cancelled           | end X | - | -         | unknown            | = | -
  cancelled/unstarted | end X | - | -         | unknown            | = | -
  cancelled           | end X | - | withDebit | GAMEROUNDNOTACTIVE | = | -
  cancelled/unstarted | end X | - | withDebit | GAMEROUNDNOTACTIVE | = | -
`);
