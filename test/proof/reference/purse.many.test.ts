import { describe, test } from '@jest/globals';
import * as fc from 'fast-check';

import { type MakeWallet, purseProperties } from './purse-properties';
import { createRealWallet } from './real-wallet';
import { createReferencePlayer } from './reference-player';
import { randomHistories } from '../../support/runs';

const runs = randomHistories(50);

const wallets: Readonly<Record<string, MakeWallet>> = {
  reference: () => Promise.resolve(createReferencePlayer()),
  wallet: createRealWallet,
};

describe.each(Object.entries(wallets))('in the %s', (_, makeWallet) => {
  test.each(Object.entries(purseProperties))('%s', (__, property) =>
    fc.assert(property(makeWallet), runs),
  );
});
