/** An operator that may call, with all its current secrets: several during a rotation (D1.2). */
export interface OperatorCredentials {
  readonly operatorId: string;
  /** Each at least 16 bytes, without surrounding white space. */
  readonly secrets: readonly string[];
}
