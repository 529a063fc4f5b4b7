/** What the pages call the reader's own, by the name that `<!-- after: NAME -->` gives it. */
export const preludes: Readonly<Record<string, string>> = {
  'memory-store': `
import { createMemoryStore } from 'rgs-wallet-kit';
const store = createMemoryStore();
`,
  options: `
import { createMemoryStore } from 'rgs-wallet-kit';
const store = createMemoryStore();
const balances = { real: '100' };
await store.players.openPlayer({ operatorId: 'my-casino', playerId: 'ann', currency: 'EUR', balances });
const operators = [{ operatorId: 'my-casino', secrets: ['at-least-16-bytes-of-secret'] }];
const options = { store, operators };
`,
  'app-module': `
import { Module } from '@nestjs/common';
class AppModule {}
Module({})(AppModule);
`,
  operator: `
import { createRgsClient } from 'rgs-wallet-kit/client';
import pino from 'pino';
const operator = {
  baseUrl: process.env.RGS_URL ?? '',
  operatorId: process.env.OPERATOR_ID ?? '',
  secret: process.env.OPERATOR_SECRET ?? '',
};
`,
  session: `
const token = 'the-token-of-the-page';
`,
  'my-ledger': `
import { createMemoryStore } from 'rgs-wallet-kit';
import { createMemoryLedger, ledgerContract } from 'rgs-wallet-kit/testing';
const createMyStore = (options = { decimals: 2, retentionMs: 60_000 }) => {
  const store = createMemoryStore(options);
  return { ...store, rounds: Object.assign(store.rounds, { follow: undefined }) };
};
const createMyLedger = () => {
  const ledger = createMemoryLedger();
  return { ledger, players: ledger };
};
const createLedger = createMyLedger;
`,
};
