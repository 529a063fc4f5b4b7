import { together } from './together';

together('bench', 'cli', 'docker', 'docs', 'monitoring', 'openapi', 'provider', 'tidy');
