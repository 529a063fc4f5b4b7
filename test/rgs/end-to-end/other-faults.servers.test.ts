import { otherFaults } from './cases/other-faults';
import { testCases } from './test-cases';

testCases('faults on the lines of the operator and to the provider', otherFaults, {
  players: 'other',
  isRecovering: true,
});
