import { together } from './together';

together('proof', 'simulator');
