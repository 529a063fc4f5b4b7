/** A request as node:http would hand it over. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn; a name may come twice. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Bytes of a piece, where the body comes in pieces; null where it is there at once. */
  readonly pieceBytes: number | null;
  /** Bytes of the body after which the connection ends, though the request does not; null where it does not. */
  readonly cutAt: number | null;
}
