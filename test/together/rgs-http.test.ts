import { together } from './together';

together('rgs/bad-input', 'rgs/client', 'rgs/http');
