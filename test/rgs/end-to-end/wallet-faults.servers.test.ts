import { walletFaults } from './cases/wallet-faults';
import { testCases } from './test-cases';

testCases('faults between the remote game server and the wallet', walletFaults, {
  players: 'wallet',
  isRecovering: true,
});
