import { afterAll, beforeEach } from '@jest/globals';

import type { Writable } from '../../lib/protocol/json/write';
import { RgsService } from '../rgs/load/service';
import { type CliOptions, type CliResult, OPERATOR, OPERATOR_ID, runCli, SECRET } from './cli';

/** A service for the calls of the tests of one file; a new one for each test. */
export function useRgs(): () => RgsService {
  let service: RgsService | undefined;
  beforeEach(async () => {
    await service?.close();
    service = await RgsService.start({ operatorId: OPERATOR_ID, secret: SECRET });
  });
  afterAll(() => service?.close());
  return () => {
    if (service === undefined) throw new Error('the service is not started');
    return service;
  };
}

/** Runs `rgs-wallet call` against a service; no output holds the secret. */
export async function callCli(
  service: RgsService,
  args: readonly string[],
  { env = {}, ...options }: CliOptions = {},
): Promise<CliResult> {
  const all = { ...OPERATOR, RGS_URL: service.url, ...env };
  const result = await runCli(['call', ...args], { ...options, env: all });
  if ((result.stdout + result.stderr).includes(SECRET)) throw new Error('the secret is printed');
  return result;
}

/** A call that was done, and what it printed. */
export function done(stdout: string): CliResult {
  return { code: 0, stdout, stderr: '' };
}

/** A call that was not: exit code 1 by the service, 2 by its user, and one line. */
export function failed(code: 1 | 2, line: string): CliResult {
  return { code, stdout: '', stderr: `error: ${line}\n` };
}

/** The bodies that the service got, parsed. */
export function bodiesOf({ requests }: RgsService): Writable[] {
  return requests.map(({ body }) => JSON.parse(body) as Writable);
}
