import { schemasOf } from '../../platform/validation';

const names = [
  'assign-free-rounds',
  'do-transactions',
  'free-play-package',
  'game-configuration',
  'game-list',
  'statistics',
  'statistics-request',
] as const;

/** The messages of the Operator API that have a schema, each a file of schemas/operator-api. */
export type MessageName = (typeof names)[number];

/** The shapes of the messages. Numbers are checked as JSON has them; their texts are read apart. */
export const messageSchemas = schemasOf('operator-api', names);
