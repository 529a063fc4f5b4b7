import { packed } from './packed';

/** The version of the package. */
export function readVersion(): string {
  return packed.get('version') as string;
}
