import { providerFaults } from './cases/provider-faults';
import { testCases } from './test-cases';

testCases('faults between the provider and the remote game server', providerFaults, {
  players: 'provider',
  isRecovering: true,
});
