import type { WalletLine } from '../../../lib/rgs/ports';
import type { RgsServiceOptions } from '../../../lib/rgs/service/core/options';
import { Killed, Process } from './mortal';
import { Rig } from './rig';

/** What a player does, call by call. */
export interface Session {
  readonly steps: readonly ((rig: Rig, token: string) => Promise<unknown>)[];
  readonly options?: Partial<RgsServiceOptions>;
  /** What there is before the player comes. */
  readonly prepare?: (rig: Rig) => Promise<unknown>;
}

/** Where a process is killed: at an append that is kept or not, or at a call before or after the wallet works it. */
export type Kill = { readonly at: number } & (
  | { readonly of: 'append'; readonly isKept: boolean }
  | { readonly of: 'call'; readonly isWorked: boolean }
);

/** Plays the session; a step whose process is killed is made again at the next process, as a game does. */
export async function playKilled({ steps, options, prepare }: Session, kill: Kill | null) {
  let process = new Process();
  let calls = 0;
  let isArmed = false;
  const killing = (of: Process): WalletLine => {
    const line = of.line(rig.purse);
    return {
      ...line,
      async doTransactions(call) {
        const isHit = isArmed && kill?.of === 'call' && calls === kill.at;
        calls += 1;
        if (isHit && !kill.isWorked) of.kill();
        const answered = line.doTransactions(call);
        if (isHit && kill.isWorked) void answered.then(() => of.kill());
        return isHit ? new Promise<never>(() => {}) : answered;
      },
    };
  };
  const rig = await Rig.start(options);
  await rig.restartIn(process, killing(process));
  if (prepare !== undefined) await rig.run(prepare(rig));
  const token = await rig.token();
  calls = 0;
  isArmed = true;
  if (kill?.of === 'append') process.killAt(kill.at, kill.isKept);
  const before = process.appends;
  for (const step of steps) {
    const outcome = await rig.run(attempt(step(rig, token))).catch((error: unknown) => error);
    if (!(outcome instanceof Killed)) continue;
    isArmed = false;
    process = process.next();
    await rig.restartIn(process, killing(process));
    await rig.run(attempt(step(rig, token)));
  }
  isArmed = false;
  process.isImmortal = true;
  const appends = process.appends - before;
  await rig.run(rig.service.idle());
  rig.purse.faults = [];
  await rig.run(rig.service.runJanitor());
  return { rig, appends, calls };
}

/** A refusal is an outcome too. */
function attempt(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error);
}
