import { together } from './together';

together('rgs/client', 'rgs/http');
