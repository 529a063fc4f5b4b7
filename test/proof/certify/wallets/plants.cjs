'use strict';

// The mistakes that can be planted in the plain wallet. A `required` one breaks the specification of the protocol, an
// `advisory` one only the rules by which this library reads its gaps (D1 to D10), and a `legal` one nothing at all: other
// wallets do so. `durable` ones need a file and a kill.
const PLANTS = {
  ...require('./plants/caller.cjs'),
  ...require('./plants/hashes.cjs'),
  ...require('./plants/rounds.cjs'),
  ...require('./plants/replies.cjs'),
  ...require('./plants/money.cjs'),
  ...require('./plants/input.cjs'),
  ...require('./plants/blocks.cjs'),
};

module.exports = { PLANTS };
