import type { GoodCall } from './call';
import type { Api } from './input';
import type { RawRequest } from './raw-request';

/** A call that the wallet took, as whoever listens on the line has it. */
export interface Heard {
  readonly call: GoodCall;
  readonly headers: readonly string[];
  readonly body: string;
}

const most = 24;

/** The calls that were heard last. Their rounds are not voided. */
export class Line {
  private readonly calls: Heard[] = [];

  private readonly others: Readonly<Record<Api, RawRequest[]>> = {
    wallet: [],
    engine: [],
    provider: [],
  };

  get heard(): readonly Heard[] {
    return this.calls;
  }

  hear(call: Heard): void {
    this.calls.push(call);
    if (this.calls.length > most) this.calls.shift();
  }

  /** A request that one of the other two has taken. */
  hearOther(api: Api, request: RawRequest): void {
    const heard = this.others[api];
    heard.push(request);
    if (heard.length > most) heard.shift();
  }

  heardOf(api: Api): readonly RawRequest[] {
    return this.others[api];
  }

  forget(call: Heard): void {
    this.calls.splice(this.calls.indexOf(call), 1);
  }
}

/** When an input is made, and what its maker may know. */
export interface Moment {
  /** Of the input: no two of a batch have the same. */
  readonly number: number;
  readonly atMs: number;
  /** X-H-TIMESTAMP of the moment; no other input has it. */
  readonly timestamp: string;
  readonly line: Line;
}
