import { rounds } from './cases/rounds';
import { testCases } from './test-cases';

testCases('bets, wins and ends', rounds, { players: 'rounds', isRecovering: false });
