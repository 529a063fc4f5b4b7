/** `npm run simulate`: plays worlds in virtual time, and looks for what does not hold. See --help. */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  type FailedWorld,
  type Failing,
  type Find,
  generatePlan,
  hunt,
  type Played,
  playPlan,
  playSeries,
  type Plant,
  plants,
  readSeedFile,
  type SeriesResult,
  shrink,
  writeSeedFile,
} from '..';
import { FlagFault, type Flags, helpText, readFlags } from './flags';
import { hostOf } from './hosts';
import { huntPatched, patches } from './patches/list';
import { Progress } from './progress';

async function main(): Promise<boolean> {
  const flags = readFlags(process.argv.slice(2));
  if (flags === null) {
    print(helpText.trimEnd());
    return true;
  }
  if (flags.planted) return playPlanted(flags);
  if (flags.replay !== null) return replay(flags.replay, flags);
  if (flags.trace) return traceOne(flags);
  return playAll(flags);
}

/** Worlds until the calls are played, or one fails. */
async function playAll(flags: Flags): Promise<boolean> {
  const { seed, calls, store, wire, world: callsAWorld, seconds } = flags;
  const progress = new Progress(flags.quiet);
  const clock = new CpuClock();
  const end = seconds === null ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  const onWorld = (soFar: SeriesResult): void => {
    progress.show(() => {
      const percent = Math.floor((100 * soFar.calls) / calls);
      return `${percent} %: seed ${soFar.lastSeed}, ${count(soFar.calls)} calls, ${clock.rate(soFar.calls)}`;
    });
  };
  const isStopped = (): boolean => performance.now() > end;
  const result = await playSeries({
    seed,
    calls,
    store,
    wire,
    callsAWorld,
    onWorld,
    isStopped,
    ...hostOf(store),
  });
  progress.end();
  const { worlds, lastSeed, rounds, faults, events, hash, failed } = result;
  print(`store ${store}, ${wire}, seeds ${seed} to ${lastSeed}: ${count(worlds)} worlds`);
  print(`${count(result.calls)} calls of ${count(rounds)} rounds, ${clock.rate(result.calls)}`);
  print(faultLines(faults));
  if (events.size > 0) print(eventLines(events));
  print(`trace ${hash}`);
  if (failed === null) {
    print('everything held');
    return true;
  }
  await tellFailure(failed, flags);
  return false;
}

async function tellFailure({ plan, played }: FailedWorld, flags: Flags): Promise<void> {
  const { violation, list: faults } = played;
  if (violation === null) return;
  print(`seed ${plan.seed}, after ${violation.calls} calls: ${violation.rule}: ${violation.text}`);
  const failing: Failing = { plan, faults, violation };
  if (!flags.quiet && flags.shrink) process.stderr.write('cutting it short\n');
  const text = writeSeedFile(flags.shrink ? await shrink(failing, hostOf(plan.store)) : failing);
  if (flags.out === null) return print(text.trimEnd());
  writeFileSync(flags.out, text);
  print(`npm run simulate -- --replay ${flags.out}`);
}

async function replay(path: string, flags: Flags): Promise<boolean> {
  const { plan, faults } = readSeedFile(readFileSync(path, 'utf8'));
  const onLine = flags.trace ? print : undefined;
  return tellPlayed(
    await playPlan(plan, { faults, ...hostOf(plan.store), ...(onLine && { onLine }) }),
  );
}

async function traceOne({ seed, world: calls, store, wire }: Flags): Promise<boolean> {
  return tellPlayed(
    await playPlan(generatePlan({ seed, calls, store, wire }), { ...hostOf(store), onLine: print }),
  );
}

function tellPlayed({ calls, faults, hash, violation }: Played): boolean {
  print(`${count(calls)} calls`);
  print(faultLines(faults));
  print(`trace ${hash}`);
  print(violation === null ? 'everything held' : `${violation.rule}: ${violation.text}`);
  return violation === null;
}

/** Each planted bug, until a seed shows it. */
async function playPlanted({ seed, calls, world, only }: Flags): Promise<boolean> {
  const among = {
    seeds: Array.from({ length: Math.ceil(calls / world) }, (_, n) => seed + n),
    calls: world,
  };
  const all: readonly Bug[] = [
    ...plants.map((plant) => ({ ...plant, hunt: () => hunt(plant, among) })),
    ...patches.map((patch) => ({
      store: 'memory' as const,
      isObservable: true,
      ...patch,
      // Over HTTP, in Lua and in SQL a call costs ten times as much and more, and what can be seen is seen soon.
      hunt: () =>
        huntPatched(
          patch,
          patch.wire === 'http' || patch.store === 'sql' || patch.store === 'lua'
            ? { ...among, seeds: among.seeds.slice(0, 12) }
            : among,
        ),
    })),
  ];
  const bugs = all.filter(({ name, wire }) => `${wire ?? ''} ${name}`.includes(only));
  let [found, wrong] = [0, 0];
  for (const bug of bugs) {
    const find = await bug.hunt();
    const isRight = bug.isObservable === (find !== null);
    found += find === null ? 0 : 1;
    wrong += isRight ? 0 : 1;
    const where = bug.history === undefined ? `seed ${find?.seed}` : `kept ${bug.history}`;
    const seen = find && `${where}, ${find.calls} calls: ${find.rule}`;
    const verdict = seen ?? `not found${bug.isObservable ? '' : ` (${bug.breaks})`}`;
    const place = bug.wire === 'http' ? 'http' : bug.store;
    print(`${isRight ? ' ' : '!'} ${place.padEnd(7)} ${bug.name}: ${verdict}`);
  }
  const observable = bugs.filter(({ isObservable }) => isObservable).length;
  print(`${found} found of ${observable}; ${bugs.length - observable} cannot be seen`);
  return wrong === 0;
}

/** A planted bug, and how it is looked for. */
interface Bug extends Pick<Plant, 'name' | 'breaks' | 'store' | 'wire' | 'isObservable'> {
  readonly history?: string;
  readonly hunt: () => Promise<Find | null>;
}

/** Calls a second of processor time. */
class CpuClock {
  private readonly started = process.cpuUsage();

  rate(calls: number): string {
    const { user, system } = process.cpuUsage(this.started);
    return `${count(Math.round(calls / ((user + system) / 1e6)))} calls a second of processor`;
  }
}

function faultLines(faults: ReadonlyMap<string, number>): string {
  const sorted = [...faults].toSorted(([, one], [, other]) => other - one);
  const sum = sorted.reduce((all, [, times]) => all + times, 0);
  const kinds = sorted.map(([kind, times]) => `  ${count(times).padStart(9)} ${kind}`);
  return [`${count(sum)} faults`, ...kinds].join('\n');
}

/** Attacks, and what else was counted. An accepted attack ends the run as a violation. */
function eventLines(events: ReadonlyMap<string, number>): string {
  const kinds = [...events].toSorted(([, one], [, other]) => other - one);
  const forged = kinds.filter(isAttack).reduce((all, [, times]) => all + times, 0);
  const lines = kinds.map(([kind, times]) => `  ${count(times).padStart(9)} ${kind}`);
  return [`${count(forged)} forged or altered requests`, ...lines].join('\n');
}

function isAttack([kind]: readonly [string, number]): boolean {
  return kind.startsWith('attack: ');
}

function count(value: number): string {
  return value.toLocaleString('en-GB');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().then(
  (isRight) => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    const isFlag = error instanceof FlagFault;
    const text = error instanceof Error ? error.message : 'it failed';
    process.stderr.write(isFlag ? `${text}\nsee --help\n` : `${text}\n`);
    process.exitCode = 2;
  },
);
