import { until } from '../../servers/until';
import type { Database, Session } from './database';
import { type Answer, answerOf, drain, gapsOf, stateOf } from './observe';
import type { Act, Operation, Role } from './operations';

/** What comes of two operations: both answers, what is stored, and what the consumer was told. */
interface Outcome {
  readonly answers: Readonly<Partial<Record<Role, Answer>>>;
  readonly state: string;
  readonly told: readonly string[];
  readonly gaps: readonly string[];
}

/** An outcome that no order of the two operations has. */
export interface Finding {
  readonly way: string;
  readonly first: string;
  readonly second: string;
  readonly got: Outcome;
  /** Those that it may be. */
  readonly may: readonly Outcome[];
}

/** How a transaction of the first session ends while the second one waits or is over. */
export type Ending = 'COMMIT' | 'ROLLBACK';

/** Rows and keys that somebody else holds, so that a statement stops in its middle. */
export interface Stop {
  readonly name: string;
  /** Takes the lock for this operator; undone by ROLLBACK. */
  readonly statement: string;
}

/** What was walked. */
export interface Walked {
  pairs: number;
  /** Of the second statements, those that waited for the first session. */
  waited: number;
  readonly findings: Finding[];
}

/** Interleaves two operations by three sessions, and compares with their serial orders. */
export class Matrix {
  private number = 0;
  private readonly serials = new Map<string, Promise<Outcome>>();
  readonly walked: Walked = { pairs: 0, waited: 0, findings: [] };

  constructor(
    private readonly database: Database,
    private readonly sessions: Readonly<Record<Role | 'observer' | 'holder', Session>>,
  ) {}

  /** The first one is done and not committed, the second one comes, and then the first one ends. */
  async open(first: Operation, second: Operation, ending: Ending): Promise<void> {
    const { A, B } = this.sessions;
    await this.play(`before ${ending}`, first, second, ending, async (run) => {
      await A.ask('BEGIN');
      run.answers.A = await run.act('A', first.acts.A);
      const later = this.begin(run, 'B', second);
      if (await this.waits(B, later)) this.walked.waited++;
      else run.told.push(...(await run.drain()));
      await A.ask(ending);
      await later.over;
      if (ending === 'ROLLBACK') delete run.answers.A;
    });
  }

  /** Both stop where somebody holds something, one after the other, and go on together. */
  async stopped(first: Operation, second: Operation, stop: Stop): Promise<void> {
    const { A, B, holder } = this.sessions;
    await this.play(`behind ${stop.name}`, first, second, 'COMMIT', async (run) => {
      await holder.ask('BEGIN');
      await holder.ask(stop.statement.replaceAll('{operator}', run.operatorId));
      const one = this.begin(run, 'A', first);
      const isStopped = await this.waits(A, one);
      const other = this.begin(run, 'B', second);
      if ((await this.waits(B, other)) && isStopped) this.walked.waited++;
      await holder.ask('ROLLBACK');
      await Promise.all([one.over, other.over]);
    });
  }

  private async play(
    way: string,
    first: Operation,
    second: Operation,
    ending: Ending,
    work: (run: Run) => Promise<void>,
  ): Promise<void> {
    this.walked.pairs++;
    const got = await this.observe(work);
    const one: Turn = ['A', first, first.acts.A];
    const other: Turn = ['B', second, second.acts.B];
    const orders: Order[] =
      ending === 'ROLLBACK'
        ? [[other]]
        : [
            [one, other],
            [other, one],
          ];
    const may: Outcome[] = [];
    for (const order of orders.flatMap(withInstead)) may.push(await this.serial(order));
    if (isOneOf(got, may, this.database.variant.events)) return;
    this.walked.findings.push({ way, first: first.name, second: second.name, got, may });
  }

