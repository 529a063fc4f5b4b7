import { expect, test } from '@jest/globals';
import { logWithoutSecrets } from '../../../lib/operator/http/log-without-secrets';
import { systemRandom } from '../../../lib/platform';
import { readCredentials } from '../../../lib/protocol/authentication/credentials';

const secrets = { casino: 'the-secret-of-casino', other: 'the-secret-of-other' };
const credentials = Object.entries(secrets).map(([id, secret]) => ({ id, secrets: [secret] }));
const callers = readCredentials(credentials, systemRandom, { list: 'operators', idName: 'id' });

test.each(['info', 'warn', 'error', 'debug'] as const)(
  "at level %s a line about an operator has none of its secrets, and one about none has nobody's",
  (level) => {
    const lines: object[] = [];
    const write = (fields: object): void => void lines.push(fields);
    const logger = { info: write, warn: write, error: write, debug: write };
    const safe = logWithoutSecrets(logger, callers);
    safe[level]?.({ operatorId: 'casino', hash: `h ${secrets.casino}` }, 'a call');
    safe[level]?.({ reason: secrets.casino, cause: `x${secrets.other}x` }, 'no caller');
    safe[level]?.({ operatorId: 'unknown', hash: secrets.other }, 'an unknown caller');
    expect(lines).toEqual([
      { operatorId: 'casino', hash: '[secret]' },
      { reason: '[secret]', cause: '[secret]' },
      { operatorId: 'unknown', hash: '[secret]' },
    ]);
  },
);
