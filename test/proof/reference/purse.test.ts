import { describe, test } from '@jest/globals';
import * as fc from 'fast-check';

import { type MakeWallet, purseProperties } from './purse-properties';
import { createRealWallet } from './real-wallet';
import { createReferencePlayer } from './reference-player';
import { testSeed } from '../../support/seed';

// HISTORIES sets how many. A failure prints the seed and the path of the history, made as small
// as it could be: HISTORIES_SEED and HISTORIES_PATH play that one alone.
const { HISTORIES = '50', HISTORIES_SEED, HISTORIES_PATH } = process.env;
const runs = {
  numRuns: Number(HISTORIES),
  seed: Number(HISTORIES_SEED ?? testSeed),
  ...(HISTORIES_PATH === undefined ? {} : { path: HISTORIES_PATH }),
};

const wallets: Readonly<Record<string, MakeWallet>> = {
  reference: () => Promise.resolve(createReferencePlayer()),
  wallet: createRealWallet,
};

describe.each(Object.entries(wallets))('in the %s', (_, makeWallet) => {
  test.each(Object.entries(purseProperties))('%s', (__, property) =>
    fc.assert(property(makeWallet), runs),
  );
});
