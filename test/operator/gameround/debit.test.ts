import { testTable } from './table';

// round | transaction | known | given | answer | round after | moves
testTable(`
  # D3.1 a known debit with the same content is answered as it was recorded, in every state
  open        | debit X first    | debit first               | -               | processed again            | = | -
  open        | debit X unsaid   | debit first               | -               | processed again            | = | -
  open        | debit X follow   | debit follow              | -               | processed again            | = | -
  open        | debit X unsaid   | debit follow              | -               | processed again            | = | -
  open        | debit X follow   | debit follow voided       | -               | GAMEROUNDVOIDED again      | = | -
  open/declined | debit X follow | debit follow is=BALANCETOOLOW voided | -    | BALANCETOOLOW again        | = | -
  open        | debit X follow serial=S amount=0 | debit follow serial=S amount=0 took=0 | - | processed again | = | -
  open        | debit X follow discount=2 | debit follow discount=2 took=8 | - | processed again | = | -
  open/declined | debit X follow | debit follow is=BALANCETOOLOW | -           | BALANCETOOLOW again        | = | -
  closed      | debit X first    | debit first               | -               | processed again            | = | -
  closed/unstarted | debit X first | debit first is=BALANCETOOLOW | -          | BALANCETOOLOW again        | = | -
  cancelled   | debit X first    | debit first               | -               | processed again            | = | -
  voided      | debit X first    | debit first voided        | -               | GAMEROUNDVOIDED again      | = | -
  voided      | debit X follow   | debit follow              | -               | GAMEROUNDVOIDED again      | = | -
  voided      | debit X follow   | debit follow is=BALANCETOOLOW | -           | GAMEROUNDVOIDED again      | = | -
  stranded    | debit X first    | debit first               | -               | processed again            | = | -
  crashed     | debit X first    | debit first               | -               | processed again            | = | -
  none        | debit X first    | debit first is=DISCOUNTNOTELIGIBLE | -     | DISCOUNTNOTELIGIBLE again  | = | -

  # D7 a debit that was answered 5xx stays without an outcome until it is voided
  cancelled   | debit X first    | debit first is=unanswered | -               | unknown                    | = | -
  cancelled/unstarted | debit X first | debit first is=unanswered | -          | unknown                    | = | -
  cancelled   | debit X first    | debit first is=unanswered | refused=tooLow  | unknown                    | = | -

  # A debit that is pending is decided again, and posted under the same key
  none        | debit X first    | debit first is=pending    | -               | processed                  | open started | take 10
  none        | debit X unsaid   | debit first is=pending    | -               | processed                  | open started | take 10
  open        | debit X follow   | debit follow is=pending   | -               | processed                  | = | take 10
  none        | debit X first    | debit first is=pending    | refused=tooLow  | BALANCETOOLOW              | closed | -
  none        | debit X first amount=11 | debit first is=pending | -           | TRANSACTIONALREADYEXISTS unrecorded | = | -
  cancelled   | debit X follow   | debit follow is=pending   | -               | GAMEROUNDNOTACTIVE         | = | -
  voided      | debit X follow   | debit follow is=pending   | -               | GAMEROUNDVOIDED            | = | -
  # D3.2 it stays what it was written down as, though the round was started by another since: others were told so
  open        | debit X unsaid   | debit first is=pending    | -               | GAMEROUNDALREADYSTARTED    | = | -

  # D5.5 and D7: once it is voided, a debit that was answered 5xx is answered as voided
  voided      | debit X first    | debit first is=unanswered voided  | -       | GAMEROUNDVOIDED again      | = | -
  voided      | debit X follow   | debit follow is=unanswered        | -       | GAMEROUNDVOIDED again      | = | -
  open        | debit X follow   | debit follow is=unanswered voided | -       | GAMEROUNDVOIDED again      | = | -
  cancelled   | debit X follow   | debit follow is=unanswered voided | -       | GAMEROUNDVOIDED again      | = | -

  # D3.2 a known hash with other content is refused, before anything else is looked at
  open        | debit X first amount=11     | debit first     | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X first currency=USD  | debit first     | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X follow              | debit first     | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X first               | debit follow    | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X first serial=S      | debit first     | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X first               | debit first serial=S | -        | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X first discount=1    | debit first     | eligible      | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X follow              | credit          | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open        | debit X follow              | end             | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  open/declined | debit X follow amount=1   | debit follow is=BALANCETOOLOW | - | TRANSACTIONALREADYEXISTS unrecorded | = | -
  closed      | debit X first amount=11     | debit first     | -             | TRANSACTIONALREADYEXISTS unrecorded | = | -
  cancelled   | debit X first amount=11     | debit first is=unanswered | -   | TRANSACTIONALREADYEXISTS unrecorded | = | -
  voided      | debit X first amount=11     | debit first voided | -          | TRANSACTIONALREADYEXISTS unrecorded | = | -

  # D5.5 a debit after its void moves nothing, in every state
  none        | debit X first    | void | -              | GAMEROUNDVOIDED | voided | -
  none        | debit X unsaid   | void | -              | GAMEROUNDVOIDED | voided | -
  none        | debit X follow   | void | -              | GAMEROUNDVOIDED | =      | -
  none        | debit R follow   | void | -              | GAMEROUNDVOIDED | voided | -
  open        | debit X first    | void | -              | GAMEROUNDVOIDED | =      | -
  open        | debit X follow   | void | -              | GAMEROUNDVOIDED | =      | -
  open        | debit X unsaid   | void | -              | GAMEROUNDVOIDED | =      | -
  open/declined | debit X follow | void | -              | GAMEROUNDVOIDED | = | -
  open        | debit X follow   | void | refused=tooLow | GAMEROUNDVOIDED | =      | -
  closed      | debit X follow   | void | -              | GAMEROUNDVOIDED | =      | -
  closed/unstarted | debit X first | void | -            | GAMEROUNDVOIDED | voided | -
  cancelled   | debit X follow   | void | -              | GAMEROUNDVOIDED | =      | -
  stranded    | debit X follow   | void | -              | GAMEROUNDVOIDED | =      | -
  crashed     | debit X follow   | void | -              | GAMEROUNDVOIDED | =      | -
  voided      | debit X first    | void | -              | GAMEROUNDVOIDED | =      | -

  # D4.1 only an open round takes a new debit, whichever it says it is
  closed      | debit X follow   | - | -              | GAMEROUNDNOTACTIVE | = | -
  closed      | debit X unsaid   | - | -              | GAMEROUNDNOTACTIVE | = | -
  closed/unstarted | debit X first  | - | -           | GAMEROUNDNOTACTIVE | = | -
  closed/unstarted | debit X follow | - | -           | GAMEROUNDNOTACTIVE | = | -
  cancelled   | debit X follow   | - | -              | GAMEROUNDNOTACTIVE | = | -
  cancelled/unstarted | debit X first | - | -         | GAMEROUNDNOTACTIVE | = | -
  stranded    | debit X follow   | - | -              | GAMEROUNDNOTACTIVE | = | -
  crashed     | debit X follow   | - | -              | GAMEROUNDNOTACTIVE | = | -
  voided      | debit X first    | - | -              | GAMEROUNDVOIDED    | = | -
  voided      | debit X follow   | - | -              | GAMEROUNDVOIDED    | = | -
  voided/unstarted | debit X first | - | -            | GAMEROUNDVOIDED    | = | -
  closed      | debit X follow   | - | refused=tooLow | GAMEROUNDNOTACTIVE | = | -
  voided      | debit X follow discount=1 | - | -     | GAMEROUNDVOIDED    | = | -

  # D4.3 a second initial debit, in every state but voided, and a follow-up debit of a round never started
  closed      | debit X first            | - | -              | GAMEROUNDALREADYSTARTED | = | -
  stranded    | debit X first            | - | -              | GAMEROUNDALREADYSTARTED | = | -
  crashed     | debit X first            | - | -              | GAMEROUNDALREADYSTARTED | = | -
  cancelled   | debit X first            | - | -              | GAMEROUNDALREADYSTARTED | = | -
  open        | debit X first            | - | failedDebit    | GAMEROUNDALREADYSTARTED | = | -
  open        | debit X first            | - | -              | GAMEROUNDALREADYSTARTED | = | -
  open        | debit X first            | - | refused=tooLow | GAMEROUNDALREADYSTARTED | = | -
  open        | debit X first discount=1 | - | -              | GAMEROUNDALREADYSTARTED | = | -
  open        | debit X first currency=USD | - | -            | GAMEROUNDALREADYSTARTED | = | -
  none        | debit X follow           | - | -              | GAMEROUNDNOTSTARTED     | = | -
  none        | debit X follow           | - | refused=tooLow | GAMEROUNDNOTSTARTED     | = | -

  # D4.5 after a failed debit of the call a debit is declined too, and not noted: the wallet did not decline it
  none        | debit X first  | - | failedDebit                | DEBITFAILEDBEFORE | = | -
  none        | debit X follow | - | failedDebit                | DEBITFAILEDBEFORE | = | -
  open        | debit X follow | - | failedDebit                | DEBITFAILEDBEFORE | = | -
  open        | debit X unsaid | - | failedDebit                | DEBITFAILEDBEFORE | = | -
  open        | debit X follow | - | failedDebit refused=tooLow | DEBITFAILEDBEFORE | = | -
  closed      | debit X follow | - | failedDebit                | DEBITFAILEDBEFORE | = | -
  cancelled   | debit X follow | - | failedDebit                | DEBITFAILEDBEFORE | = | -
  voided      | debit X follow | - | failedDebit                | GAMEROUNDVOIDED   | = | -
  open        | debit X follow | void | failedDebit             | GAMEROUNDVOIDED   | = | -

  # D4.2 an initial debit declined by the wallet closes the round, and nothing was started
  none        | debit X first  | - | refused=tooLow     | BALANCETOOLOW        | closed | -
  none        | debit X first  | - | refused=noPlayer   | PLAYERNOTFOUND       | closed | -
  none        | debit X first  | - | refused=noCurrency | CURRENCYNOTSUPPORTED | closed | -
  none        | debit X first  | - | refused=blocked    | DEBITREFUSED         | closed | -
  none        | debit X first  | - | refused=outOfRange | DEBITREFUSED         | closed | -
  none        | debit X unsaid | - | refused=tooLow     | BALANCETOOLOW        | closed | -

  # D4.4 a follow-up debit declined by the wallet leaves the round open
  open        | debit X follow              | - | refused=tooLow  | BALANCETOOLOW        | open declined | -
  open        | debit X unsaid              | - | refused=tooLow  | BALANCETOOLOW        | open declined | -
  open        | debit X follow              | - | refused=blocked | DEBITREFUSED         | open declined | -
  open        | debit X follow currency=USD | - | -               | CURRENCYNOTSUPPORTED | open declined | -
  open/declined | debit X follow            | - | refused=tooLow  | BALANCETOOLOW        | open declined | -

  # Error 33: a discount that is not eligible starts no round
  none        | debit X first discount=2  | - | -              | DISCOUNTNOTELIGIBLE | =             | -
  none        | debit X first discount=2  | - | refused=tooLow | DISCOUNTNOTELIGIBLE | =             | -
  open        | debit X follow discount=2 | - | -              | DISCOUNTNOTELIGIBLE | open declined | -
  open        | debit X follow discount=2 currency=USD | - | - | DISCOUNTNOTELIGIBLE | open declined | -

  # An accepted debit opens the round, or continues it
  none          | debit X first    | - | -         | processed | open started   | take 10
  none          | debit X unsaid   | - | -         | processed | open started   | take 10
  open          | debit X follow   | - | -         | processed | =              | take 10
  open          | debit X unsaid   | - | -         | processed | =              | take 10
  open/declined | debit X follow   | - | -         | processed | open undeclined | take 10
  none          | debit X first    | - | realFirst | processed | open started   | take 10 realFirst
  none          | debit X first discount=2 | - | eligible | processed | open started | take 8
  none          | debit X first discount=2 | - | eligible refused=tooLow | BALANCETOOLOW | closed | -
  none          | debit X first amount=0 serial=S | - | - | processed | open started | take 0
  open          | debit X follow amount=0 | - | - | processed | = | take 0
`);
