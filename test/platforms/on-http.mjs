import { createServer } from 'node:http';
import { createOperatorHandler } from 'rgs-wallet-kit';
import { playWallet } from './wallet.mjs';

playWallet((options) => createServer(createOperatorHandler(options).handle));
