/** Holds messages and events against the documents of openapi/. */
export declare class Messages {
  constructor(folder: string);
  readonly folder: string;
  readonly total: number;
  answered(
    response: { readonly req: object; readonly statusCode: number; readonly _header: string },
    text: string,
  ): void;
  event(event: unknown): void;
  flush(): void;
}
