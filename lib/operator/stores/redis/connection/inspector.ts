import type { Events } from '../../../events';
import { type CheckedSetting, StoreUnsafeError } from '../../../wallet';
import type { Clock } from '../../../../platform';
import { mastersOf, type RedisClient } from '../client/port';
import { type Findings, type InspectedFor, inspectServer } from './safety-check';
import { within } from '../../../../platform/within';

/** Options of the inspection. */
interface InspectorOptions extends InspectedFor {
  /** Accept settings that can lose money. */
  readonly acceptLoss: boolean;
  /** Time limit of one server, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Ends every inspection. */
  readonly signal: AbortSignal;
}

/** Findings about every server. */
interface AllFindings extends Omit<Findings, 'settings'> {
  /** Number of connected replicas of all masters. */
  readonly replicas: number;
  /** That of the master with the fewest; null if no master says. */
  readonly fewestReplicas: number | null;
}

/**
 * Inspects the servers that keep the money for dangers. In a cluster a master that does not answer is
 * skipped as long as another does: it returns as a new connection, and that is inspected.
 */
export class Inspector {
  readonly #inspected = new WeakSet<RedisClient>();
  /** By name and value: the masters of a cluster may differ. */
  #settings = new Map<string, CheckedSetting>();

  constructor(
    private readonly client: RedisClient,
    private readonly options: InspectorOptions,
  ) {}

  /** The settings that money depends on, of the servers that were inspected last. */
  get settings(): readonly CheckedSetting[] {
    return [...this.#settings.values()];
  }

  /**
   * Inspects every server; resolves to all findings, with the accepted dangers.
   * @throws StoreUnsafeError; another error if no server answers.
   */
  async inspectAll(): Promise<AllFindings> {
    const servers = mastersOf(this.client);
    if (servers.length === 0) throw new Error('no master is known yet');
    return this.inspect(servers);
  }

  /** The same for the servers of a cluster that were not inspected yet; false if there are none. */
  async inspectNew(): Promise<boolean> {
    const servers = mastersOf(this.client).filter((server) => !this.#inspected.has(server));
    if (servers.length > 0) await this.inspect(servers);
    return servers.length > 0;
  }

  private async inspect(servers: readonly RedisClient[]): Promise<AllFindings> {
    const { acceptLoss, timeoutMs, clock, signal } = this.options;
    const answers = await Promise.allSettled(
      servers.map(async (server) => {
        const findings = await within(clock, timeoutMs, inspectServer(server, this.options), {
          signal,
        });
        this.#inspected.add(server);
        return findings;
      }),
    );
    const dangers = new Set<string>();
    const passwords = new Set<string>();
    const replicas: number[] = [];
    let assumed: Findings['assumed'] = null;
    const faults: unknown[] = [];
    const settings = new Map<string, CheckedSetting>();
    for (const answer of answers) {
      if (answer.status === 'rejected') {
        faults.push(answer.reason);
        continue;
      }
      for (const danger of answer.value.dangers) dangers.add(danger);
      for (const name of answer.value.passwords) passwords.add(name);
      for (const one of answer.value.settings) settings.set(`${one.name} ${one.value}`, one);
      if (answer.value.replicas !== null) replicas.push(answer.value.replicas);
      assumed ??= answer.value.assumed;
    }
    if (settings.size > 0) this.#settings = settings;
    const unsafe = faults.find((fault) => fault instanceof StoreUnsafeError);
    if (unsafe !== undefined) throw unsafe;
    if (faults.length === servers.length) throw faults[0];
    if (dangers.size > 0 && !acceptLoss) throw new StoreUnsafeError([...dangers].join(' '));
    const fewestReplicas = replicas.length === 0 ? null : Math.min(...replicas);
    const sum = replicas.reduce((all, one) => all + one, 0);
    const found = { dangers: [...dangers], passwords: [...passwords] };
    return { ...found, replicas: sum, fewestReplicas, assumed };
  }
}

/** Reports what the server check found and let pass, once as long as it stays. */
export class FindingsReport {
  #last = '';

  constructor(
    private readonly options: { readonly events: Events; readonly waitReplicas: number },
  ) {}

  say({ dangers, passwords, replicas, fewestReplicas, assumed }: AllFindings): void {
    const { events, waitReplicas } = this.options;
    const isUnconfirmed = replicas > 0 && waitReplicas === 0;
    const isShort = fewestReplicas !== null && fewestReplicas < waitReplicas;
    const found = JSON.stringify([
      dangers,
      passwords,
      isUnconfirmed,
      isShort && fewestReplicas,
      assumed !== null,
    ]);
    if (found === this.#last) return;
    this.#last = found;
    for (const danger of dangers) events.emit({ kind: 'lossAccepted', store: 'Redis', danger });
    if (assumed !== null) events.emit({ kind: 'durabilityAssumed', ...assumed });
    if (passwords.length > 0) {
      const cure =
        'Define the administrator by a hash in the access list, and let masterauth be of a user who may only replicate (docs/operations/redis.md).';
      events.emit({ kind: 'passwordsReadable', settings: passwords, cure });
    }
    if (isUnconfirmed) {
      const cure = 'Set waitReplicas (--wait-replicas) to 1 or more.';
      events.emit({ kind: 'replicasUnconfirmed', replicas, cure });
    }
    if (isShort) {
      const cure = 'Connect replicas to the master, or lower waitReplicas (--wait-replicas).';
      events.emit({ kind: 'replicasMissing', replicas: fewestReplicas, waitReplicas, cure });
    }
  }
}
