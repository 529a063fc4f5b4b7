import { type Delivery, unsignedDelivery } from '../../operator/gameround';
import { randomUuid, systemRandom } from '../../platform/random';

/**
 * The part of a test runner that the suites need: `describe`, `it` and `afterAll` of jest or vitest, or
 * `after` of node:test.
 */
export interface ContractRunner {
  describe(name: string, define: () => void): unknown;
  it(name: string, run: () => Promise<void>): unknown;
  afterAll(run: () => Promise<void>): unknown;
}

/** An identifier that no other case and no other run has. */
export function freshId(prefix: string): string {
  return `${prefix}-${randomUuid(systemRandom)}`;
}

/** A delivery of an unsigned call, with its own four characters (D7). */
export function freshDelivery(): Delivery {
  return unsignedDelivery(systemRandom.bytes(3).toString('base64url'));
}
