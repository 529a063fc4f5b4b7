import { uuidV5 } from '../../random';

/** The namespace of the hashes of transactions; it must never change (E15.4). */
const namespace = '6f1d2c6e-0b7c-5a1f-9a3e-4b5c8d7e6f10';

/** The UUID v5 of a name: the same step has the same hash after a crash (E15.4). */
export function hashOf(name: string): string {
  return uuidV5(namespace, name);
}
