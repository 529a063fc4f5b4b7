import { expect, test } from '@jest/globals';

import { webhookHeaders } from '../../lib/cli/events/deliver';

test('the headers are those of Standard Webhooks, by its published example', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  expect(webhookHeaders(secret, id, 1614265330, '{"test": 2432232314}')).toEqual([
    'content-type',
    'application/json',
    'webhook-id',
    id,
    'webhook-timestamp',
    '1614265330',
    'webhook-signature',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ]);
});
