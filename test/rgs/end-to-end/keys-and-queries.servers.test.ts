import { keysAndQueries } from './cases/keys-and-queries';
import { testCases } from './test-cases';

testCases('gambles, spins, voids, queries and keys', keysAndQueries, {
  players: 'keys',
  isRecovering: false,
});
