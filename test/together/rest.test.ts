import { together } from './together';

together('bench', 'cli', 'docker', 'docs', 'monitoring', 'provider', 'tidy');