  /** What comes of operations one after the other, each in a transaction of its own. */
  private serial(order: Order): Promise<Outcome> {
    const name = order
      .map(([role, { name: one, acts }, act]) => `${role}: ${one} ${act === acts[role]}`)
      .join('; ');
    const known = this.serials.get(name);
    if (known !== undefined) return known;
    const made = this.observe(async (run) => {
      for (const [role, , act] of order) run.answers[role] = await run.act(role, act);
    });
    this.serials.set(name, made);
    return made;
  }

  private async observe(work: (run: Run) => Promise<void>): Promise<Outcome> {
    const { database, sessions } = this;
    const { observer } = sessions;
    const operatorId = `op${++this.number}`;
    const player = await database.copy(observer, operatorId);
    const run: Run = {
      operatorId,
      answers: {},
      told: [],
      act: async (role, act) => answerOf(await act(sessions[role], player), operatorId),
      drain: () => drain(database, observer, operatorId),
    };
    await work(run);
    const state = await stateOf(database, observer, operatorId);
    const told = [...run.told, ...(await run.drain())];
    const gaps = await gapsOf(observer, operatorId);
    await database.remove(observer, operatorId);
    return { answers: run.answers, state, told, gaps };
  }

  private begin(run: Run, role: Role, operation: Operation): Begun {
    const begun: Begun = { isOver: false, over: Promise.resolve() };
    begun.over = run.act(role, operation.acts[role]).then((answer) => {
      run.answers[role] = answer;
      begun.isOver = true;
    });
    return begun;
  }

  /** Whether it waits for a lock; false once it is over. */
  private async waits({ pid }: Session, begun: Begun): Promise<boolean> {
    const { observer } = this.sessions;
    const found = await until(
      'a statement to wait or to be over',
      async () => {
        if (begun.isOver) return 'over';
        const rows = await observer.ask(
          `SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND wait_event_type = 'Lock'`,
          [pid],
        );
        return rows.length > 0 && 'waits';
      },
      { everyMs: 1 },
    );
    return found === 'waits';
  }
}

interface Begun {
  isOver: boolean;
  over: Promise<void>;
}

/** One run with a player of its own. */
interface Run {
  readonly operatorId: string;
  readonly answers: Partial<Record<Role, Answer>>;
  readonly told: string[];
  readonly act: (role: Role, act: Act) => Promise<Answer>;
  readonly drain: () => Promise<string[]>;
}

/** Who does what. */
type Turn = readonly [Role, Operation, Act];

/** One after the other. */
type Order = readonly Turn[];

/** An order, and those in which some leave what they do to a next statement, where they may. */
function withInstead(order: Order): Order[] {
  return order.reduce<Order[]>(
    (orders, [role, operation, act]) => {
      const acts = act.instead === undefined ? [act] : [act, act.instead];
      return orders.flatMap((before) => {
        return acts.map((one): Order => [...before, [role, operation, one]]);
      });
    },
    [[]],
  );
}

/**
 * Whether it is the outcome of one order. Without events, what a commit answers of accounts that it does not move may be of
 * the moment before the other one (D6.2: the balances of a reply are some that the player had meanwhile); with them each
 * event says what the player had after it.
 */
function isOneOf(got: Outcome, may: readonly Outcome[], isStrict: boolean): boolean {
  if (got.gaps.length > 0 || [got, ...may].some(isInDoubt)) return false;
  if (isStrict) return may.some((one) => sameText(one) === sameText(got));
  const told = (['A', 'B'] as const).every((role) => {
    const known = may.flatMap(({ answers }) => answers[role]?.accounts ?? []);
    return (got.answers[role]?.accounts ?? []).every((account) => known.includes(account));
  });
  return told && may.some((one) => saidText(one) === saidText(got));
}

/** Nothing fails here, so every answer must be definite. */
function isInDoubt({ answers: { A, B } }: Outcome): boolean {
  return [A, B].some((one) => one?.said.includes('"kind":"unknown"') === true);
}

function sameText({ answers: { A, B }, state, told }: Outcome): string {
  return JSON.stringify([A, B, state, told]);
}

function saidText({ answers: { A, B }, state }: Outcome): string {
  return JSON.stringify([A?.said, B?.said, state]);
}
