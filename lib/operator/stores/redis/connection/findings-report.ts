import type { Events } from '../../../events';
import type { AllFindings } from './inspector';

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
