import { testTable } from './table';

// round | transaction | known | given | answer | round after | moves
testTable(`
  # D5.1 a known void is answered as success, again and again, in every state
  none      | void X | void                | -           | processed again | = | -
  open      | void X | void                | -           | processed again | = | -
  open      | void X | debit follow voided | -           | processed again | = | -
  open      | void X | debit follow voided | failedDebit | processed again | = | -
  open      | void X amount=99 | debit follow voided | - | processed again | = | -
  closed    | void X | debit follow voided | -           | processed again | = | -
  cancelled | void X | debit follow voided | -           | processed again | = | -
  voided    | void X | debit first voided  | -           | processed again | = | -
  stranded  | void X | debit follow voided | -           | processed again | = | -
  crashed   | void X | debit follow voided | -           | processed again | = | -

  # D5.7 the hash of a credit or an end cannot be voided
  open      | void X | credit                  | - | INVALIDPARAMETER unrecorded | = | -
  open      | void X | credit is=CREDITREFUSED | - | INVALIDPARAMETER unrecorded | = | -
  open      | void X | end                     | - | INVALIDPARAMETER unrecorded | = | -
  closed    | void X | credit                  | - | INVALIDPARAMETER unrecorded | = | -
  voided    | void X | credit                  | - | INVALIDPARAMETER unrecorded | = | -
  stranded  | void X | credit                  | - | INVALIDPARAMETER unrecorded | = | -

  # D5.5 the void of an unknown hash is remembered in every state
  none      | void X | - | -           | processed noted | = | -
  open      | void X | - | -           | processed | =      | -
  open/declined | void X | - | -       | processed | open undeclined | -
  open      | void X | - | failedDebit | processed | =      | -
  closed    | void X | - | -           | processed | =      | -
  cancelled | void X | - | -           | processed | =      | -
  voided    | void X | - | -           | processed | =      | -
  stranded  | void X | - | -           | processed | =      | -
  crashed   | void X | - | -           | processed | =      | -
  none      | void R | - | -           | processed noted | voided | -
  closed/unstarted    | void R | - | - | processed | voided | -
  cancelled/unstarted | void R | - | - | processed | voided unanswered=1 | -
  open      | void R | - | -           | processed | =      | -

  # D5.2 the void of the first debit reverses every effective debit and credit, in every state
  open          | void X | debit first               | - | processed | voided | reverse 10
  open/credited | void X | debit first               | - | processed | voided | reverse 5
  open/bonus    | void X | debit first took=3/7      | - | processed | voided | reverse 3/7
  open/declined | void X | debit first               | - | processed | voided | reverse 10
  closed        | void X | debit first               | - | processed | voided | reverse 10
  cancelled     | void X | debit first               | - | processed | voided | reverse 10
  cancelled     | void X | debit first is=unanswered took=10 | - | processed | voided | reverse 10
  cancelled/two | void X | debit first is=unanswered took=10 | - | processed | voided | reverse 10
  cancelled/unstarted | void X | debit first is=unanswered | - | processed | voided | -
  stranded      | void X | debit first               | - | processed | voided | reverse 10
  crashed       | void X | debit first               | - | processed | voided | reverse 5

  # D5.3 the void of a follow-up debit that nothing is behind reverses it alone and leaves the state
  open          | void X | debit follow took=4   | -           | processed | open          | reverse 4
  open          | void X | debit follow took=4   | failedDebit | processed | open          | reverse 4
  open/declined | void X | debit follow took=4   | -           | processed | open          | reverse 4
  open/bonus    | void X | debit follow took=1/3 | -           | processed | open          | reverse 1/3
  open          | void X | debit follow amount=0 took=0 | -    | processed | open          | -
  closed        | void X | debit follow took=4   | -           | processed | closed        | reverse 4
  stranded      | void X | debit follow took=4   | -           | processed | stranded      | reverse 4
  crashed       | void X | debit follow took=4   | -           | processed | crashed       | reverse 4
  voided        | void X | debit follow took=4   | -           | processed | voided        | -
  cancelled     | void X | debit follow took=4   | -           | processed | cancelled     | reverse 4

  # D7 once every debit that was answered 5xx is voided, the round continues from where it was
  cancelled        | void X | debit follow is=unanswered took=4 | - | processed | open unanswered=0      | reverse 4
  cancelled        | void X | debit follow is=unanswered        | - | processed | open unanswered=0      | -
  cancelled/two    | void X | debit follow is=unanswered took=4 | - | processed | cancelled unanswered=1 | reverse 4
  cancelled/closed | void X | debit follow is=unanswered took=4 | - | processed | closed unanswered=0    | reverse 4

  cancelled/declined | void Z | debit follow is=unanswered took=0 | - | processed | open unanswered=0 undeclined | -

  # D5.4 the void of a declined debit reverses nothing, and voids the round if it was the first
  closed/unstarted | void X | debit first is=BALANCETOOLOW           | - | processed | voided | -
  none             | void X | debit first is=DISCOUNTNOTELIGIBLE     | - | processed | voided | -
  open/declined    | void X | debit follow is=BALANCETOOLOW          | - | processed | =      | -
  open/declined    | void Z | debit follow is=BALANCETOOLOW          | - | processed | open undeclined | -
  none             | void X | debit follow is=GAMEROUNDNOTSTARTED    | - | processed | =      | -
  open             | void X | debit first is=GAMEROUNDALREADYSTARTED | - | processed | =      | -
  closed           | void X | debit follow is=GAMEROUNDNOTACTIVE     | - | processed | =      | -

  # D5.6 the amount reversed is the recorded one; another amount in the void is noted
  open      | void X amount=10 | debit first         | - | processed       | voided | reverse 10
  open      | void X amount=11 | debit first         | - | processed noted | voided | reverse 10
  open      | void X amount=0  | debit first         | - | processed noted | voided | reverse 10
  open      | void X amount=11 | debit follow took=4 | - | processed noted | open   | reverse 4
  open      | void X amount=10 | debit first is=GAMEROUNDALREADYSTARTED | - | processed | = | -
`);
