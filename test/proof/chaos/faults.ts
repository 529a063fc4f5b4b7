import { setTimeout as delay } from 'node:timers/promises';

import type { TcpProxy } from '../../network/tcp-proxy';
import type { MortalServer } from '../../rgs/load/scene';
import type { Applications } from './applications';

/** A server that can die, or stand still. */
export interface ChaosServer extends MortalServer {
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** What can go wrong in a field: a server, the line to it, and the processes of the wallet. */
export interface Field {
  readonly server: ChaosServer;
  /** Between the processes and the server. */
  readonly line: TcpProxy;
  readonly applications: Applications;
}

/** Each kind of fault, over when it resolves; `ms` is how long it lasts. */
export const faults: Readonly<Record<string, (field: Field, ms: number) => Promise<void>>> = {
  async 'server killed'({ server }, ms) {
    await server.kill9();
    await delay(ms);
    await server.restart();
  },
  async 'server stands still'({ server }, ms) {
    await server.pause();
    await delay(ms);
    await server.resume();
  },
  async 'application killed'({ applications }) {
    await applications.kill();
    await applications.start();
  },
  async 'server and application killed'({ server, applications }) {
    await Promise.all([server.kill9(), applications.kill()]);
    await server.restart();
    await applications.start();
  },
  async 'connections cut'({ line }) {
    line.disconnectAll();
  },
  async 'requests slow'({ line }, ms) {
    const { release } = line.hold('requests');
    await delay(ms);
    release();
  },
  async 'replies slow'({ line }, ms) {
    const { release } = line.hold('replies');
    await delay(ms);
    release();
  },
  async 'replies lost'({ line }, ms) {
    line.blackhole();
    await delay(ms);
    await line.pass();
  },
  async 'server out of reach'({ line }, ms) {
    await line.refuse();
    await delay(ms);
    await line.pass();
  },
};
