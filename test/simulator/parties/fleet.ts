import { bodyCharacters, signatureCharacters } from '../../../lib/protocol/signature';
import type { Call } from '../../../lib/protocol/operator-api/transaction';
import { type Answer, cut, timeOut } from '../../../lib/rgs/settlement/answer';
import type { Arriving } from '../http/message';
import { operatorId } from '../plan/names';
import type { Incident, Plan } from '../plan/types';
import type { Chance } from '../world/chance';
import type { Fault } from '../world/faults';
import type { World } from '../world/scheduler';
import type { Bank } from './bank';
import type { Planted } from './planted';
import { firstSecrets, WalletProcess } from './wallet';

const fingerprintCharacters = signatureCharacters + bodyCharacters;

/** Milliseconds until a process that died by itself is there again. */
const restartMs = 400;

/** No answer: none in time, or the connection was cut. */
export type Lost = Extract<Answer, { readonly kind: 'timeOut' | 'cut' }>;

/** Something that a process of the wallet is to take. */
export interface Parcel<T> {
  readonly playerId: string;
  readonly take: (process: WalletProcess, arriving: Arriving) => Promise<T>;
}

/** Milliseconds between two restarts of a rolling one. */
const rollingMs = 500;

/** Several processes of the wallet, and the lines to them. */
export class Fleet {
  /** Calls on a line, or at a wallet that has not answered. */
  underWay = 0;
  private readonly processes: WalletProcess[];
  private readonly unplugged = new Set<number>();
  private born = 0;
  /** Calls that were sent: each has a signature of its own, which its copies share (D1.8). */
  private signed = 0;
  private secrets: readonly string[] = firstSecrets;

  constructor(
    private readonly world: World,
    private readonly plan: Plan,
    private readonly bank: Bank,
    private readonly planted: Planted,
  ) {
    this.processes = Array.from({ length: plan.wallets }, (_, place) => this.bear(place));
    for (const incident of plan.incidents) {
      world.clock.after(incident.atMs, () => this.happen(incident));
    }
  }

  /** Sends a call to one of the wallets; resolves to what the service hears, a time-out if nothing. */
  call(call: Call, chance: Chance, patienceMs: number): Promise<Answer> {
    this.signed += 1;
    const signature = this.signed.toString(36).padStart(signatureCharacters, '0');
    const fingerprint = signature.padEnd(fingerprintCharacters, '0');
    const take = (process: WalletProcess): Promise<Answer> => process.handle(call, fingerprint);
    return this.send<Answer>({ playerId: call.playerId, take }, chance, patienceMs);
  }

  /** Sends something to one of the wallets, over a line with faults. */
  send<T>(parcel: Parcel<T>, chance: Chance, patienceMs: number): Promise<T | Lost> {
    const { world } = this;
    const fault = chance.fault('line');
    if (fault !== null) world.note(fault.kind, chance.name, 'line');
    return new Promise((resolve) => {
      const giveUp = world.clock.after(patienceMs, () => resolve(timeOut as Lost));
      const receive = (answer: T | Lost): void => {
        giveUp();
        resolve(answer);
      };
      this.carry(parcel, chance, fault, receive);
    });
  }

  /** Sends something over a line of its own, without faults; resolves to null if no process takes it. */
  sneak<T>(parcel: Parcel<T>): Promise<T | null> {
    return new Promise((resolve) => {
      this.deliver(parcel, this.world.chanceOf('attacker'), 0, (answer) => {
        resolve(answer === cut || answer === timeOut ? null : (answer as T));
      });
    });
  }

  /** Starts all processes anew, one after the other: then each accepts these secrets. */
  async renew(secrets: readonly string[]): Promise<void> {
    const { clock } = this.world;
    this.secrets = secrets;
    for (const place of this.processes.keys()) {
      this.processes[place]?.lifetime.end();
      await clock.pause(rollingMs);
    }
  }

  /** On its way, as the fault says. */
  private carry<T>(
    call: Parcel<T>,
    chance: Chance,
    fault: Fault | null,
    receive: (answer: T | Lost) => void,
  ): void {
    const ms = fault?.ms ?? 0;
    switch (fault?.kind) {
      case 'request lost':
        return;
      case 'request late':
        return this.deliver(call, chance, ms, receive);
      case 'reply lost':
        return this.deliver(call, chance, 0, () => {});
      case 'reply late':
        return this.deliver(call, chance, 0, (answer) => {
          this.world.clock.after(ms, () => receive(answer));
        });
      case 'comes twice':
        this.deliver(call, chance, 0, receive);
        return this.deliver(call, chance, ms % 3 === 0 ? ms : ms % 20, receive);
      case 'cut':
        this.deliver(call, chance, 0, () => {}, ms % 2 === 0 ? 'whole' : 'half');
        this.world.clock.after(1 + (ms % 30), () => receive(cut as Lost));
        return;
      default:
        return this.deliver(call, chance, 0, receive);
    }
  }

  private deliver<T>(
    call: Parcel<T>,
    chance: Chance,
    lateMs: number,
    receive: (answer: T | Lost) => void,
    arriving: Arriving = 'whole',
  ): void {
    const place = chance.below(this.processes.length);
    const backMs = chance.delay();
    const purse = this.bank.purseOf({ operatorId, playerId: call.playerId });
    purse?.enter();
    this.underWay += 1;
    this.world.clock.after(chance.delay() + lateMs, () => {
      this.arrive({ call, arriving }, place, backMs, receive, () => {
        this.underWay -= 1;
        purse?.leave();
      });
    });
  }

  private arrive<T>(
    { call, arriving }: { readonly call: Parcel<T>; readonly arriving: Arriving },
    place: number,
    backMs: number,
    receive: (answer: T | Lost) => void,
    forget: () => void,
  ): void {
    const { clock } = this.world;
    const process = this.processes[place];
    const { lifetime } = process ?? {};
    if (process === undefined || !lifetime?.isAlive || this.unplugged.has(place)) {
      forget();
      clock.after(backMs, () => receive(cut as Lost));
      return;
    }
    const isGone = lifetime.onEnd(() => {
      forget();
      clock.after(backMs, () => receive(cut as Lost));
    });
    const answering = call.take(process, arriving).then((answer) => {
      // It may die of another call in the moment in which it answers this one.
      if (!lifetime.isAlive) return;
      isGone();
      forget();
      clock.after(backMs, () => receive(answer));
    });
    this.world.watch(answering);
  }

  private bear(place: number): WalletProcess {
    const { world, plan, bank, planted } = this;
    const process = new WalletProcess(
      world,
      plan,
      bank,
      planted,
      place + plan.wallets * this.born++,
      this.secrets,
    );
    process.lifetime.onEnd(() => {
      world.clock.after(restartMs, () => {
        this.processes[place] = this.bear(place);
      });
    });
    return process;
  }

  private happen({ kind, wallet: place, ms }: Incident): void {
    const { world } = this;
    const lifetime = this.processes[place]?.lifetime;
    world.note(kind, 'wallet', String(place));
    if (kind === 'kill') {
      lifetime?.end();
    } else if (kind === 'outage') {
      world.outages += 1;
      world.clock.after(ms, () => (world.outages -= 1));
    } else if (kind === 'unplug') {
      this.unplugged.add(place);
      world.clock.after(ms, () => this.unplugged.delete(place));
    } else if (lifetime !== undefined) {
      lifetime.isPartitioned = true;
      world.clock.after(ms, () => {
        lifetime.isPartitioned = false;
      });
    }
  }
}
