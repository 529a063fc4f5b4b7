/** The operator of every world. */
export const operatorId = 'acme';

/** Another operator of the same wallet, with a secret of its own: none of its requests may touch the first one's money. */
export const rivalId = 'rival';

/** The currency of every account, but for the second ones that some players have. */
export const currency = 'EUR';
