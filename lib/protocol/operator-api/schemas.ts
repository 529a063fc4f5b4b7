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

/** The messages of the Operator API with a schema, each a file of schemas/operator-api. */
export type MessageName = (typeof names)[number];

/** The shapes of the messages. Numbers are checked as JSON numbers; their texts are read separately. */
export const messageSchemas = schemasOf('operator-api', names);
