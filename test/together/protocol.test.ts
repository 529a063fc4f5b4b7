import { together } from './together';

together('platform', 'protocol');
