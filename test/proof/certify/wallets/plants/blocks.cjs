'use strict';

const { advisory } = require('./levels.cjs');

module.exports = {
  // A player who is blocked.
  'block-without-effect': advisory('D4.9', 'A debit of a blocked player is taken.'),
  'block-of-new-rounds-alone': advisory(
    'D4.9',
    'A follow-up debit of a blocked player is taken: only new rounds are refused.',
  ),
  'blocked-debit-500': advisory('D4.9', 'A debit of a blocked player is answered 500.'),
  'blocked-debit-takes-money': advisory(
    'D4.9',
    'A debit of a blocked player is refused, and its amount is gone.',
  ),
  'block-of-everybody': advisory('D13.1', 'The block of one player refuses the debits of all.'),
  'block-refuses-credits': advisory('D4.9', 'A credit of a blocked player is refused.'),
  'block-keeps-credits': advisory(
    'D4.9',
    'A credit of a blocked player is answered 200, not paid.',
  ),
  'block-refuses-ends': advisory('D4.9', 'An end of a blocked player is refused.'),
  'block-refuses-voids': advisory('D4.9', 'A void of a blocked player is refused.'),
  'block-keeps-voids': advisory(
    'D4.9',
    'A void of a blocked player is answered 200 and reverses nothing.',
  ),
  'block-voids-rounds': advisory('D13.1', 'A block voids the open rounds of its player.'),
  'block-closes-rounds': advisory('D13.1', 'A block closes the open rounds of its player.'),
  'block-hides-balance': advisory('D4.9', 'getBalance of a blocked player is refused.'),
  'block-refuses-repeats': advisory(
    'D3.1',
    'A debit that was accepted before the block is refused when it comes again.',
  ),
  'block-stays': advisory('D13.1', 'A block that was lifted still refuses debits.'),
  'refusals-of-block-forgotten': advisory(
    'D3.1',
    'A debit that a block refused is taken when it comes again after the block.',
  ),
  'block-lost-at-restart': {
    ...advisory('D13.1', 'A restart lifts all blocks.'),
    durable: true,
  },
};
