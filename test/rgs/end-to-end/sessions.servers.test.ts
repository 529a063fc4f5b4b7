import { sessions } from './cases/sessions';
import { testCases } from './test-cases';

testCases('sessions, free plays, DEMO, abandoned rounds and restarts', sessions, {
  players: 'sessions',
  isRecovering: false,
});
