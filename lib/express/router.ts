import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOperatorHandler, type OperatorHandler } from './handler';
import type { OperatorOptions } from './options';

/** An Express router, of Express 4 or 5; typed by what it needs, so that either fits. */
export interface OperatorRouter {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
  /** Resolves when the calls in work, and what goes on behind them, are done. */
  readonly close: OperatorHandler['close'];
}

/**
 * An Express router with POST /doTransactions and GET /getBalance, to be mounted under any path
 * of your own app, before any body parser.
 * @throws TypeError for wrong options, when it is made.
 */
export function createOperatorRouter(options: OperatorOptions): OperatorRouter {
  const { doTransactions, getBalance, refuseMethod, close } = createOperatorHandler(options);
  const { Router } = require('express') as typeof import('express');
  const router = Router();
  router.post('/doTransactions', (request, response) => doTransactions(request, response));
  router.all('/doTransactions', refuseMethod('POST'));
  router.get('/getBalance', (request, response) => getBalance(request, response));
  router.all('/getBalance', refuseMethod('GET'));
  return Object.assign(router as unknown as (...args: Parameters<OperatorRouter>) => void, {
    close,
  });
}
