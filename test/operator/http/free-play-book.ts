import type { JsonDocument, JsonValue } from '../../../lib/protocol/json/parse';

/** A package of free plays as the RGS keeps it. */
export interface FreePlayPackage {
  readonly serial: string;
  readonly internalid: string;
  readonly playerId: string;
  readonly gameCode: string;
  readonly currency: string;
  /** As it stood in the request. */
  readonly stake: string;
  readonly count: number;
  readonly used: number;
  readonly expires: string;
}

const noEnd = '2099-12-31T00:00:00Z';

/** Packages of free plays by serial; a repeated serial changes nothing (operator-api 4.3). */
export class FreePlayBook {
  readonly #bySerial = new Map<string, FreePlayPackage>();
  #assignments = 0;

  /** How many packages there are. */
  get size(): number {
    return this.#bySerial.size;
  }

  /** How often one was asked for, repeats included. */
  get assignments(): number {
    return this.#assignments;
  }

  get(serial: string): FreePlayPackage | undefined {
    return this.#bySerial.get(serial);
  }

  /** The reply to a request (operator-api 2.5); null where the request is not valid. */
  assign(message: JsonDocument): string | null {
    const wanted = readPackage(message, this.size + 1);
    if (wanted === null) return null;
    this.#assignments += 1;
    const kept = this.#bySerial.get(wanted.serial) ?? wanted;
    this.#bySerial.set(kept.serial, kept);
    const { serial, internalid, count, used, expires } = kept;
    return JSON.stringify({ serial, internalid, count, used, expires });
  }
}

function readPackage(message: JsonDocument, number: number): FreePlayPackage | null {
  const { value } = message;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const [playerId, gameCode, serial, currency] = [
    textOf(value.playerId),
    textOf(value.gameCode),
    textOf(value.serial),
    textOf(value.currency),
  ];
  const { count } = value;
  const expires = textOf(value.expires ?? noEnd);
  const stake = message.lexeme(value, 'stake');
  if (playerId === null || gameCode === null || serial === null || currency === null) return null;
  if (typeof count !== 'number' || count < 1 || stake === undefined || expires === null)
    return null;
  const internalid = `package-${number}`;
  return { serial, internalid, playerId, gameCode, currency, stake, count, used: 0, expires };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
