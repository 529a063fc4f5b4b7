import { systemRandom } from '../../../platform/random';
import type { ExportContent } from '../../wallet';
import type { OperationsSettings } from '../configuration/options';
import type { Person } from '../configuration/person';
import { queryStore } from '../view/query-store';
import { type RequestFields, RequestFault } from '../view/request';

/** A person asks for a list as a file. */
export interface ExportRequest
  extends RequestFields,
    Pick<OperationsSettings, 'store' | 'clock' | 'booksZone'> {
  readonly person: Person;
}

/** What is taken, of which operator and player. */
export interface Taken extends Pick<ExportContent, 'file' | 'filter'> {
  readonly operatorId: string;
  readonly playerId: string | null;
}

/** The acts of one export: one before its first byte, and one after its last row unless the first says that all were read. */
export class ExportActs {
  private readonly id = systemRandom.bytes(9).toString('base64url');
  private rows = 0;
  private isWhole = false;
  /** Whether what is noted is what was read in the end. */
  private isDone = false;

  constructor(
    private readonly request: ExportRequest,
    private readonly taken: Taken,
  ) {}

  /** More rows were read; `isWhole` if they are the last. */
  read(rows: number, isWhole: boolean): void {
    this.rows += rows;
    this.isWhole = isWhole;
  }

  /** @throws StoreUnavailableError, RequestFault if the store keeps no acts: then nothing may be sent. */
  async begin(): Promise<void> {
    await this.note('begun');
    this.isDone = this.isWhole;
  }

  /** Writes how many rows were read in all, once. @throws StoreUnavailableError */
  async end(): Promise<void> {
    if (this.isDone) return;
    this.isDone = true;
    await this.note('ended');
  }

  private async note(step: ExportContent['step']): Promise<void> {
    const { store, clock, person } = this.request;
    const { acts } = store;
    if (acts === undefined) {
      throw new RequestFault(
        501,
        'This store cannot write down who took a file, so it gives none.',
      );
    }
    const { id, rows, isWhole } = this;
    const by = { id: person.id, name: person.name };
    const content = { type: 'export', id, step, rows, isWhole, ...this.taken } as const;
    await queryStore(clock, acts.note({ at: clock.now(), by, ...content }));
  }
}
