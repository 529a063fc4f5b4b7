/** What can happen at a point, where a process waits for the journal or the ledger. */
export const faultKinds = [
  'error before it is done',
  'error after it was done',
  'done late, once the call was answered',
  'done late, once all is settled',
  'answered late, once the call was answered',
  'answered late, once all is settled',
  'the process is gone before it is done',
  'the process is gone after it was done',
  'reply lost, the RGS goes on, then it is done',
  'reply lost, the RGS goes on, then it is answered',
  'the call comes twice, before it is done',
  'the call comes twice, after it was done',
  'a sweep comes before it is done',
  'a sweep comes after it was done',
  'ledger and journal fail from here on',
  'ledger and journal do it and fail from here on',
  'ledger fails from here on',
  'ledger is silent from here on, and does it all late',
  'journal fails from here on',
] as const;

/** One of them. */
export type FaultKind = (typeof faultKinds)[number];

/** Something that goes wrong. */
export interface Fault {
  /** Number of the point; 1 is the first. */
  readonly at: number;
  readonly kind: FaultKind;
}

/** One process of the wallet. */
export interface Life {
  isAlive: boolean;
  /** Ends it, and breaks its connections. */
  readonly die: () => void;
}

/** What others do while a process waits at a point. */
export interface Others {
  /** The RGS gives up waiting for the reply; resolves when it has done what follows of that. */
  loseReply(): Promise<void>;
  /** Sends the call in flight to another process too; resolves when that has answered. */
  sendTwice(): Promise<void>;
  /** A sweeper elsewhere sweeps. */
  sweep(): Promise<void>;
}

/** Asks something of outside. */
export interface Ask<T> {
  readonly part: 'journal' | 'ledger';
  readonly name: string;
  readonly life: Life;
  readonly work: () => Promise<T>;
  /** How this part fails: an answer, or it throws. */
  readonly fail: () => T;
}

/**
 * Numbers every point of a run where somebody waits for something outside, and lets things go
 * wrong at some of them.
 */
export class FaultPoints {
  /** What was asked at each point so far. */
  readonly names: string[] = [];
  private isOver = false;
  private outage: FaultKind | null = null;
  private readonly answered = new Gate();
  private readonly settled = new Gate();

  constructor(
    private readonly faults: readonly Fault[],
    private readonly others: Others,
    /** How long each way to what is outside takes. */
    private readonly latency: () => Promise<void> = async () => {},
  ) {}

  /** Asks, and what is to go wrong goes wrong. */
  async pass<T>(ask: Ask<T>): Promise<T> {
    if (!ask.life.isAlive) return forEver();
    this.names.push(`${ask.part}.${ask.name}`);
    const at = this.names.length;
    const fault = this.isOver ? undefined : this.faults.find((candidate) => candidate.at === at);
    await this.latency();
    const answer = await this.run(ask, fault?.kind ?? this.outageOf(ask));
    await this.latency();
    return ask.life.isAlive ? answer : forEver();
  }

  /** The call in flight is answered or given up: releases what waited for it. */
  callAnswered(): void {
    this.answered.open();
  }

  /** Whether an outage has begun, and not come to its end. */
  get isOut(): boolean {
    return this.outage !== null;
  }

  /** An outage comes to its end. */
  heal(): void {
    this.outage = null;
  }

  /** Nothing goes wrong any more, whatever comes. */
  end(): void {
    this.isOver = true;
    this.outage = null;
  }

  /** Everything is done: releases what waited for it. */
  allSettled(): void {
    this.settled.open();
  }

  private outageOf({ part }: { readonly part: 'journal' | 'ledger' }): FaultKind | null {
    const isOther = this.outage?.startsWith(part === 'journal' ? 'ledger ' : 'journal ');
    return isOther === true && this.outage?.startsWith('ledger and') !== true ? null : this.outage;
  }

  private async run<T>(ask: Ask<T>, kind: FaultKind | null): Promise<T> {
    const { work, fail, life } = ask;
    switch (kind) {
      case null:
        return work();
      case 'error before it is done':
        return fail();
      case 'error after it was done':
        await work();
        return fail();
      case 'done late, once the call was answered':
        return this.answered.wait().then(work);
      case 'done late, once all is settled':
        return this.settled.wait().then(work);
      case 'answered late, once the call was answered':
        return late(work, this.answered.wait());
      case 'answered late, once all is settled':
        return late(work, this.settled.wait());
      case 'the process is gone before it is done':
        life.die();
        return forEver();
      case 'the process is gone after it was done':
        await work();
        life.die();
        return forEver();
      case 'reply lost, the RGS goes on, then it is done':
        return this.others.loseReply().then(work);
      case 'reply lost, the RGS goes on, then it is answered':
        return late(work, this.others.loseReply());
      case 'the call comes twice, before it is done':
        return this.others.sendTwice().then(work);
      case 'the call comes twice, after it was done':
        return lateBy(work, () => this.others.sendTwice());
      case 'a sweep comes before it is done':
        return this.others.sweep().then(work);
      case 'a sweep comes after it was done':
        return lateBy(work, () => this.others.sweep());
      case 'ledger and journal fail from here on':
        this.outage = kind;
        return fail();
      case 'ledger and journal do it and fail from here on':
        this.outage = kind;
        await work();
        return fail();
      case 'ledger fails from here on':
      case 'journal fails from here on':
        this.outage = kind;
        return this.outageOf(ask) === null ? work() : fail();
      case 'ledger is silent from here on, and does it all late':
        this.outage = kind;
        return this.outageOf(ask) === null ? work() : this.settled.wait().then(work);
    }
  }
}

/** Lets everybody through once it was opened; those who come later wait for the next time. */
class Gate {
  private release: () => void = () => {};
  private opened = this.untilOpened();

  wait(): Promise<void> {
    return this.opened;
  }

  open(): void {
    this.release();
    this.opened = this.untilOpened();
  }

  private untilOpened(): Promise<void> {
    return new Promise((resolve) => {
      this.release = resolve;
    });
  }
}

async function late<T>(work: () => Promise<T>, until: Promise<void>): Promise<T> {
  const answer = await work();
  await until;
  return answer;
}

async function lateBy<T>(work: () => Promise<T>, meanwhile: () => Promise<void>): Promise<T> {
  const answer = await work();
  await meanwhile();
  return answer;
}

function forEver<T>(): Promise<T> {
  return new Promise(() => {});
}
