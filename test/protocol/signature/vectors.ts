import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignedOperation } from '../../../lib/protocol/signature';

/** One test vector of vectors/signature.json; what its members mean is said in the file. */
export interface Vector {
  readonly operation: SignedOperation;
  readonly method: 'GET' | 'POST';
  readonly why: string;
  readonly valid: boolean;
  readonly secret: string;
  readonly operatorId: string;
  readonly timestamp: string;
  readonly body?: string;
  readonly query?: string;
  readonly signed?: string;
  readonly signature: string;
}

/** The file as it is published. */
export const vectorFile = JSON.parse(
  readFileSync(join(__dirname, '../../../vectors/signature.json'), 'utf8'),
) as { readonly description: string; readonly vectors: readonly Vector[] };
