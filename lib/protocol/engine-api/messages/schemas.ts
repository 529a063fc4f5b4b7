import { schemasOf } from '../../../platform/validation';

/** The messages of the Game Engine API with a schema, each a file of schemas/engine-api. */
export const engineSchemas = schemasOf('engine-api', [
  'types',
  'start-game-round',
  'start-game-or-add-bet',
  'add-win',
  'wager-win',
  'add-spin-counter-game-state',
  'collect-win',
  'end-or-void',
  'token-and-round',
  'get-available-spin-counter',
  'get-token-for-game-round',
  'token-only',
  'get-last-game-rounds',
  'get-player-data',
  'set-player-data',
  'get-random-result',
  'test-ping',
  'get-operator-settings',
  'reply-types',
  'round-reply',
  'balance',
  'amount-reply',
  'spin-counter-reply',
  'token-data-reply',
  'last-game-rounds-reply',
  'player-data-reply',
  'random-result-reply',
  'test-ping-reply',
  'game-settings',
  'connect-reply',
  'error-reply',
]);

/** The name of a schema of schemas/engine-api. */
export type EngineSchema = Parameters<typeof engineSchemas.findFault>[0];
