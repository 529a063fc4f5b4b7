import { together } from './together';

together('rgs/sandbox');
